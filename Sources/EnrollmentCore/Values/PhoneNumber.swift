/// A phone number in the international form of ITU-T E.164: a plus, a country code, at most fifteen digits in all.
public struct PhoneNumber: Hashable, Sendable {
  /// The shortest and the longest number that is taken, in digits.
  public static let digits = 8...15

  /// The number as it is stored and sent: a plus and the digits.
  public let text: String

  /// Reads what a person typed: digits with a plus or “00” in front; spaces, hyphens, full stops, slashes and round brackets
  /// are passed over.
  ///
  /// - Throws: ``Fault``, which says what is wrong with it.
  public init(_ typed: String) throws(Fault) {
    var digits: [UInt8] = []
    var hasPlus = false
    for byte in typed.utf8 {
      switch byte {
      case 48...57: digits.append(byte)
      case UInt8(ascii: "+"):
        guard digits.isEmpty, !hasPlus else { throw .character }
        hasPlus = true
      case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "("),
        UInt8(ascii: ")"):
        continue
      default: throw .character
      }
      // Long before memory matters.
      guard digits.count <= 32 else { throw .length }
    }
    if !hasPlus, digits.starts(with: [48, 48]) {
      digits.removeFirst(2)
      hasPlus = true
    }
    guard hasPlus else { throw digits.isEmpty ? .length : .noCountryCode }
    guard PhoneNumber.digits.contains(digits.count) else { throw .length }
    guard digits[0] != 48, PhoneNumber.countryCodeLength(digits) != nil else { throw .countryCode }
    text = "+" + String(decoding: digits, as: UTF8.self)
  }

  /// The digits of the country code.
  public var countryCode: String {
    let digits = Array(text.utf8.dropFirst())
    let length = PhoneNumber.countryCodeLength(digits) ?? 1
    return String(decoding: digits.prefix(length), as: UTF8.self)
  }

  /// The number as people write it, such as “+46 70 123 45 67”.
  public var grouped: String {
    let digits = Array(text.utf8.dropFirst())
    let code = countryCode
    let rest = Array(digits.dropFirst(code.utf8.count))
    return "+\(code) " + PhoneNumber.groups(code: code, rest).joined(separator: " ")
  }

  /// What is wrong with a number.
  public enum Fault: Error, Hashable, Sendable {
    /// There is a letter or a sign in it that no number has.
    case character
    /// It has too few or too many digits.
    case length
    /// Neither a plus nor “00” stands in front of it.
    case noCountryCode
    /// It begins with no country code.
    case countryCode

    /// One sentence for people.
    public var text: String {
      switch self {
      case .character: "A phone number has digits, with a plus in front."
      case .length: "A phone number has 8 to 15 digits."
      case .noCountryCode: "Begin with the country code, such as +46 for Sweden."
      case .countryCode: "No country has this code."
      }
    }
  }

  /// How many digits the country code has; nil when there is none that begins so (ITU-T E.164, list of assigned codes).
  private static func countryCodeLength(_ digits: [UInt8]) -> Int? {
    guard digits.count >= 3 else { return nil }
    let (first, second) = (digits[0] - 48, digits[1] - 48)
    switch (first, second) {
    case (1, _), (7, _): return 1
    case (2, 0), (2, 7): return 2
    case (2, 8): return nil
    case (2, _): return 3
    case (3, 5), (3, 7), (3, 8): return 3
    case (3, _): return 2
    case (4, 2): return 3
    case (4, _): return 2
    case (5, 0), (5, 9): return 3
    case (5, _): return 2
    case (6, 0...6): return 2
    case (6, 7...9): return 3
    case (8, 1), (8, 2), (8, 4), (8, 6): return 2
    case (8, 3), (8, 9): return nil
    case (8, _): return 3
    case (9, 6), (9, 7), (9, 9): return 3
    case (9, _): return 2
    default: return nil
    }
  }

  private static func groups(code: String, _ rest: [UInt8]) -> [String] {
    let sizes: [Int] =
      switch (code, rest.count) {
      case ("46", 9): [2, 3, 2, 2]
      case ("47", 8): [3, 2, 3]
      case ("45", 8): [2, 2, 2, 2]
      case ("33", 9): [1, 2, 2, 2, 2]
      case ("44", 10): [4, 6]
      case ("49", 10), ("49", 11): [3, rest.count - 3]
      case ("1", 10): [3, 3, 4]
      case ("358", 9): [2, 3, 4]
      default: PhoneNumber.threes(rest.count)
      }
    var groups: [String] = []
    var left = rest[...]
    for size in sizes {
      groups.append(String(decoding: left.prefix(size), as: UTF8.self))
      left = left.dropFirst(size)
    }
    return groups
  }

  /// Groups of three from the left, with the last of two to four.
  private static func threes(_ count: Int) -> [Int] {
    var sizes: [Int] = []
    var left = count
    while left > 4 {
      sizes.append(3)
      left -= 3
    }
    return sizes + (left > 0 ? [left] : [])
  }
}
