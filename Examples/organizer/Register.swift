internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// Who was given what: the file `register.csv` of an event's folder. It holds names and no secrets.
struct Register {
  /// What was given.
  enum Kind: String, CaseIterable {
    /// A signed ticket.
    case ticket
    /// A token on the list.
    case token
    /// A kiosk's identity.
    case kiosk
  }

  /// One row.
  struct Entry {
    let id: String
    let name: String
    let kind: Kind
    let validity: Validity
    /// The file that was written, as it was named then.
    let file: String
    /// The serials that were given, the latest last; none in a register of an older organizer.
    var serials: [[UInt8]] = []
  }

  private static let columns = ["id", "kind", "name", "issued_at", "valid_from", "valid_until", "gate", "file"]
  private static let newerColumns = ["serials"]
  private static let limit = 64 << 20

  /// The rows, in the order in which they were given.
  private(set) var entries: [Entry] = []
  private var positions: [String: Int] = [:]
  private var names: [String: Int] = [:]

  /// An empty register.
  init() {}

  /// Reads the file.
  init(_ path: String) throws(ExampleError) {
    do {
      let bytes = try FileReading.read(path, what: "register", limit: Self.limit)
      let table = try CSVTable(bytes, required: Self.columns, optional: Self.newerColumns)
      if let error = table.errors.first { throw error }
      for row in table.rows { add(try Self.entry(row)) }
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as CSVError {
      throw ExampleError(
        .badData,
        "The register “\(path)” is damaged in line \(error.line), column \(error.column): \(error.message) "
          + "Correct that line, or bring back a copy.")
    } catch {
      throw ExampleError(.internal, "The register “\(path)” cannot be read.")
    }
  }

  /// The entry of this identifier.
  subscript(id: String) -> Entry? {
    positions[Identifier.folded(id)].map { entries[$0] }
  }

  /// How many attendees of exactly this name there are.
  func attendees(named name: String) -> Int {
    names[name] ?? 0
  }

  /// Adds an entry.
  ///
  /// - Precondition: its identifier is not taken.
  mutating func add(_ entry: Entry) {
    positions[Identifier.folded(entry.id)] = entries.count
    if entry.kind != .kiosk { names[entry.name, default: 0] += 1 }
    entries.append(entry)
  }

  /// Puts an entry in the place of the one with the same identifier.
  ///
  /// - Precondition: there is one, of the same name and kind.
  mutating func replace(_ entry: Entry) {
    entries[positions[Identifier.folded(entry.id)]!] = entry
  }

  /// The file's content.
  var text: [UInt8] {
    let rows = entries.map { entry in
      [
        entry.id, entry.kind.rawValue, entry.name, entry.validity.issuedAt?.rfc3339 ?? "",
        entry.validity.validFrom?.rfc3339 ?? "", entry.validity.validUntil?.rfc3339 ?? "",
        entry.validity.gates.joined(separator: ";"), entry.file,
        entry.serials.map(hexadecimal).joined(separator: ";"),
      ]
    }
    return Array(CSVTable.text(columns: Self.columns + Self.newerColumns, rows: rows).utf8)
  }

  private static func entry(_ row: CSVTable.Row) throws(CSVError) -> Entry {
    // The table has made sure of the columns.
    guard let id = row["id"], Identifier.fault(id.text) == nil else {
      throw CSVError(.value, at: row["id"]!, "This is no identifier.")
    }
    guard let kind = Kind(rawValue: row["kind"]!.text) else {
      throw CSVError(
        .value, at: row["kind"]!, "This is none of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let validity = Validity(
      issuedAt: try time(row["issued_at"]!), validFrom: try time(row["valid_from"]!),
      validUntil: try time(row["valid_until"]!), gates: row["gate"]!.text.split(separator: ";").map(String.init))
    return Entry(
      id: id.text, name: row["name"]!.text, kind: kind, validity: validity, file: row["file"]!.text,
      serials: try serials(row["serials"]))
  }

  private static func serials(_ field: CSVTable.Field?) throws(CSVError) -> [[UInt8]] {
    var serials: [[UInt8]] = []
    for text in field?.text.split(separator: ";") ?? [] {
      guard let serial = Serial.bytes(of: String(text)) else {
        throw CSVError(.value, at: field!, "This is no list of serials.")
      }
      serials.append(serial)
    }
    return serials
  }

  private static func time(_ field: CSVTable.Field) throws(CSVError) -> WallTime? {
    guard !field.text.isEmpty else { return nil }
    guard let time = WallTime(rfc3339: field.text) else { throw CSVError(.value, at: field, "This is no time.") }
    return time
  }
}
