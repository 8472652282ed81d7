public import EnrollmentCore

/// Keeps pictures: those that arrive, piece by piece, and those that are whole, by their content.
///
/// Pieces of one picture come one after the other, also from several connections: an implementation sees to that.
public protocol PictureStore: Sendable {
  /// Up to where a picture is there; its size when it is whole.
  func received(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String)
    async throws(PictureStoreError)
    -> UInt64

  /// Adds a piece where the picture ends now, and answers where it ends then. Of an account and a kind only one picture is on
  /// its way: the first piece of another takes its place.
  ///
  /// - Throws: ``PictureStoreError``; ``PictureStoreError/Code/wrongOffset`` when it does not begin there.
  func append(
    _ chunk: [UInt8], at offset: UInt64, to upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) -> UInt64

  /// The bytes of a picture that has all of them.
  func content(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async throws(PictureStoreError)
    -> [UInt8]

  /// Keeps the picture, durably, under its content's name. The same one twice is one.
  func keep(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async throws(PictureStoreError)

  /// Drops a picture that is on its way.
  func discard(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async
}

/// A picture could not be kept.
public struct PictureStoreError: Error, Sendable {
  /// The kinds of failure.
  public enum Code: Sendable, Hashable {
    /// The piece does not begin where the picture ends.
    case wrongOffset(UInt64)
    /// The disk failed, or is full.
    case storage
  }

  /// Which kind of failure.
  public let code: Code
  /// What happened, to what, what to do: for people.
  public let message: String

  /// An error with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
