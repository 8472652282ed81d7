internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// `organizer list`: says who was given what.
enum ListCommand {
  private static let json = CommandLineArgument<Bool>.flag("json", "Write one JSON object on each line.")

  static let command = CommandLineCommand(
    "list",
    summary: "lists the tickets and kiosks of an event",
    arguments: [OrganizerCommand.directory, json],
    examples: [.init("organizer list event", "A table of everyone.")],
    outcomes: OrganizerCommand.outcomes.filter { $0.status != .cannotCreate })

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let folder = try EventFolder(values[OrganizerCommand.directory])
    let revoked = Dictionary(
      try TakenBackTable(folder.paths.revoked).entries.filter { $0.serial == nil }.map { ($0.id, $0.time) },
      uniquingKeysWith: { first, _ in first })
    if values[json] {
      let output = JSONLine()
      for entry in folder.register.entries { output.write(object(entry, revokedAt: revoked[entry.id])) }
      return .success
    }
    print(folder.register.entries, revoked, folder.issuer)
    return .success
  }

  private static func object(_ entry: Register.Entry, revokedAt: String?) -> JSONValue {
    [
      "id": .string(entry.id), "kind": .string(entry.kind.rawValue), "name": .string(entry.name),
      "issued_at": .optional(entry.validity.issuedAt?.rfc3339),
      "valid_from": .optional(entry.validity.validFrom?.rfc3339),
      "valid_until": .optional(entry.validity.validUntil?.rfc3339),
      "gates": .array(entry.validity.gates.map { .string($0) }), "revoked_at": .optional(revokedAt),
      "file": .string(entry.file), "serials": .array(entry.serials.map { .string(hexadecimal($0)) }),
    ]
  }

  private static func print(_ entries: [Register.Entry], _ revoked: [String: String], _ issuer: IssuerFile) {
    let output = LineOutput.standardOutput
    let capabilities = TerminalCapabilities.of(1)
    guard !entries.isEmpty else {
      output.writeLine("“\(issuer.name)” (\(issuer.event)) has no tickets and no kiosks yet.")
      return
    }
    var table = TextTable("Id", "Kind", "Name", "From", "Until", "Gates", "State")
    for entry in entries {
      table.add([
        entry.id, entry.kind.rawValue, entry.name, entry.validity.validFrom?.shortText ?? "",
        entry.validity.validUntil?.shortText ?? "", entry.validity.gates.joined(separator: ", "),
        revoked[entry.id] == nil ? "" : "taken back",
      ])
    }
    // A table that is read by a program or kept in a file is not cut.
    let width = capabilities.isTerminal ? TerminalScreen.width(of: 1) : nil
    output.write(table.lines(width: width, unicode: capabilities.hasUnicode).joined(separator: "\n") + "\n")
    let attendees = entries.count { $0.kind != .kiosk }
    output.writeLine(
      "“\(issuer.name)” (\(issuer.event)): \(attendees) \(attendees == 1 ? "ticket" : "tickets"), \(revoked.count) taken back, "
        + "\(entries.count - attendees) \(entries.count - attendees == 1 ? "kiosk" : "kiosks").")
  }
}

extension WallTime {
  /// The time as a person reads it in a table, in UTC: `2026-12-01 09:00`.
  fileprivate var shortText: String {
    rfc3339.replacing("T", with: " ").prefix(16) + ""
  }
}
