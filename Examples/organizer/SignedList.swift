internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// The signed list `revocations.list` of an event's folder, which kiosks get.
enum SignedList {
  /// Signs a list of what is in the table, and puts it in the place of the one that is there. Where that says the same
  /// already, it stays.
  ///
  /// - Returns: the list that is there now, and whether it is a new one.
  @discardableResult
  static func update(
    _ path: String, from table: TakenBackTable, issuer: IssuerFile, key: OpenSSLSigningKey
  ) throws(ExampleError) -> (list: RevocationList, isNew: Bool) {
    // One that cannot be read is replaced: its number is not known, but time has gone on.
    let old = FileReading.exists(path) ? try? RevocationFile.read(path, issuer: issuer) : nil
    let now = Timestamp.wallTime
    // The time, so that the number rises even over a folder that was brought back from a copy.
    let number = max(now.secondsSince1970, 1, (old?.number ?? 0) + 1)
    let list = RevocationList(
      event: issuer.event, number: number, issuedAt: now,
      attendees: table.entries.filter { $0.serial == nil }.map(\.id),
      serials: table.entries.compactMap(\.serial))
    if let old, old.attendees == list.attendees, old.serials == list.serials { return (old, false) }
    let bytes: [UInt8]
    do throws(RevocationListError) {
      bytes = try list.sign(by: key)
    } catch {
      throw ExampleError(
        error == .limitExceeded ? .badData : .internal, "The list “\(path)” cannot be made: \(error.message)")
    }
    try EventFolder.write(
      RevocationFile.text(list, bytes: bytes, issuer: issuer), to: path, what: "list of what was taken back",
      access: .everybody, replacing: true)
    return (list, true)
  }
}
