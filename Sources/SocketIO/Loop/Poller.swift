internal import CLinux
internal import CheckIn
internal import Glibc

/// What changed on a descriptor.
struct ReadyEvents: OptionSet, Sendable {
  let rawValue: UInt32

  static let readable = ReadyEvents(rawValue: checkin_epoll_in)
  static let writable = ReadyEvents(rawValue: checkin_epoll_out)
  /// The peer will send no more.
  static let peerFinished = ReadyEvents(rawValue: checkin_epoll_peer_finished)
  /// Both directions are over.
  static let hangup = ReadyEvents(rawValue: checkin_epoll_hangup)
  static let error = ReadyEvents(rawValue: checkin_epoll_error)
}

/// An epoll instance, and in it an eventfd that ends a wait, and a timerfd that ends it at a time.
struct Poller: ~Copyable, Sendable {
  private let epoll: Descriptor
  private let wakeUp: Descriptor
  private let clock: Descriptor

  private init(epoll: consuming Descriptor, wakeUp: consuming Descriptor, clock: consuming Descriptor) {
    self.epoll = epoll
    self.wakeUp = wakeUp
    self.clock = clock
  }

  static func open() throws(TransportError) -> Poller {
    let epoll = try owning(epoll_create1(Int32(EPOLL_CLOEXEC)))
    let wakeUp = try owning(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))
    // The clock that goes on while the machine sleeps, as deadlines do.
    let clock = try owning(timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)))
    let poller = Poller(epoll: epoll, wakeUp: wakeUp, clock: clock)
    // Edge-triggered, so that the counts need never be read back.
    try poller.add(poller.wakeUp.number, token: .wakeUp, events: [.readable])
    try poller.add(poller.clock.number, token: .clock, events: [.readable])
    return poller
  }

  private static func owning(_ number: Int32) throws(TransportError) -> Descriptor {
    guard number >= 0 else { throw TransportError(system: errno, "An event loop cannot be made") }
    return Descriptor(owning: number)
  }

  func add(_ descriptor: Int32, token: EventToken, events: ReadyEvents) throws(TransportError) {
    guard control(EPOLL_CTL_ADD, descriptor, token, events) == 0 else {
      throw TransportError(system: errno, "A socket cannot be watched")
    }
  }

  /// Watches for other events from now on. What is the case already is told of, once.
  func change(_ descriptor: Int32, token: EventToken, events: ReadyEvents) {
    // It fails for a descriptor alone that is not watched.
    _ = control(EPOLL_CTL_MOD, descriptor, token, events)
  }

  private func control(_ operation: Int32, _ descriptor: Int32, _ token: EventToken, _ events: ReadyEvents) -> Int32 {
    // Unsafe: the C structure holds a union; C reads it during the call.
    var event = unsafe epoll_event()
    unsafe event.events = events.rawValue | checkin_epoll_edge
    unsafe event.data.u64 = token.bits
    return unsafe epoll_ctl(epoll.number, operation, descriptor, &event)
  }

  func remove(_ descriptor: Int32) {
    // This operation takes no event (epoll_ctl(2)).
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Ends the wait that goes on, or the next one.
  func wake() {
    _ = eventfd_write(wakeUp.number, 1)
  }

  /// Ends a wait with ``EventToken/clock`` after so many nanoseconds, in place of what was set before.
  func setClock(after nanoseconds: Int64) {
    let nanoseconds = max(1, nanoseconds)
    var time = itimerspec()
    time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
    time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    // Unsafe: C reads the time through a pointer that is valid for the call. It fails for times out of range alone.
    _ = unsafe timerfd_settime(clock.number, 0, &time, nil)
  }

  /// The number to wait on; see ``EventBuffer/wait(on:isIdle:)``.
  var number: Int32 { epoll.number }
}

/// Room for what one wait finds.
@safe
struct EventBuffer: ~Copyable {
  private static let capacity = 256
  // Unsafe: memory that C fills; allocated and freed here, and never handed out.
  private let events: UnsafeMutablePointer<epoll_event>
  private(set) var count = 0

  init() {
    unsafe events = .allocate(capacity: Self.capacity)
    unsafe events.initialize(repeating: epoll_event(), count: Self.capacity)
  }

  deinit {
    unsafe events.deallocate()
  }

  /// Waits until something happens; not at all where that is said.
  mutating func wait(on epoll: Int32, isIdle: Bool) {
    // A signal (EINTR) counts as nothing found: the loop comes round again.
    count = max(0, Int(unsafe epoll_wait(epoll, events, Int32(Self.capacity), isIdle ? -1 : 0)))
  }

  subscript(index: Int) -> (token: EventToken, events: ReadyEvents) {
    precondition(index >= 0 && index < count, "no such event")
    // Unsafe: within what C has filled.
    let event = unsafe events[index]
    return (EventToken(bits: unsafe event.data.u64), ReadyEvents(rawValue: unsafe event.events))
  }
}
