/// What version 1 allows in a list of what was taken back. Checked when reading and when signing.
public enum RevocationLimits {
  /// The bytes of a whole signed list: some hundred thousand attendees.
  public static let list = 16 << 20
}
