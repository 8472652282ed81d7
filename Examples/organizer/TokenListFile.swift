internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import TokenList

/// The list `attendees.csv` of an event's folder: random tokens that a kiosk knows by `--attendees`. It is a secret.
struct TokenListFile {
  private static let limit = 64 << 20

  private let path: String
  private var columns: [String]
  private var rows: [[String]]

  /// Reads the list; an empty one when there is no file.
  init(_ path: String) throws(ExampleError) {
    self.path = path
    let bytes: [UInt8]
    do throws(FileError) {
      bytes =
        FileReading.exists(path)
        ? try FileReading.read(path, what: "list of attendees", limit: Self.limit) : Array(TokenListEntry.csv([]).utf8)
    } catch {
      throw ExampleError(error)
    }
    do throws(CSVError) {
      let table = try CSVTable(bytes, required: ["id", "token", "revoked"])
      // A row that cannot be read would be lost by writing the list anew.
      if let error = table.errors.first { throw error }
      columns = table.columns
      rows = table.rows.map { $0.fields.map(\.text) }
    } catch {
      throw ExampleError(
        .badData,
        "The list “\(path)” is damaged in line \(error.line), column \(error.column): \(error.message) Correct that line."
      )
    }
  }

  /// Adds entries.
  mutating func add(_ entries: [TokenListEntry]) throws(ExampleError) {
    do throws(CSVError) {
      let table = try CSVTable(Array(TokenListEntry.csv(entries).utf8), required: [])
      for row in table.rows {
        rows.append(columns.map { row[$0]?.text ?? "" })
      }
    } catch {
      throw ExampleError(.internal, "The list “\(path)” cannot be written: \(error.message)")
    }
  }

  /// Marks the row of this attendee as taken back, or as good. False when there is none.
  mutating func mark(_ id: String, revoked: Bool) -> Bool {
    guard let idColumn = columns.firstIndex(of: "id"), let flagColumn = columns.firstIndex(of: "revoked"),
      let row = rows.firstIndex(where: { $0[idColumn] == id })
    else { return false }
    rows[row][flagColumn] = revoked ? "true" : "false"
    return true
  }

  /// Writes the list.
  func write() throws(ExampleError) {
    let text = CSVTable.text(columns: columns, rows: rows)
    try EventFolder.write(Array(text.utf8), to: path, what: "list of attendees", access: .secret, replacing: true)
  }
}
