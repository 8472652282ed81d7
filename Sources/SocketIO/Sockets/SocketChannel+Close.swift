internal import CheckIn
internal import Glibc

extension ChannelState {
  /// Begins to close in good order. The caller has put itself among those who are told when it is done.
  mutating func beginClose(_ traits: SocketTraits, _ loop: EventLoop) -> ChannelEffects {
    guard phase == .open else {
      return phase == .connecting ? end(.connectionClosed, loop) : ChannelEffects()
    }
    phase = .closing
    var effects = ChannelEffects()
    wakeReader(&effects)
    // Who waits to send is told. What has gone out in part goes out whole, so that the peer sees no torn message.
    effects.settle(sends, .connectionClosed)
    sends.removeAll { $0.sent == 0 && $0.waiter != nil }
    for index in sends.indices { sends[index].deadline = nil }
    lingerEnd = loop.clock.now + traits.linger
    flush(traits, loop, &effects)
    advanceClose(traits, loop, &effects)
    return effects
  }

  /// Closes the socket if everything has left and nothing unread lies in it.
  mutating func advanceClose(_ traits: SocketTraits, _ loop: EventLoop, _ effects: inout ChannelEffects) {
    confirmAt = nil
    if lost == nil, sendError == nil {
      guard sends.isEmpty else {
        effects.alarm = nextAlarm() ?? effects.alarm
        return
      }
      // Where nothing is confirmed, everything is with the peer already. Both directions are shut, so that nothing can
      // arrive any more after the last bytes were read: closing over unread bytes would look like a loss to the peer.
      if traits.hasHalfClose { _ = shutdown(number, Int32(traits.confirmsDelivery ? SHUT_WR : SHUT_RDWR)) }
      let isQuiet = drain()
      // The end of the stream counts as one byte. Its own confirmation may take a while, and nothing depends on it.
      if traits.confirmsDelivery, receiveEnd == nil,
        !isQuiet || unconfirmedBytes(of: number, reportsRoom: traits.reportsRoom) > 1
      {
        confirmAt = loop.clock.now + (isQuiet ? confirmDelay : .zero)
        confirmDelay = min(confirmDelay * 2, .milliseconds(100))
        effects.alarm = nextAlarm() ?? effects.alarm
        return
      }
    }
    effects.add(end(.connectionClosed, loop))
  }

  /// The time is over. What the system has still goes out; what it does not have is lost, and the peer shall know.
  mutating func giveUpClose(
    _ traits: SocketTraits, _ loop: EventLoop, _ effects: consuming ChannelEffects
  ) -> ChannelEffects {
    if !sends.isEmpty, traits.abortResets { resetOnClose(number) }
    effects.add(end(.connectionClosed, loop))
    return effects
  }

  /// Reads and throws away what has arrived; false when there was so much that the rest has to wait its turn.
  private mutating func drain() -> Bool {
    var scratch = [UInt8](repeating: 0, count: 16_384)
    for _ in 0..<16 {
      var space = scratch.mutableSpan
      switch receiveOnce(number, into: &space, atMost: .max) {
      case 1..., Int(-EINTR): continue
      case Int(-EAGAIN): return true
      default:
        receiveEnd = .finished
        return true
      }
    }
    return false
  }
}

extension ChannelEffects {
  /// Adds what came later.
  mutating func add(_ other: ChannelEffects) {
    alarm = other.alarm ?? alarm
    reader = other.reader ?? reader
    sends += other.sends
    expired += other.expired
    closed += other.closed
  }
}
