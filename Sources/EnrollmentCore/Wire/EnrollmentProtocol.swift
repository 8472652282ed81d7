/// Names and numbers that version 1 of the enrollment protocol fixes.
public enum EnrollmentProtocol {
  /// The version that this library speaks.
  public static var version: UInt64 { 1 }

  /// What stands in each `external_aad`: a message of an enrollment is worth nothing in a check-in, and the other way round.
  public static var name: String { "enroll/1" }

  /// How the URL of a container begins. It names a container at the server that gave it out, and no other place: so a
  /// server can send nobody anywhere.
  public static var containerURLPrefix: String { "enroll:/container/" }
}
