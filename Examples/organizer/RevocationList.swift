internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// The rows of `revoked.csv`: whose tickets were taken back, and when. Kiosks read the file by ``RevocationFile``.
struct RevocationList {
  private let path: String
  private(set) var times: [(id: String, time: String)] = []

  /// Reads the list; an empty one when there is no file.
  init(_ path: String) throws(ExampleError) {
    self.path = path
    guard FileReading.exists(path) else { return }
    do {
      let bytes = try FileReading.read(path, what: "list of tickets taken back", limit: RevocationFile.limit)
      let table = try CSVTable(bytes, required: ["id"])
      if let error = table.errors.first { throw error }
      times = table.rows.map { ($0["id"]!.trimmed, $0["revoked_at"]?.trimmed ?? "") }
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as CSVError {
      throw ExampleError(
        .badData,
        "The list “\(path)” is damaged in line \(error.line), column \(error.column): \(error.message) Correct that line."
      )
    } catch {
      throw ExampleError(.internal, "The list “\(path)” cannot be read.")
    }
  }

  /// When this attendee's tickets were taken back; nil: they were not.
  func time(of id: String) -> String? {
    times.first { $0.id == id }?.time
  }

  /// Adds an attendee and writes the list.
  mutating func add(_ id: String, at time: WallTime) throws(ExampleError) {
    times.append((id, time.rfc3339))
    let text = CSVTable.text(columns: RevocationFile.columns, rows: times.map { [$0.id, $0.time] })
    try EventFolder.write(
      Array(text.utf8), to: path, what: "list of tickets taken back", access: .everybody, replacing: true)
  }
}
