internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// The rows of `revoked.csv`, the organizer's own notes: what was taken back, and when. Kiosks get what follows from it as a
/// signed list.
struct TakenBackTable {
  /// One row.
  struct Entry {
    let id: String
    /// The ticket and certificate that is meant; nil: every one of this attendee.
    let serial: [UInt8]?
    /// When it was taken back, as it was written.
    let time: String
  }

  private static let columns = ["id", "revoked_at", "serial"]
  private static let limit = 64 << 20

  private let path: String
  private(set) var entries: [Entry] = []

  /// Reads the table; an empty one when there is no file.
  init(_ path: String) throws(ExampleError) {
    self.path = path
    guard FileReading.exists(path) else { return }
    do {
      let bytes = try FileReading.read(path, what: "table of tickets taken back", limit: Self.limit)
      let table = try CSVTable(bytes, required: ["id"])
      if let error = table.errors.first { throw error }
      for row in table.rows { entries.append(try Self.entry(row)) }
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as CSVError {
      throw ExampleError(
        .badData,
        "The table “\(path)” is damaged in line \(error.line), column \(error.column): \(error.message) Correct that line."
      )
    } catch {
      throw ExampleError(.internal, "The table “\(path)” cannot be read.")
    }
  }

  private static func entry(_ row: CSVTable.Row) throws(CSVError) -> Entry {
    // The table has made sure of the column.
    let id = row["id"]!.trimmed
    guard !id.isEmpty else { throw CSVError(.value, at: row["id"]!, "The id is empty.") }
    var serial: [UInt8]?
    if let field = row["serial"], !field.trimmed.isEmpty {
      guard let bytes = Serial.bytes(of: field.trimmed) else {
        throw CSVError(.value, at: field, "This is no serial in hexadecimal.")
      }
      serial = bytes
    }
    return Entry(id: id, serial: serial, time: row["revoked_at"]?.trimmed ?? "")
  }

  /// When every ticket of this attendee was taken back; nil: it was not.
  func time(of id: String) -> String? {
    time(of: id, serial: nil)
  }

  /// When this ticket was taken back, or with nil every one of this attendee; nil: it was not.
  func time(of id: String, serial: [UInt8]?) -> String? {
    entries.first { $0.id == id && $0.serial == serial }?.time
  }

  /// Adds a row.
  mutating func add(_ id: String, serial: [UInt8]?, at time: WallTime) {
    entries.append(Entry(id: id, serial: serial, time: time.rfc3339))
  }

  /// Takes rows out: that of this ticket, or with nil that for every one of this attendee.
  mutating func remove(_ id: String, serial: [UInt8]?) {
    entries.removeAll { $0.id == id && $0.serial == serial }
  }

  /// Writes the table.
  func write() throws(ExampleError) {
    let rows = entries.map { [$0.id, $0.time, $0.serial.map(hexadecimal) ?? ""] }
    try EventFolder.write(
      Array(CSVTable.text(columns: Self.columns, rows: rows).utf8), to: path, what: "table of tickets taken back",
      access: .everybody, replacing: true)
  }
}
