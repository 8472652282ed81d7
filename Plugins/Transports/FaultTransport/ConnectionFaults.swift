internal import CheckIn

/// What one connection was dealt.
struct ConnectionFaults: Sendable {
  /// Why a direction goes no further, and at which byte.
  enum Obstacle: Hashable, Sendable {
    /// Nothing stands in the way before so many bytes.
    case none(before: UInt64)
    /// It stands still.
    case stall
    /// The connection ends.
    case end(FaultParameter)
  }

  let settings: FaultSettings
  let side: InjectedFault.Side
  let number: UInt64
  let send: DirectionFaults
  let receive: DirectionFaults
  /// Nil: received bytes are handed out as they come.
  let coalesce: Duration?
  /// How many bytes of a send are held; 0: none.
  let held: Int

  /// The faults of a connection by its number; none when the settings are not for it.
  init(_ settings: FaultSettings, _ side: InjectedFault.Side, _ number: UInt64) {
    let isConcerned = settings.concern(number)
    let draws = settings.draws(side, number)
    self.settings = settings
    self.side = side
    self.number = number
    send = DirectionFaults(isConcerned ? settings.send : .init(), draws.derived(10))
    receive = DirectionFaults(isConcerned ? settings.receive : .init(), draws.derived(11))
    coalesce = isConcerned ? settings.coalesce.map { .nanoseconds($0) } : nil
    let lost = isConcerned ? settings.loseOnClose.map { draws.derived(12).pick($0, at: 0) } : nil
    held = Int(clamping: lost ?? 0)
  }

  /// The error of a fault.
  func error(_ code: TransportError.Code, _ what: String, _ parameter: FaultParameter) -> TransportError {
    let fault = InjectedFault(parameter: parameter, seed: settings.seed, side: side, number: number)
    return TransportError(code, "\(what) (\(fault)).", cause: fault)
  }
}

/// What one direction of one connection was dealt. Every answer follows from the place in the stream.
struct DirectionFaults: Sendable {
  /// Whether bytes go through as they are.
  let isClean: Bool
  /// How long the stall lasts; nil: for ever.
  let stall: Duration?

  private let settings: FaultSettings.Direction
  private let delays: FaultDraws
  private let splits: FaultDraws
  private let drops: FaultDraws
  private let flips: FaultDraws
  private let stallAt: UInt64?
  private let cutAt: UInt64?
  private let resetAt: UInt64?
  private let flipAt: UInt64?

  /// The faults of one direction.
  init(_ settings: FaultSettings.Direction, _ draws: FaultDraws) {
    self.settings = settings
    isClean = settings == FaultSettings.Direction()
    delays = draws.derived(1)
    splits = draws.derived(2)
    drops = draws.derived(3)
    flips = draws.derived(4)
    let places = draws.derived(5)
    stallAt = settings.stallAfter.map { places.pick($0, at: 0) }
    stall = settings.stallFor.map { .nanoseconds(places.pick($0, at: 1)) }
    cutAt = settings.cutAfter.map { places.pick($0, at: 2) }
    resetAt = settings.resetAfter.map { places.pick($0, at: 3) }
    flipAt = settings.flipAt.map { places.pick($0, at: 4) }
  }

  /// How long what begins at a place is late.
  func delay(at place: UInt64) -> Duration {
    settings.delay.map { .nanoseconds(delays.pick($0, at: place)) } ?? .zero
  }

  /// How many bytes may go at once from a place.
  func piece(at place: UInt64) -> UInt64 {
    settings.split.map { splits.pick($0, at: place) } ?? .max
  }

  /// What stands in the way of the byte at a place, looking `count` bytes ahead.
  ///
  /// - Parameter hasStalled: the stall is over, or has begun.
  func obstacle(at place: UInt64, ahead count: UInt64, hasStalled: Bool) -> ConnectionFaults.Obstacle {
    if let cutAt, cutAt <= place { return .end(.cutAfter) }
    if let resetAt, resetAt <= place { return .end(.resetAfter) }
    if !hasStalled, let stallAt, stallAt <= place { return .stall }
    var free = count
    for limit in [cutAt, resetAt, hasStalled ? nil : stallAt] {
      if let limit { free = min(free, limit - place) }
    }
    guard settings.drop != .never else { return .none(before: free) }
    for offset in 0..<free where drops.happens(settings.drop, at: place + offset) {
      return offset == 0 ? .end(.drop) : .none(before: offset)
    }
    return .none(before: free)
  }

  /// Turns over the bits that are to be, in bytes that begin at a place.
  func damage(_ bytes: inout [UInt8], at place: UInt64) {
    if let flipAt, flipAt >= place, flipAt - place < UInt64(bytes.count) {
      bytes[Int(flipAt - place)] ^= bit(at: flipAt)
    }
    guard settings.flip != .never else { return }
    for index in bytes.indices {
      let place = place + UInt64(index)
      if place != flipAt, flips.happens(settings.flip, at: place) { bytes[index] ^= bit(at: place) }
    }
  }

  private func bit(at place: UInt64) -> UInt8 {
    1 << UInt8(flips.derived(1).bits(at: place) & 7)
  }
}
