/// What version 1 allows in the fields of a message. Checked when reading, before anything is kept, and when writing.
public enum EnrollmentLimits {
  /// The bytes of an operation's name.
  public static let operation = 32
  /// The bytes of a phone number: a plus and fifteen digits.
  public static let phone = 16
  /// The bytes of a passport's number.
  public static let passportNumber = 15
  /// The bytes of a container's URL.
  public static let url = 128
  /// The bytes of the token.
  public static let token = 16
  /// The bytes of a container.
  public static let container = 32_768
  /// The bytes of one piece of a picture: with all around it well below the limit of a frame.
  public static let chunk = 32_768
  /// The bytes of a picture.
  public static let picture = 10 * 1_048_576
  /// The points of a picture.
  public static let pixels = 50_000_000
  /// The longest and the shortest side of a picture, in points.
  public static let side = 64...16_384
  /// The bytes of a name.
  public static let name = 256
  /// The bytes of a reason in words.
  public static let reason = 512
  /// The versions in a hello.
  public static let versions = 16
}
