public import CheckInCore

/// What a reviewer thinks of a picture.
public enum ReviewVerdict: Hashable, Sendable {
  /// It will do.
  case accepted
  /// It will not, and another is wanted; the reason is shown to the person.
  case rejected(reason: String)
}

/// A picture that waits for a verdict.
public struct Submission: Hashable, Sendable {
  /// Whose it is.
  public let account: String
  /// What it shows.
  public let kind: PictureKind
  /// The picture, by its content.
  public let picture: Digest
  /// The number of the passport.
  public let passportNumber: String
  /// When it was handed in.
  public let time: WallTime

  /// A submission.
  public init(account: String, kind: PictureKind, picture: Digest, passportNumber: String, time: WallTime) {
    self.account = account
    self.kind = kind
    self.picture = picture
    self.passportNumber = passportNumber
    self.time = time
  }
}

/// Looks at passports and faces. It is asked each time that a client asks for its status, so it answers at once: whoever
/// needs time, such as a person, answers nil until the verdict is there.
public protocol PictureReview: Sendable {
  /// The verdict; nil: not yet.
  func verdict(on submission: Submission, now: WallTime) -> ReviewVerdict?
}

/// Accepts everything after a while. It stands for a service in tests and demonstrations, and proves nothing about a person.
public struct AutomaticReview: PictureReview {
  /// How long it takes.
  public let delay: Duration

  /// A review that takes so long.
  public init(after delay: Duration) {
    self.delay = delay
  }

  /// Acceptance, once the time is over.
  public func verdict(on submission: Submission, now: WallTime) -> ReviewVerdict? {
    // A clock that was set back lets nobody wait until it is where it was.
    now >= submission.time.advanced(by: delay) || now < submission.time ? .accepted : nil
  }
}

/// Leaves it to somebody who gives the verdict by ``EnrollmentRegister/decide(_:account:name:in:)``.
public struct ReviewByPeople: PictureReview {
  /// A review by people.
  public init() {}

  /// None.
  public func verdict(on submission: Submission, now: WallTime) -> ReviewVerdict? { nil }
}
