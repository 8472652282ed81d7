internal import CheckInCore

/// What was typed so far of four digits: a code or a PIN. Each state of it is wiped when the session goes on from there (R20).
struct TypedDigits: Sendable {
  private let digits: SecretBytes

  /// Nothing was typed yet.
  static let none = TypedDigits(digits: SecretBytes([]))

  /// How many there are.
  var count: Int { digits.count }

  /// The four digits, once all are there.
  var whole: FourDigits? { FourDigits(digits.bytes) }

  /// With one more behind them; a number above nine changes nothing.
  func adding(_ digit: UInt8) -> TypedDigits {
    digit <= 9 ? TypedDigits(count: count + 1, of: digits.bytes, last: digit + 48) : self
  }

  /// Without the last one.
  func removingLast() -> TypedDigits {
    count == 0 ? self : TypedDigits(count: count - 1, of: digits.bytes, last: nil)
  }

  private init(digits: SecretBytes) {
    self.digits = digits
  }

  private init(count: Int, of old: [UInt8], last: UInt8?) {
    // Made in one place that never moves, so that wiping it wipes all there was.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    defer { SecretBytes.wipe(&bytes) }
    for index in 0..<count {
      bytes.append(index < old.count ? old[index] : last ?? 48)
    }
    digits = SecretBytes(bytes)
  }
}
