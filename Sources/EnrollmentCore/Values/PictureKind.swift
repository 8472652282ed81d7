/// The pictures that a person sends.
public enum PictureKind: UInt64, Hashable, Sendable, CaseIterable {
  /// The data page of the passport.
  case passport = 0
  /// The person's face.
  case selfie = 1

  /// The name in JSON, logs and file names.
  public var name: String {
    switch self {
    case .passport: "passport"
    case .selfie: "selfie"
    }
  }
}
