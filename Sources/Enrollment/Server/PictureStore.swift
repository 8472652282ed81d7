public import CheckInCore
public import EnrollmentCore

/// Keeps the pictures of accounts: those that arrive, piece by piece, and those that are whole, by their content. Nobody gets at
/// a picture of another account, also who knows its hash.
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

  /// Keeps the picture, which has these bytes, durably, under its content's name. The same one twice is one.
  func keep(
    _ content: [UInt8], _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError)

  /// Drops a picture that is on its way.
  func discard(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async

  /// The accounts of which there are pictures.
  func accounts() async -> [String]

  /// Removes an account's pictures but these; nil: the account is closed, and what is on its way goes too.
  ///
  /// Called inside of a transaction on the records, so that none is removed that another transaction has just named. It takes as
  /// long as it takes to remove some files.
  func prune(_ account: String, keeping pictures: Set<Digest>?)
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
