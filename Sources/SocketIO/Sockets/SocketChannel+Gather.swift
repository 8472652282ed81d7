// Small sends that follow each other are one system call.

extension ChannelState {
  /// From how many bytes on a send goes out by itself.
  private static let largeSend = 16_384
  /// With how many gathered bytes they go out before the turn ends.
  private static let mostGathered = 65_536

  /// Whether the bytes wait for the end of the loop's turn, so that what a task sends until it has to wait goes out
  /// together.
  ///
  /// The first send of a turn goes out at once: a message that is alone is not late. Those behind it are late by no more
  /// than it takes the turn's tasks to come to where they wait, and the task that sends is one of them. A send that waits
  /// for its turn to end has been taken (``CheckIn/Connection/send(_:before:)``), as one that lies in the system's buffer has.
  private func gathers(_ bytes: [UInt8], _ traits: SocketTraits, _ loop: EventLoop) -> Bool {
    guard !traits.keepsPackets, bytes.count < Self.largeSend, isWritable, let turn = loop.currentTurn
    else { return false }
    return sends.isEmpty ? lastSendTurn == turn : sends.count == 1 && sends[0].waiter == nil
  }

  /// Sends a small message without a wait, or gathers it; nil: there is no room, or what is to be sent is large. Nothing of
  /// it is sent then.
  mutating func sendAtOnce(_ bytes: [UInt8], _ traits: SocketTraits, _ loop: EventLoop) -> SendAttempt? {
    if let error = errorOfSending { return .refused(error) }
    if gathers(bytes, traits, loop) { return gather(bytes, traits, loop) }
    guard bytes.count < Self.largeSend, sends.isEmpty, isWritable else { return nil }
    lastSendTurn = loop.currentTurn
    switch write(bytes, from: 0, traits) {
    case .wrote(bytes.count): return .sent
    case .wrote(0): return nil
    case .wrote(let count):
      // The rest is taken, as what was gathered is; whoever sends next waits behind it.
      sends.append(PendingSend(bytes: bytes, sent: count))
      watch(forRoom: true, loop)
      return .sent
    case .failed(let number):
      var effects = ChannelEffects()
      let error = failSending(number, traits, &effects)
      return .failed(error, effects)
    }
  }

  private mutating func gather(_ bytes: [UInt8], _ traits: SocketTraits, _ loop: EventLoop) -> SendAttempt {
    guard !sends.isEmpty else {
      sends.append(PendingSend(bytes: bytes))
      return .gathered(isFirst: true)
    }
    sends[0].bytes += bytes
    guard sends[0].bytes.count - sends[0].sent >= Self.mostGathered else { return .gathered(isFirst: false) }
    var effects = ChannelEffects()
    flush(traits, loop, &effects)
    if let error = errorOfSending { return .failed(error, effects) }
    return .gathered(isFirst: false)
  }
}
