internal import CheckIn
package import CheckInCore
internal import Glibc

/// Points in time as RFC 3339 text in UTC.
package enum Timestamp {
  /// Now, with milliseconds, such as `2026-05-20T08:15:30.250Z`.
  package static var now: String {
    let (seconds, nanoseconds) = realtime
    return text(seconds: seconds, milliseconds: Int(nanoseconds / 1_000_000))
  }

  /// Now, in whole seconds.
  package static var wallTime: WallTime {
    WallTime(secondsSince1970: realtime.seconds)
  }

  /// The text of a time with milliseconds. Years are held to 0000–9999, which is all that RFC 3339 can say.
  package static func text(seconds: Int64, milliseconds: Int) -> String {
    let held = WallTime(secondsSince1970: min(max(seconds, -62_167_219_200), 253_402_300_799))
    let digits = String(milliseconds)
    return "\(held.rfc3339.dropLast()).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits)Z"
  }

  private static var realtime: (seconds: Int64, nanoseconds: Int64) {
    var time = timespec()
    // The structure is ours for the time of the call; this clock cannot fail.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }
}
