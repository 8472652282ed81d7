internal import CheckIn
internal import Glibc

/// Bytes that have not gone out: of a send that the socket had no room for, or of several that were gathered.
struct PendingSend {
  var bytes: [UInt8]
  var sent = 0
  /// Nil where the calls have returned already; see ``ChannelState/gather(_:behind:in:_:)``.
  var waiter: Waiter<TransportError?>?
  /// Nil also when nobody waits any more and the rest has to go out all the same (C4).
  var deadline: LoopTime?
}

/// Where a channel stands. All of it is under one lock.
struct ChannelState: ~Copyable {
  enum Phase {
    case connecting
    /// Nobody waits for the connection any more; it is ended when it has come about (see ``SocketTraits/finishesDials``).
    case abandoned
    case open
    /// Closing in good order: what was sent still goes out.
    case closing
    case closed
  }

  /// How the peer's direction ended.
  enum ReceiveEnd {
    case finished
    case lost(TransportError)
  }

  var phase: Phase
  var descriptor: Descriptor?
  var token: EventToken?
  /// What calls throw when the channel is closing or closed.
  var endError = TransportError.connectionClosed

  // What the socket last said of itself. Events set these, and calls that find nothing, or no room, clear them.
  var isReadable = true
  var isWritable = true
  /// The loop tells of room to send; always where there is none.
  private var watchesRoom = false
  /// The end, or an error, lies behind the bytes that wait: no further event will announce it.
  var sawHangup = false

  var read = ReadWait.none
  var lastRead: UInt64 = 0
  /// How much room a receive makes: grows while the peer fills it.
  var readSize = Self.leastAtOnce
  var receiveEnd: ReceiveEnd?
  /// A receive has met a reset that may be a good end; see ``SocketTraits/resetMayBeEnd``.
  var sawReset = false

  var sends: [PendingSend] = []
  /// The loop's turn in which something was last sent at once.
  var lastSendTurn: UInt64?
  /// The most bytes in one system call, as the open connection has said; see ``SocketTraits/measureWrite``.
  var maximumWrite: Int?
  /// ``SocketConnection/finish()`` was called.
  var finishes = false
  /// The socket's sending direction was shut down.
  var hasFinished = false
  /// Sending is impossible, though there may still be something to receive.
  var sendError: TransportError?
  /// The connection is lost in both directions; what has arrived can be received first.
  var lost: TransportError?

  var connecting: (waiter: Waiter<TransportError?>, deadline: LoopTime)?
  var closing: [CheckedContinuation<Void, Never>] = []
  var lingerEnd: LoopTime?
  /// When to look again whether the peer's system has confirmed everything.
  var confirmAt: LoopTime?
  var confirmDelay = Duration.milliseconds(1)
  /// The alarms that are set, earliest last. A wait that is later than the earliest needs none of its own.
  var alarms: [LoopTime] = []

  init(_ descriptor: consuming Descriptor, isConnected: Bool) {
    self.descriptor = consume descriptor
    phase = isConnected ? .open : .connecting
  }

  /// The socket's number, or -1 when it is closed.
  var number: Int32 {
    switch descriptor {
    case .some(let descriptor): descriptor.number
    case .none: -1
    }
  }

  mutating func register(_ channel: SocketChannel, on loop: EventLoop) throws(TransportError) {
    watchesRoom = phase == .connecting
    token = try loop.register(channel, descriptor: number, forRoom: watchesRoom)
  }

  /// Has the loop tell of room from now on, or no longer.
  mutating func watch(forRoom: Bool, _ loop: EventLoop) {
    guard let token, forRoom != watchesRoom else { return }
    watchesRoom = forRoom
    loop.watch(token, descriptor: number, forRoom: forRoom)
  }

  mutating func note(_ events: ReadyEvents, _ loop: EventLoop) {
    // Room was told of that nobody waits for.
    if events.contains(.writable), sends.isEmpty, phase == .open { watch(forRoom: false, loop) }
    if !events.isDisjoint(with: [.peerFinished, .hangup, .error]) { sawHangup = true }
    if !events.isDisjoint(with: [.readable, .peerFinished, .hangup, .error]) { isReadable = true }
    if !events.isDisjoint(with: [.writable, .hangup, .error]) { isWritable = true }
  }

  mutating func beginConnect(
    _ channel: SocketChannel, to address: SocketAddress, on loop: EventLoop, _ waiter: Waiter<TransportError?>,
    until deadline: LoopTime
  ) throws(TransportError) -> ChannelEffects {
    var effects = ChannelEffects()
    let result = descriptor?.connect(to: address) ?? EBADF
    switch result {
    case 0:
      phase = .open
      effects.sends = [(waiter, nil)]
    case EINPROGRESS, EINTR:
      connecting = (waiter, deadline)
      isWritable = false
      isReadable = false
    case EAGAIN: throw TransportError(.resourcesExhausted, "The listener's queue is full.", cause: SystemError(result))
    default: throw TransportError(system: result, "Connecting failed")
    }
    try register(channel, on: loop)
    effects.alarm = nextAlarm()
    return effects
  }

  /// Goes as far as the socket lets it: after an event, and after what a call has changed.
  mutating func advance(_ traits: SocketTraits, _ loop: EventLoop) -> ChannelEffects {
    var effects = ChannelEffects()
    switch phase {
    case .closed: return effects
    case .connecting:
      guard let attempt = connecting, isWritable || sawHangup else { return effects }
      let error = pendingError(of: number)
      guard error == 0 else {
        return end(TransportError(system: error, "Connecting failed"), loop)
      }
      guard measure(traits) else {
        // Not open after all (seen with Bluetooth): the event that says so is still to come, unless all is over.
        if sawHangup { return end(TransportError(system: ECONNRESET, "Connecting failed"), loop) }
        isWritable = false
        return effects
      }
      connecting = nil
      phase = .open
      effects.sends.append((attempt.waiter, nil))
    case .abandoned:
      if isWritable || sawHangup, measure(traits) || sawHangup { return end(.connectionClosed, loop) }
      isWritable = false
    case .open, .closing:
      flush(traits, loop, &effects)
      wakeReader(&effects)
      if phase == .closing { advanceClose(traits, loop, &effects) }
    }
    return effects
  }

  /// Lets a dial that nobody waits for come to its end, for as long as a close may take.
  mutating func abandon(_ traits: SocketTraits, _ loop: EventLoop) -> ChannelEffects {
    guard phase == .connecting, token != nil else { return end(.connectionClosed, loop) }
    connecting = nil
    phase = .abandoned
    lingerEnd = loop.clock.now + traits.linger
    // What has come about since the wait ended is ended now.
    var effects = advance(traits, loop)
    effects.alarm = nextAlarm() ?? effects.alarm
    return effects
  }

  /// Learns how much the peer takes at once; false while the connection is not open yet.
  mutating func measure(_ traits: SocketTraits) -> Bool {
    guard let measure = traits.measureWrite else {
      maximumWrite = traits.maximumWrite
      return true
    }
    switch descriptor {
    case .some(let descriptor): maximumWrite = measure(descriptor)
    case .none: return false
    }
    return maximumWrite != nil
  }

  /// Frees everything, and tells everyone who waits.
  mutating func end(_ error: TransportError, _ loop: EventLoop) -> ChannelEffects {
    var effects = ChannelEffects()
    phase = .closed
    endError = error
    if let token { loop.unregister(token, descriptor: number) }
    token = nil
    descriptor = nil
    effects.settle(sends, error)
    sends = []
    if let attempt = connecting { effects.sends.append((attempt.waiter, error)) }
    connecting = nil
    effects.closed = closing
    closing = []
    wakeReader(&effects)
    return effects
  }

  /// Ends the waits whose time has come.
  mutating func expire(at now: LoopTime, _ traits: SocketTraits, _ loop: EventLoop) -> ChannelEffects {
    var effects = ChannelEffects()
    while let alarm = alarms.last, alarm <= now { alarms.removeLast() }
    if case .waiting(_, let continuation, .some(let deadline)) = read, deadline <= now {
      read = .none
      effects.reader = continuation
      effects.wake = .timedOut
    }
    if let attempt = connecting, attempt.deadline <= now { effects.expired.append(attempt.waiter) }
    for index in sends.indices.reversed() {
      guard let deadline = sends[index].deadline, deadline <= now else { continue }
      if let waiter = sends[index].waiter { effects.expired.append(waiter) }
      if sends[index].sent == 0 {
        sends.remove(at: index)
      } else {
        sends[index].deadline = nil
      }
    }
    if phase == .open, sends.isEmpty { shutDownIfFinished(traits, &effects) }
    if phase == .abandoned, let lingerEnd, lingerEnd <= now { return end(.connectionClosed, loop) }
    if phase == .closing {
      if let lingerEnd, lingerEnd <= now { return giveUpClose(traits, loop, effects) }
      advanceClose(traits, loop, &effects)
    }
    return effects
  }

  /// The alarm that has to be set for the waits that there are; nil when one that is set comes early enough.
  mutating func nextAlarm() -> (LoopTime, EventToken)? {
    guard let token else { return nil }
    var first: LoopTime?
    func consider(_ time: LoopTime?) {
      if let time, first.map({ time < $0 }) ?? true { first = time }
    }
    if case .waiting(_, _, let deadline) = read { consider(deadline) }
    consider(connecting?.deadline)
    for send in sends { consider(send.deadline) }
    consider(lingerEnd)
    consider(confirmAt)
    guard let first, alarms.last.map({ first < $0 }) ?? true else { return nil }
    alarms.append(first)
    return (first, token)
  }
}
