public import CheckInCore
public import Enrollment
public import EnrollmentCore

/// Pictures in a folder, for their owner alone. A whole picture is named by SHA-256 of its content; what is on its way has the
/// account and the kind in its name.
public struct PictureFolder: PictureStore {
  private let folder: String
  private let thread = WorkThread()

  /// Pictures in that folder, which is made where there is none.
  ///
  /// - Throws: ``/Enrollment/PictureStoreError`` when it cannot be made.
  public init(_ folder: String) throws(PictureStoreError) {
    self.folder = folder
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeDirectory(folder)
    } catch {
      throw PictureStoreError(.storage, error.description)
    }
  }

  /// Where a whole picture lies.
  public func path(of picture: Digest) -> String { "\(folder)/\(hexadecimal(picture.bytes)).jpg" }

  /// Up to where a picture is there; its size when it is whole.
  public func received(
    _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) -> UInt64 {
    await thread.run { end(of: upload, kind, account) }
  }

  /// Adds a piece where the picture ends now.
  public func append(
    _ chunk: [UInt8], at offset: UInt64, to upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) -> UInt64 {
    try await thread.run { () -> Result<UInt64, PictureStoreError> in
      let there = end(of: upload, kind, account)
      guard there == offset else {
        return .failure(PictureStoreError(.wrongOffset(there), "The piece begins at another place."))
      }
      guard !chunk.isEmpty else { return .success(there) }
      let part = part(upload, kind, account)
      if offset == 0 { removeOthers(than: part, kind, account) }
      do throws(PrivateFile.Failure) {
        try PrivateFile.append(chunk, to: part)
      } catch {
        return .failure(PictureStoreError(.storage, error.description))
      }
      return .success(there + UInt64(chunk.count))
    }.get()
  }

  /// The bytes of a picture that has all of them.
  public func content(
    _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) -> [UInt8] {
    try await thread.run { () -> Result<[UInt8], PictureStoreError> in
      let whole = path(of: upload.digest)
      let source = PrivateFile.size(whole) == upload.size ? whole : part(upload, kind, account)
      do throws(PrivateFile.Failure) {
        return .success(try PrivateFile.read(source, limit: Int(upload.size)))
      } catch {
        return .failure(PictureStoreError(.storage, error.description))
      }
    }.get()
  }

  /// Keeps the picture under its content's name.
  public func keep(
    _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) {
    try await thread.run { () -> Result<Void, PictureStoreError> in
      let (part, whole) = (part(upload, kind, account), path(of: upload.digest))
      guard PrivateFile.size(whole) != upload.size else {
        PrivateFile.remove(part)
        return .success(())
      }
      do throws(PrivateFile.Failure) {
        try PrivateFile.publish(part, as: whole)
        return .success(())
      } catch {
        return .failure(PictureStoreError(.storage, error.description))
      }
    }.get()
  }

  /// Drops a picture that is on its way.
  public func discard(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async {
    await thread.run { PrivateFile.remove(part(upload, kind, account)) }
  }

  private func end(of upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String) -> UInt64 {
    if PrivateFile.size(path(of: upload.digest)) == upload.size { return upload.size }
    // More than it can have is of another upload with the same hash and another size: of no use.
    let there = PrivateFile.size(part(upload, kind, account)) ?? 0
    return there <= upload.size ? there : 0
  }

  private func part(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String) -> String {
    "\(folder)/\(prefix(kind, account))\(hexadecimal(upload.digest.bytes)).\(upload.size).part"
  }

  /// The account's identifier comes from the server's own records; in a name it stands in hexadecimal all the same.
  private func prefix(_ kind: PictureKind, _ account: String) -> String {
    "\(hexadecimal(Array(account.utf8))).\(kind.name)."
  }

  private func removeOthers(than part: String, _ kind: PictureKind, _ account: String) {
    let prefix = prefix(kind, account)
    for name in PrivateFile.names(in: folder) where name.hasPrefix(prefix) && "\(folder)/\(name)" != part {
      PrivateFile.remove("\(folder)/\(name)")
    }
  }
}
