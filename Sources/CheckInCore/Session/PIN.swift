/// The five digits that a kiosk makes for one session, as text end to end (R1).
public struct PIN: Sendable {
  /// How many digits a PIN has.
  public static let length = 5

  private let secret: SecretBytes

  /// Takes exactly five ASCII digits; anything else gives nil.
  public init?(_ digits: [UInt8]) {
    guard digits.count == PIN.length, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    secret = SecretBytes(digits)
  }

  /// Takes exactly five ASCII digits; anything else gives nil.
  public init?(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// A PIN drawn uniformly from 00000–99999 by rejection, from the system's random source (R1).
  public init(random cryptography: some Cryptography) {
    // 2³² − 2³² mod 100,000: below it every remainder is equally likely.
    let limit: UInt32 = 4_294_900_000
    var number = UInt32.max
    while number >= limit {
      number = 0
      for byte in cryptography.randomBytes(4) {
        number = number << 8 | UInt32(byte)
      }
    }
    var rest = number % 100_000
    var digits = [UInt8](repeating: 48, count: PIN.length)
    for index in stride(from: PIN.length - 1, through: 0, by: -1) {
      digits[index] = 48 + UInt8(rest % 10)
      rest /= 10
    }
    secret = SecretBytes(digits)
  }

  /// The digits, for the phone's screen and for the wire, nowhere else.
  public var digits: [UInt8] { secret.bytes }

  /// Whether both are the same five digits, in time that does not depend on where they differ (R20).
  public func matches(_ other: PIN) -> Bool {
    secret.matches(other.secret)
  }
}
