internal import CheckIn
internal import CheckInCore

/// What is to be done with the rows of a CSV file: who gets a ticket, who has one, and what is wrong with the others.
struct ImportPlan {
  /// Someone who gets a ticket.
  struct Attendee {
    let id: String
    let name: String
    let validity: Validity
  }

  /// Who gets a ticket, in the order of the file.
  private(set) var wanted: [Attendee] = []
  /// How many rows are about people who have a ticket.
  private(set) var alreadyThere = 0
  /// What is wrong with the other rows.
  private(set) var errors: [CSVError]

  private var lines: [String: Int] = [:]
  private var seen: [String: Int] = [:]

  /// Reads the file's bytes.
  ///
  /// - Parameter withContainers: whether each gets a container too, which cannot be made for a time that is over.
  /// - Throws: what is wrong with the header row.
  init(_ bytes: [UInt8], register: Register, withContainers: Bool = false, now: WallTime) throws(CSVError) {
    let table = try CSVTable(bytes, required: ["name"], optional: ["id", "valid_from", "valid_until", "gate"])
    errors = table.errors
    // Rows with an identifier go first, so that none is given to somebody else by chance.
    let rows = table.rows.filter { $0.id != nil } + table.rows.filter { $0.id == nil }
    var found: [(line: Int, attendee: Attendee)] = []
    for row in rows {
      do throws(CSVError) {
        let name = try row.name()
        let validity = try row.validity(now: now)
        if withContainers, let until = validity.validUntil, until <= now {
          throw CSVError(.value, at: row["valid_until"]!, "This time is over already, so no container can be made.")
        }
        if let id = try id(row, name, register) {
          lines[Identifier.folded(id)] = row.line
          found.append((row.line, Attendee(id: id, name: name, validity: validity)))
        } else {
          alreadyThere += 1
        }
      } catch {
        errors.append(error)
      }
    }
    wanted = found.sorted { $0.line < $1.line }.map(\.attendee)
  }

  /// The identifier for a row; nil when its person has a ticket.
  private mutating func id(_ row: CSVTable.Row, _ name: String, _ register: Register) throws(CSVError) -> String? {
    guard let field = row.id else {
      // The first rows of a name are the people of that name who have tickets.
      seen[name, default: 0] += 1
      guard seen[name, default: 0] > register.attendees(named: name) else { return nil }
      return Identifier.make(from: name, prefix: "attendee") { [lines] id in
        register[id] != nil || lines[Identifier.folded(id)] != nil
      }
    }
    let id = field.trimmed
    if let fault = Identifier.fault(id) { throw CSVError(.value, at: field, "The id cannot be used: \(fault).") }
    if let earlier = lines[Identifier.folded(id)] {
      throw CSVError(.duplicate, at: field, "The id “\(id)” stands in line \(earlier) already.")
    }
    guard let holder = register[id] else { return id }
    guard holder.name == name, holder.kind != .kiosk else {
      throw CSVError(.duplicate, at: field, "The id “\(id)” is \(holder.name)’s already.")
    }
    lines[Identifier.folded(id)] = row.line
    return nil
  }
}

extension CSVTable.Row {
  /// The field with the identifier, where there is one and it is not empty.
  fileprivate var id: CSVTable.Field? {
    self["id"].flatMap { $0.trimmed.isEmpty ? nil : $0 }
  }

  fileprivate func name() throws(CSVError) -> String {
    // The table has made sure of the column.
    try line(self["name"]!, "name", limit: CredentialLimits.text)
  }

  fileprivate func validity(now: WallTime) throws(CSVError) -> Validity {
    let from = try time("valid_from") { WallTime(startOf: $0) }
    let until = try time("valid_until") { WallTime(endOf: $0) }
    if let from, let until, until <= from {
      throw CSVError(.value, at: self["valid_until"]!, "The validity ends before it begins.")
    }
    var gates: [String] = []
    if let field = self["gate"], !field.trimmed.isEmpty {
      for part in field.text.split(separator: ";", omittingEmptySubsequences: false) {
        let gate = CSVTable.Field(text: String(part), line: field.line, column: field.column)
        gates.append(try line(gate, "gate", limit: MessageLimits.gate))
      }
      guard gates.count <= CredentialLimits.gates else {
        throw CSVError(
          .value, at: field, "There are more than \(CredentialLimits.gates) gates. Empty means every gate.")
      }
    }
    return Validity(issuedAt: now, validFrom: from, validUntil: until, gates: gates)
  }

  private func time(_ column: String, _ read: (String) -> WallTime?) throws(CSVError) -> WallTime? {
    guard let field = self[column], !field.trimmed.isEmpty else { return nil }
    guard let time = read(field.trimmed) else {
      throw CSVError(.value, at: field, "This is no time such as 2026-12-01T09:00:00Z, and no date such as 2026-12-01.")
    }
    return time
  }

  private func line(_ field: CSVTable.Field, _ what: String, limit: Int) throws(CSVError) -> String {
    let text = field.trimmed
    guard !text.isEmpty else { throw CSVError(.value, at: field, "The \(what) is empty.") }
    guard text.utf8.count <= limit else {
      throw CSVError(.value, at: field, "The \(what) is longer than \(limit) bytes.")
    }
    guard text.isPlainLine else {
      throw CSVError(.value, at: field, "The \(what) holds a line end or another character that cannot be shown.")
    }
    return text
  }
}
