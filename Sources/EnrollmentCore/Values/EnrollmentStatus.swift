/// How far an enrollment is, by the numbers that the server answers to `kolla_statusen`.
///
/// A number that is not among the known ones is kept as it came, so that it can be shown and logged.
public struct EnrollmentStatus: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// A status of that number, known or not.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// All is proved: the person sets a PIN, or logs in.
  public static let done = EnrollmentStatus(rawValue: 0)
  /// A picture of the passport is wanted.
  public static let passportPhoto = EnrollmentStatus(rawValue: 222)
  /// What was sent is being looked at.
  public static let processing = EnrollmentStatus(rawValue: 223)
  /// A picture of the person is wanted.
  public static let selfie = EnrollmentStatus(rawValue: 227)
  /// The number of the passport is wanted.
  public static let passportNumber = EnrollmentStatus(rawValue: 228)
}
