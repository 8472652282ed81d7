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
    let takenBack = Dictionary(grouping: try TakenBackTable(folder.paths.revoked).entries, by: \.id)
    if values[json] {
      let output = JSONLine()
      for entry in folder.register.entries {
        output.write(object(entry, TakenBackState(of: entry, takenBack[entry.id] ?? [])))
      }
      return .success
    }
    print(folder.register.entries, takenBack, folder.issuer)
    return .success
  }

  /// What of somebody was taken back.
  private struct TakenBackState {
    /// When everything was; nil: it was not, or ticket by ticket.
    let time: String?
    /// The single tickets that were.
    let serials: [[UInt8]]
    /// Whether nothing good is left.
    let isWhole: Bool
    let text: String

    init(of entry: Register.Entry, _ rows: [TakenBackTable.Entry]) {
      let serials = rows.compactMap(\.serial)
      let bad = entry.serials.count { serials.contains($0) }
      time = rows.first { $0.serial == nil }?.time
      isWhole = time != nil || (bad > 0 && bad == entry.serials.count)
      text = isWhole ? "taken back" : bad > 0 ? "\(bad) of \(entry.serials.count) taken back" : ""
      self.serials = serials
    }
  }

  private static func object(_ entry: Register.Entry, _ state: TakenBackState) -> JSONValue {
    [
      "id": .string(entry.id), "kind": .string(entry.kind.rawValue), "name": .string(entry.name),
      "issued_at": .optional(entry.validity.issuedAt?.rfc3339),
      "valid_from": .optional(entry.validity.validFrom?.rfc3339),
      "valid_until": .optional(entry.validity.validUntil?.rfc3339),
      "gates": .array(entry.validity.gates.map { .string($0) }), "revoked_at": .optional(state.time),
      "revoked_serials": .array(state.serials.map { .string(hexadecimal($0)) }),
      "file": .string(entry.file), "serials": .array(entry.serials.map { .string(hexadecimal($0)) }),
    ]
  }

  private static func print(
    _ entries: [Register.Entry], _ takenBack: [String: [TakenBackTable.Entry]], _ issuer: IssuerFile
  ) {
    let output = LineOutput.standardOutput
    let capabilities = TerminalCapabilities.of(1)
    guard !entries.isEmpty else {
      output.writeLine("“\(issuer.name)” (\(issuer.event)) has no tickets and no kiosks yet.")
      return
    }
    // A table that is read by a program or kept in a file is not cut, and on a terminal nobody wants half an identifier.
    let width = capabilities.isTerminal ? TerminalScreen.width(of: 1) : nil
    var table = TextTable("Id", "Kind", "Name", "From", "Until", "Gates", "State")
    var revoked = 0
    for entry in entries {
      let state = TakenBackState(of: entry, takenBack[entry.id] ?? [])
      if state.isWhole { revoked += 1 }
      table.add([
        entry.id, entry.kind.rawValue, entry.name, entry.validity.validFrom?.shortText ?? "",
        entry.validity.validUntil?.shortText ?? "", entry.validity.gates.joined(separator: ", "),
        state.text,
      ])
    }
    let lines =
      if let width, table.width > width {
        entries.flatMap { paragraph($0, TakenBackState(of: $0, takenBack[$0.id] ?? []), width: width) }
      } else {
        table.lines(unicode: capabilities.hasUnicode)
      }
    output.write(lines.joined(separator: "\n") + "\n")
    let attendees = entries.count { $0.kind != .kiosk }
    output.writeLine(
      "“\(issuer.name)” (\(issuer.event)): \(attendees) \(attendees == 1 ? "ticket" : "tickets"), \(revoked) taken back, "
        + "\(entries.count - attendees) \(entries.count - attendees == 1 ? "kiosk" : "kiosks").")
  }

  /// An entry on a terminal that is too narrow for the table.
  private static func paragraph(_ entry: Register.Entry, _ state: TakenBackState, width: Int) -> [String] {
    let validity = entry.validity
    let parts = [
      "\(entry.kind.rawValue) of \(entry.name)", validity.validFrom.map { "from \($0.shortText)" },
      validity.validUntil.map { "until \($0.shortText)" },
      validity.gates.isEmpty ? nil : "at \(validity.gates.joined(separator: ", "))",
      state.text.isEmpty ? nil : state.text,
    ]
    let text = "\(entry.id): \(parts.compactMap(\.self).joined(separator: ", "))"
    return TextWrap.lines(text.printable, width: width, hanging: 2)
  }
}

extension WallTime {
  /// The time as a person reads it in a table, in UTC: `2026-12-01 09:00`.
  fileprivate var shortText: String {
    rfc3339.replacing("T", with: " ").prefix(16) + ""
  }
}
