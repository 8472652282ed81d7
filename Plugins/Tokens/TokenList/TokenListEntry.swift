internal import CheckIn
public import CheckInCore

/// One row of a token list.
public struct TokenListEntry: Sendable {
  /// The longest token, in bytes.
  public static let longestToken = 4_096
  /// The longest id, name or gate, in UTF-8 bytes.
  public static let longestText = 256

  /// The columns that a list must have.
  static let requiredColumns = ["token", "id", "name", "key"]
  /// The columns that a list may have.
  static let optionalColumns = ["gate", "valid_from", "valid_until", "revoked"]

  /// The token.
  public let token: [UInt8]
  /// Whose it is, and what it allows.
  public let holder: TokenHolder
  /// Whether the organizer took it back.
  public let isRevoked: Bool

  /// A row.
  public init(token: [UInt8], holder: TokenHolder, isRevoked: Bool = false) {
    self.token = token
    self.holder = holder
    self.isRevoked = isRevoked
  }

  /// Writes a list as a CSV file. Whoever reads it has the tokens: it belongs to its owner alone (mode 0600).
  public static func csv(_ entries: some Sequence<TokenListEntry>) -> String {
    CSVTable.text(
      columns: requiredColumns + optionalColumns,
      rows: entries.lazy.map { entry in
        let holder = entry.holder
        return [
          Base64URL.encode(entry.token), holder.attendee, holder.name, holder.key.text,
          holder.gates.joined(separator: ";"), holder.validFrom?.rfc3339 ?? "", holder.validUntil?.rfc3339 ?? "",
          entry.isRevoked ? "true" : "false",
        ]
      })
  }

  /// Reads a row of a table that has the required columns.
  init(_ row: CSVTable.Row) throws(CSVError) {
    // The table has made sure of these four.
    let (tokenField, keyField) = (row["token"]!, row["key"]!)
    guard let token = Base64URL.decode(tokenField.trimmed), (1...TokenListEntry.longestToken).contains(token.count)
    else {
      throw CSVError(
        .value, at: tokenField,
        "The token is not base64url without padding, of 1 to \(TokenListEntry.longestToken) bytes.")
    }
    guard let key = PublicKey(text: keyField.trimmed) else {
      throw CSVError(
        .value, at: keyField, "The key is not “ed25519:” or “es256:” and a raw public key in base64url without padding."
      )
    }
    let from = try row.time("valid_from") { WallTime(startOf: $0) }
    let until = try row.time("valid_until") { WallTime(endOf: $0) }
    if let from, let until, until <= from {
      throw CSVError(.value, at: row["valid_until"]!, "The validity ends before it begins.")
    }
    self.init(
      token: token,
      holder: TokenHolder(
        attendee: try TokenListEntry.line(row["id"]!, "id"), name: try TokenListEntry.line(row["name"]!, "name"),
        key: key, validFrom: from, validUntil: until, gates: try row.gates()),
      isRevoked: try row.flag("revoked"))
  }

  fileprivate static func line(_ field: CSVTable.Field, _ what: String) throws(CSVError) -> String {
    let text = field.trimmed
    guard !text.isEmpty else { throw CSVError(.value, at: field, "The \(what) is empty.") }
    guard text.utf8.count <= longestText else {
      throw CSVError(.value, at: field, "The \(what) is longer than \(longestText) bytes.")
    }
    guard text.isPlainLine else {
      throw CSVError(.value, at: field, "The \(what) holds a line end or another character that cannot be shown.")
    }
    return text
  }
}

extension CSVTable.Row {
  /// A time in an optional column; nil when it is empty.
  fileprivate func time(_ column: String, _ read: (String) -> WallTime?) throws(CSVError) -> WallTime? {
    guard let field = self[column], !field.trimmed.isEmpty else { return nil }
    guard let time = read(field.trimmed) else {
      throw CSVError(.value, at: field, "This is no time such as 2026-12-01T09:00:00Z, and no date such as 2026-12-01.")
    }
    return time
  }

  fileprivate func gates() throws(CSVError) -> [String] {
    guard let field = self["gate"], !field.trimmed.isEmpty else { return [] }
    var gates: [String] = []
    for part in field.trimmed.split(separator: ";", omittingEmptySubsequences: false) {
      let gate = CSVTable.Field(text: String(part), line: field.line, column: field.column)
      gates.append(try TokenListEntry.line(gate, "gate"))
    }
    return gates
  }

  fileprivate func flag(_ column: String) throws(CSVError) -> Bool {
    guard let field = self[column] else { return false }
    switch field.trimmed.lowercased() {
    case "true": return true
    case "", "false": return false
    default: throw CSVError(.value, at: field, "Write “true” or “false”, or leave it empty.")
    }
  }
}
