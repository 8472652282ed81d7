internal import CheckIn
package import TicketTokens

/// The list of attendees whose tickets were taken back: a CSV file with the columns `id` and, optionally, `revoked_at`.
///
/// `organizer revoke` writes it; a kiosk reads it, and reads it again when it changes.
package enum RevocationFile {
  /// The columns, in the order in which they are written.
  package static let columns = ["id", "revoked_at"]
  /// The largest list that is read: some hundred thousand attendees.
  package static let limit = 16 << 20

  /// Reads the list.
  ///
  /// - Throws: ``FileError``. A list with a wrong row is refused whole: a kiosk must not let somebody in by a slip of the
  ///   pen.
  package static func read(_ path: String) throws(FileError) -> Revocations {
    let bytes = try FileReading.read(path, what: "list of tickets taken back", limit: limit)
    let table: CSVTable
    do throws(CSVError) {
      table = try CSVTable(bytes, required: ["id"])
    } catch {
      throw FileError(.badData, "\(path): \(error.message)")
    }
    if let error = table.errors.first {
      throw FileError(.badData, "\(path), line \(error.line), column \(error.column): \(error.message)")
    }
    return Revocations(attendees: Set(table.rows.compactMap { $0["id"]?.trimmed }))
  }
}
