/// Reads the values of parameters.
enum FaultValue {
  /// The longest time, in nanoseconds: an hour.
  private static let longest: UInt64 = 3_600_000_000_000
  private static let units: [(name: String, nanoseconds: UInt64)] = [
    ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000),
  ]

  /// A whole number.
  static func whole(_ text: Substring) throws(FaultValueError) -> UInt64 {
    guard let number = digits(text) else { throw FaultValueError("a whole number is needed, as in 7") }
    return number
  }

  /// A number of bytes, or a range of them.
  static func counts(
    _ text: Substring, from least: UInt64 = 0
  ) throws(FaultValueError) -> ClosedRange<UInt64> {
    guard let range = range(text, digits), range.lowerBound >= least else {
      throw FaultValueError("a number of bytes of at least \(least) is needed, or a range, as in 120 or 0..800")
    }
    return range
  }

  /// A time in nanoseconds.
  static func time(_ text: Substring) throws(FaultValueError) -> UInt64 {
    guard let time = nanoseconds(text) else { throw FaultValueError(timeExpected) }
    return time
  }

  /// A time, or a range of times, in nanoseconds.
  static func times(_ text: Substring) throws(FaultValueError) -> ClosedRange<UInt64> {
    guard let range = range(text, nanoseconds) else { throw FaultValueError(timeExpected) }
    return range
  }

  /// A decimal fraction from 0 to 1.
  static func chance(_ text: Substring) throws(FaultValueError) -> FaultChance {
    let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || $0 == 46 } && text.utf8.first != 46
    guard isDecimal, text.utf8.count <= 20, let value = Double(text), (0...1).contains(value) else {
      throw FaultValueError("a chance from 0 to 1 is needed, as in 0.01")
    }
    if value == 0 { return .never }
    return value == 1 ? .always : .below(UInt64(value * 0x1p64))
  }

  private static let timeExpected =
    "a time with its unit is needed, us, ms or s, at most 3600s, or a range, as in 5ms or 1ms..20ms"

  private static func range(
    _ text: Substring, _ read: (Substring) -> UInt64?
  ) -> ClosedRange<UInt64>? {
    guard let dots = text.firstRange(of: "..") else {
      return read(text).map { $0...$0 }
    }
    guard let low = read(text[..<dots.lowerBound]), let high = read(text[dots.upperBound...]), low <= high else {
      return nil
    }
    return low...high
  }

  private static func nanoseconds(_ text: Substring) -> UInt64? {
    for unit in units where text.hasSuffix(unit.name) {
      guard let number = digits(text.dropLast(unit.name.count)) else { continue }
      let (time, isTooLong) = number.multipliedReportingOverflow(by: unit.nanoseconds)
      return isTooLong || time > longest ? nil : time
    }
    return nil
  }

  /// Decimal digits and nothing else.
  private static func digits(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt64(text)
  }
}

/// What a value should have been.
struct FaultValueError: Error {
  /// In words, without a full stop.
  let expected: String

  init(_ expected: String) {
    self.expected = expected
  }
}
