internal import COpenSSL
public import CheckInCore
public import Enrollment
public import EnrollmentCore

/// Makes the key of a sealed token by scrypt (RFC 7914), as OpenSSL has it.
///
/// With the parameters here one key takes 32 MiB and about a tenth of a second. It blocks the thread for that time.
public struct ScryptSealing: PINStretching {
  private let cost: UInt64

  /// Stretching with N = 2¹⁵, r = 8, p = 1.
  public init() {
    cost = 1 << 15
  }

  /// The same with another N, for tests.
  package init(cost: UInt64) {
    self.cost = cost
  }

  /// A key of so many bytes from the PIN, with the salt and the device's secret behind it.
  public func key(
    _ pin: FourDigits, salt: [UInt8], deviceSecret: SecretBytes, count: Int
  ) throws(EnrollmentVaultError) -> SecretBytes {
    var digits = pin.digits
    var salted = salt + deviceSecret.bytes
    var key = [UInt8](repeating: 0, count: count)
    defer {
      SecretBytes.wipe(&digits)
      SecretBytes.wipe(&salted)
      SecretBytes.wipe(&key)
    }
    // Unsafe: the library reads both arrays and writes `count` bytes, during the call only.
    let result = unsafe digits.withUnsafeBytes { digits in
      unsafe EVP_PBE_scrypt(
        digits.bindMemory(to: CChar.self).baseAddress, digits.count, salted, salted.count, cost, 8, 1, 64 << 20, &key,
        key.count)
    }
    guard result == 1 else {
      ERR_clear_error()
      throw EnrollmentVaultError("OpenSSL could not make a key of the PIN; the machine may be out of memory.")
    }
    return SecretBytes(key)
  }
}
