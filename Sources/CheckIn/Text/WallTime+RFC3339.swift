public import CheckInCore

extension WallTime {
  /// Reads a time such as `2026-12-01T09:00:00Z` or `2026-12-01T10:00:00+01:00` (RFC 3339 §5.6).
  ///
  /// Parts of a second are cut off. A leap second counts as the second after it, since none are counted here.
  public init?(rfc3339 text: String) {
    var reader = TimeReader(text)
    guard let day = reader.date(), reader.take("T") || reader.take("t"), let time = reader.timeOfDay(), reader.isAtEnd
    else { return nil }
    self.init(secondsSince1970: day * 86_400 + time)
  }

  /// Reads a time as ``init(rfc3339:)`` does, or a date such as `2026-12-01`, which stands for its first second in UTC:
  /// what a validity that begins then means.
  public init?(startOf text: String) {
    if let time = WallTime(rfc3339: text) {
      self = time
      return
    }
    var reader = TimeReader(text)
    guard let day = reader.date(), reader.isAtEnd else { return nil }
    self.init(secondsSince1970: day * 86_400)
  }

  /// Reads a time as ``init(rfc3339:)`` does, or a date such as `2026-12-01`, which stands for the first second in UTC
  /// after it: what a validity that lasts until then, that day included, means.
  public init?(endOf text: String) {
    if let time = WallTime(rfc3339: text) {
      self = time
      return
    }
    var reader = TimeReader(text)
    guard let day = reader.date(), reader.isAtEnd else { return nil }
    self.init(secondsSince1970: (day + 1) * 86_400)
  }

  /// The time in UTC, such as `2026-12-01T09:00:00Z`. A year before 0000 or after 9999, which RFC 3339 does not have,
  /// gets a sign in front.
  public var rfc3339: String {
    let days = secondsSince1970.flooredQuotient(86_400)
    let second = (secondsSince1970 % 86_400 + 86_400) % 86_400
    let (year, month, day) = civilDate(ofDay: days)
    let date = "\(yearText(year))-\(twoDigits(month))-\(twoDigits(day))"
    return "\(date)T\(twoDigits(second / 3_600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))Z"
  }
}

/// Takes the parts of a date and time from the front of a text.
private struct TimeReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// The days since 1970-01-01.
  mutating func date() -> Int64? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...daysInMonth(month, of: year)).contains(day)
    else { return nil }
    return dayNumber(year: year, month: month, day: day)
  }

  /// The seconds since midnight in UTC, which may be those of the day before or after.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
      hour <= 23, minute <= 59, second <= 60
    else { return nil }
    if take(".") {
      guard number(1) != nil else { return nil }
      while number(1) != nil {}
    }
    guard let offset = offset() else { return nil }
    let seconds = hour * 3_600 + minute * 60 + second - offset
    // A leap second is the last one of a day in UTC.
    guard second < 60 || (seconds + 86_400) % 86_400 == 0 else { return nil }
    return seconds
  }

  private mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let isEast = take("+")
    guard isEast || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours <= 23, minutes <= 59
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (isEast ? 1 : -1)
  }

  /// Exactly so many digits.
  private mutating func number(_ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int64($1) - 48 }
  }
}

extension Int64 {
  /// The quotient rounded down, also below zero.
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}

private func daysInMonth(_ month: Int64, of year: Int64) -> Int64 {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// The days before the first of a month, in a year that begins in March, so that the leap day is its last.
private func daysBefore(monthFromMarch month: Int64) -> Int64 { (153 * month + 2) / 5 }

/// The days since 1970-01-01 of a date in the Gregorian calendar.
private func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
  let yearFromMarch = month > 2 ? year : year - 1
  let cycle = yearFromMarch.flooredQuotient(400)
  let yearOfCycle = yearFromMarch - cycle * 400
  let dayOfYear = daysBefore(monthFromMarch: (month + 9) % 12) + day - 1
  // 146,097 days are 400 years; 719,468 lie between 0000-03-01 and 1970-01-01.
  return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
}

private func civilDate(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = number + 719_468
  let cycle = shifted.flooredQuotient(146_097)
  let dayOfCycle = shifted - cycle * 146_097
  let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
  let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let monthFromMarch = (5 * dayOfYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let day = dayOfYear - daysBefore(monthFromMarch: monthFromMarch) + 1
  return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
}

private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

private func yearText(_ year: Int64) -> String {
  let digits = String(year.magnitude)
  let padded = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  return year < 0 ? "-\(padded)" : year > 9_999 ? "+\(padded)" : padded
}
