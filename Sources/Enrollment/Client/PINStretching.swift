public import CheckInCore
public import EnrollmentCore

/// Makes keys of PINs, slowly.
public protocol PINStretching: Sendable {
  /// A key of `count` bytes. The same for the same arguments, and not to be had without the device's secret.
  func key(
    _ pin: FourDigits, salt: [UInt8], deviceSecret: SecretBytes, count: Int
  ) throws(EnrollmentVaultError) -> SecretBytes
}
