/// A point in time as people and tickets name it: whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Anyone may set a wall clock, so no lifetime is measured with it; ``MonotonicTime`` is for that (R4).
public struct WallTime: Hashable, Comparable, Sendable {
  /// Seconds since the epoch (the NumericDate of RFC 8392 §2, whole seconds only).
  public let secondsSince1970: Int64

  /// A time from its seconds since the epoch.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The time that is `duration` later, cut to whole seconds, held at the ends of the range.
  public func advanced(by duration: Duration) -> WallTime {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(duration.components.seconds)
    guard overflow else { return WallTime(secondsSince1970: sum) }
    return WallTime(secondsSince1970: duration < .zero ? .min : .max)
  }

  /// Whether `left` is earlier.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

/// A point on a clock that only goes forward and that nobody can set, counted from a start of the caller's choice.
public struct MonotonicTime: Hashable, Comparable, Sendable {
  /// How long after the start.
  public let sinceStart: Duration

  /// A point `sinceStart` after the start.
  public init(sinceStart: Duration) {
    self.sinceStart = sinceStart
  }

  /// The point that is `duration` later.
  public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
    MonotonicTime(sinceStart: time.sinceStart + duration)
  }

  /// How long from `right` to `left`.
  public static func - (left: MonotonicTime, right: MonotonicTime) -> Duration {
    left.sinceStart - right.sinceStart
  }

  /// Whether `left` is earlier.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.sinceStart < right.sinceStart
  }
}

/// Both clocks, read together, as they are handed to the state machines.
public struct Moment: Hashable, Sendable {
  /// For tickets and records.
  public let wall: WallTime
  /// For lifetimes and time-outs.
  public let monotonic: MonotonicTime

  /// Pairs two readings.
  public init(wall: WallTime, monotonic: MonotonicTime) {
    self.wall = wall
    self.monotonic = monotonic
  }
}
