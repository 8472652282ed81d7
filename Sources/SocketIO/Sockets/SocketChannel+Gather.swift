internal import CheckIn
internal import CheckInCore
internal import Synchronization

// Small sends that follow each other are one system call.

extension SocketChannel {
  /// See ``CheckIn/Connection/sendAtOnce(_:behind:)``.
  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    guard !Task.isCancelled else { throw .cancelled("Sending") }
    guard bytes.count < ChannelState.largeSend else { return false }
    let turn = loop.currentTurn
    if let turn {
      switch state.withLock({ state in state.gather(bytes, behind: prefix, in: turn, traits) }) {
      case .first:
        loop.atTurnEnd(self)
        return true
      case .behindOthers: return true
      case .none: break
      }
    }
    let bytes = prefix?.before(bytes) ?? bytes
    guard let attempt = state.withLock({ state in state.sendAtOnce(bytes, in: turn, traits, loop) }) else {
      return false
    }
    return try outcome(of: attempt) == nil
  }
}

/// Where a send was put that leaves when the loop's turn ends.
enum Gathered {
  /// Nothing else waits: the loop has to be asked to call when the turn ends.
  case first
  case behindOthers
}

extension ChannelState {
  /// From how many bytes on a send goes out by itself.
  static let largeSend = 16_384
  /// With how many gathered bytes they go out before the turn ends.
  private static let mostGathered = 65_536

  /// Keeps the bytes for the end of the loop's turn, so that what a task sends until it has to wait goes out together; nil
  /// where that may not be.
  ///
  /// The first send of a turn goes out at once: a message that is alone is not late. Those behind it are late by no more
  /// than it takes the turn's tasks to come to where they wait, and the task that sends is one of them. A send that waits
  /// for its turn to end has been taken (``CheckIn/Connection/send(_:before:)``), as one that lies in the system's buffer has.
  mutating func gather(
    _ bytes: [UInt8], behind prefix: Frame.Prefix?, in turn: UInt64, _ traits: SocketTraits
  ) -> Gathered? {
    guard isWritable, !traits.keepsPackets, errorOfSending == nil else { return nil }
    if sends.isEmpty {
      guard lastSendTurn == turn else { return nil }
      sends.append(PendingSend(bytes: prefix?.before(bytes) ?? bytes))
      return .first
    }
    guard sends.count == 1, sends[0].waiter == nil, sends[0].bytes.count - sends[0].sent < Self.mostGathered
    else { return nil }
    prefix?.append(to: &sends[0].bytes)
    sends[0].bytes.append(contentsOf: bytes)
    return .behindOthers
  }

  /// Sends a small message without a wait; nil: there is no room. Nothing of it is sent then.
  mutating func sendAtOnce(
    _ bytes: [UInt8], in turn: UInt64?, _ traits: SocketTraits, _ loop: EventLoop
  ) -> SendAttempt? {
    if let error = errorOfSending { return .refused(error) }
    var effects = ChannelEffects()
    // What was gathered leaves before.
    if sends.count == 1, sends[0].waiter == nil { flush(traits, loop, &effects) }
    if let error = errorOfSending { return .failed(error, effects) }
    guard sends.isEmpty, isWritable else { return nil }
    lastSendTurn = turn
    switch write(bytes, from: 0, traits) {
    case .wrote(bytes.count): return .sent
    case .wrote(0): return nil
    case .wrote(let count):
      // The rest is taken, as what was gathered is; whoever sends next waits behind it.
      sends.append(PendingSend(bytes: bytes, sent: count))
      watch(forRoom: true, loop)
      return .sent
    case .failed(let number):
      let error = failSending(number, traits, &effects)
      return .failed(error, effects)
    }
  }
}
