/// What version 1 allows in the fields of a message. Checked when reading, before anything is kept, and when writing.
public enum MessageLimits {
  /// The bytes of a token.
  public static let token = 4096
  /// The bytes of a kiosk's credential.
  public static let credential = 4096
  /// The bytes of an authenticator's evidence.
  public static let evidence = 4096
  /// The names of authenticators in a hello.
  public static let authenticators = 16
  /// The UTF-8 bytes of an authenticator's name.
  public static let authenticatorName = 64
  /// The UTF-8 bytes of a gate's name.
  public static let gate = 128
  /// The protocol versions in a hello.
  public static let versions = 16
  /// The seconds of a lifetime, or of a wait.
  public static let seconds = UInt64(UInt32.max)
}
