public import CheckInCore
public import Enrollment
public import EnrollmentCore

/// Pictures in a folder, with one folder in it for each account, for their owner alone. A whole picture is named by SHA-256 of its
/// content; what is on its way has the kind and the size in its name besides.
public struct PictureFolder: PictureStore {
  private let folder: String
  private let thread = WorkThread()

  /// Pictures in that folder, which is made where there is none.
  ///
  /// - Throws: ``/Enrollment/PictureStoreError`` when it cannot be made, or everybody may write into it.
  public init(_ folder: String) throws(PictureStoreError) {
    self.folder = folder
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeOwnDirectory(folder)
    } catch {
      throw PictureStoreError(.storage, error.description)
    }
  }

  /// Where a whole picture of an account lies, in the folder of pictures.
  public static func name(of picture: Digest, account: String) -> String {
    "\(folderName(account))/\(hexadecimal(picture.bytes))\(whole)"
  }

  private static let whole = ".jpg"
  private static let unfinished = ".part"

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
        if offset == 0 { try PrivateFile.makeDirectory(place(account)) }
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
      let whole = path(of: upload.digest, account)
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
    _ content: [UInt8], _ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String
  ) async throws(PictureStoreError) {
    try await thread.run { () -> Result<Void, PictureStoreError> in
      let (part, whole) = (part(upload, kind, account), path(of: upload.digest, account))
      do throws(PrivateFile.Failure) {
        if PrivateFile.size(whole) == upload.size {
          PrivateFile.remove(part)
        } else if PrivateFile.size(part) == upload.size {
          try PrivateFile.publish(part, as: whole)
        } else {
          try PrivateFile.makeDirectory(place(account))
          try PrivateFile.write(content, to: whole)
        }
        return .success(())
      } catch {
        return .failure(PictureStoreError(.storage, error.description))
      }
    }.get()
  }

  /// Drops a picture that is on its way.
  public func discard(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, account: String) async {
    await thread.run { _ = PrivateFile.remove(part(upload, kind, account)) }
  }

  /// The accounts of which there are pictures.
  public func accounts() async -> [String] {
    await thread.run { PrivateFile.names(in: folder).compactMap(PictureFolder.account) }
  }

  /// Removes an account's pictures but these.
  public func prune(_ account: String, keeping pictures: Set<Digest>?) {
    let place = place(account)
    let kept = Set((pictures ?? []).map { hexadecimal($0.bytes) + PictureFolder.whole })
    for name in PrivateFile.names(in: place)
    where pictures == nil || name.hasSuffix(PictureFolder.whole) && !kept.contains(name) {
      PrivateFile.remove("\(place)/\(name)")
    }
    if pictures == nil { PrivateFile.removeDirectory(place) }
  }

  private func end(of upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String) -> UInt64 {
    if PrivateFile.size(path(of: upload.digest, account)) == upload.size { return upload.size }
    // More than it can have is of another upload with the same hash and another size: of no use.
    let there = PrivateFile.size(part(upload, kind, account)) ?? 0
    return there <= upload.size ? there : 0
  }

  private func place(_ account: String) -> String { "\(folder)/\(PictureFolder.folderName(account))" }

  private func path(of picture: Digest, _ account: String) -> String {
    "\(folder)/\(PictureFolder.name(of: picture, account: account))"
  }

  private func part(_ upload: EnrollmentRequest.Upload, _ kind: PictureKind, _ account: String) -> String {
    "\(place(account))/\(kind.name).\(hexadecimal(upload.digest.bytes)).\(upload.size)\(PictureFolder.unfinished)"
  }

  private func removeOthers(than part: String, _ kind: PictureKind, _ account: String) {
    let place = place(account)
    for name in PrivateFile.names(in: place)
    where name.hasPrefix("\(kind.name).") && name.hasSuffix(PictureFolder.unfinished) && "\(place)/\(name)" != part {
      PrivateFile.remove("\(place)/\(name)")
    }
  }

  /// The account's identifier comes from the server's own records; one that is no plain word stands in hexadecimal all the same.
  private static func folderName(_ account: String) -> String {
    isPlain(account) ? account : "=" + hexadecimal(Array(account.utf8))
  }

  /// The account of a folder; nil: it is none of ours.
  private static func account(_ name: String) -> String? {
    if isPlain(name) { return name }
    guard name.hasPrefix("="), let bytes = CheckInCore.bytes(hexadecimal: String(name.dropFirst())) else { return nil }
    let account = String(decoding: bytes, as: UTF8.self)
    return folderName(account) == name ? account : nil
  }

  private static func isPlain(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
