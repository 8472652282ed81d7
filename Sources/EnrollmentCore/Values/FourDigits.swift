public import CheckInCore

/// Four decimal digits, as text end to end: the code of an SMS, or the PIN that a person chose. Wiped after use (R20).
public struct FourDigits: Sendable {
  /// How many digits there are.
  public static let length = 4

  private let secret: SecretBytes

  /// Takes exactly four ASCII digits; anything else gives nil.
  public init?(_ digits: [UInt8]) {
    guard digits.count == FourDigits.length, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    secret = SecretBytes(digits)
  }

  /// Takes exactly four ASCII digits; anything else gives nil.
  public init?(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Digits drawn uniformly from 0000–9999 by rejection, from the system's random source.
  public init(random cryptography: some Cryptography) {
    // 60,000 is the largest multiple of 10,000 below 2¹⁶: below it every remainder is equally likely.
    var number = UInt16.max
    while number >= 60_000 {
      let bytes = cryptography.randomBytes(2)
      number = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }
    var rest = number % 10_000
    var digits = [UInt8](repeating: 48, count: FourDigits.length)
    for index in digits.indices.reversed() {
      digits[index] = 48 + UInt8(rest % 10)
      rest /= 10
    }
    secret = SecretBytes(digits)
  }

  /// The digits in ASCII, for the screen, the message and the wire. The caller wipes its copy.
  public var digits: [UInt8] { secret.bytes }

  /// Whether both are the same digits, in time that does not depend on where they differ.
  public func matches(_ other: FourDigits) -> Bool {
    secret.matches(other.secret)
  }
}

extension FourDigits {
  /// The one group of exactly four digits in a message, such as “Your code is 4711.”; nil when there is none, or several.
  public init?(inMessage text: String) {
    let groups = text.split { !$0.isASCII || !$0.isNumber }.filter { $0.utf8.count == FourDigits.length }
    guard groups.count == 1 else { return nil }
    self.init(String(groups[0]))
  }
}
