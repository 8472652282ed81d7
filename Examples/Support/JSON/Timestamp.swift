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
    let held = min(max(seconds, -62_167_219_200), 253_402_300_799)
    let (days, rest) = (held - remainder(held, 86_400), remainder(held, 86_400))
    let (year, month, day) = civil(fromDays: days / 86_400)
    let time = "\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2)).\(pad(Int64(milliseconds), 3))"
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))T\(time)Z"
  }

  private static var realtime: (seconds: Int64, nanoseconds: Int64) {
    var time = timespec()
    // The structure is ours for the time of the call; this clock cannot fail.
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }

  private static func remainder(_ number: Int64, _ divisor: Int64) -> Int64 {
    let rest = number % divisor
    return rest < 0 ? rest + divisor : rest
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // Days since the epoch to the Gregorian calendar, by eras of 400 years that begin in March, so that a leap day is an
  // era year's last.
  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted - remainder(shifted, 146_097)) / 146_097
    let dayOfEra = remainder(shifted, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
