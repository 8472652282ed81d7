/// What version 1 allows in the claims of a credential. Checked when reading and when signing.
public enum CredentialLimits {
  /// The UTF-8 bytes of an identifier or a name; identifiers have at least one.
  public static let text = 256
  /// The bytes of a serial number; it has at least one.
  public static let serial = 64
  /// The gates that one credential names.
  public static let gates = 64
}
