internal import CheckInCore
internal import ExampleSupport

/// `organizer revoke`: takes tickets and certificates back, or gives them back.
enum RevokeCommand {
  private static let id = CommandLineArgument<String>.positional("ID", Identifier.format, "The attendee’s identifier.")
  private static let serial = CommandLineArgument<[UInt8]?>.option(
    "serial", Serial.format,
    "Only the ticket and certificate with this serial, as “organizer show” prints it; the attendee’s others stay good.")
  private static let undo = CommandLineArgument<Bool>.flag("undo", "Give back what was taken back.")

  static let command = CommandLineCommand(
    "revoke",
    summary: "takes an attendee’s ticket and certificate back",
    discussion: [
      "Notes it in DIR/revoked.csv, and signs DIR/revocations.list anew. Copy that list to the kiosks: one that runs with "
        + "--revocations reads it again when it changes, and refuses the tickets, tokens and certificates in it. A token on the "
        + "list DIR/attendees.csv is marked there too; kiosks read that file when they start.",
      "What was taken back stays so until --undo. A person whose ticket was lost can get another by “renew”; then take back the "
        + "old one alone, with --serial.",
    ],
    arguments: [OrganizerCommand.directory, id, serial, undo],
    examples: [
      .init("organizer revoke event ada-lovelace", "Ada’s ticket is refused from now on."),
      .init("organizer revoke event ada-lovelace --undo", "Ada’s ticket is good again."),
    ],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let folder = try EventFolder(values[OrganizerCommand.directory])
    let entry = try entry(values[id], values[serial], folder)
    let key = try folder.issuerKey()
    var table = try TakenBackTable(folder.paths.revoked)
    let (serial, isUndone) = (values[serial], values[undo])
    let earlier = table.time(of: entry.id, serial: serial)
    let what = serial.map { "The ticket \(hexadecimal($0)) of" } ?? "The ticket of"
    if entry.kind == .token, serial == nil {
      var tokens = try TokenListFile(folder.paths.attendees)
      if tokens.mark(entry.id, revoked: !isUndone) { try tokens.write() }
    }
    if isUndone {
      if earlier != nil {
        table.remove(entry.id, serial: serial)
        try table.write()
      }
    } else if earlier == nil {
      table.add(entry.id, serial: serial, at: Timestamp.wallTime)
      try table.write()
    }
    // Also where nothing has changed: an earlier run may have been interrupted before it.
    let (list, isNew) = try SignedList.update(folder.paths.revocations, from: table, issuer: folder.issuer, key: key)
    let change =
      switch (isUndone, earlier) {
      case (true, nil): "was not taken back\(Self.hint(table, entry, serial))."
      case (true, _): "is good again."
      case (false, let time?): "was taken back already, \(time)."
      case (false, nil): "is taken back."
      }
    LineOutput.standardOutput.writeLine("\(what) \(entry.name) (\(entry.id)) \(change)")
    LineOutput.standardOutput.writeLine(
      "\(folder.paths.revocations): \(list.summary). "
        + (isNew ? "Copy it to the kiosks." : "It is as it was; a kiosk that has it needs no other."))
    return .success
  }

  /// Of somebody who is to have everything again, and of whom single tickets were taken back.
  private static func hint(_ table: TakenBackTable, _ entry: Register.Entry, _ serial: [UInt8]?) -> String {
    let serials = table.entries.compactMap { $0.id == entry.id ? $0.serial : nil }
    guard serial == nil, !serials.isEmpty else { return "" }
    return " as a whole; single ones were: give --serial too, " + serials.map(hexadecimal).joined(separator: " or ")
  }

  /// Who it is, if what they have can be taken back.
  private static func entry(
    _ id: String, _ serial: [UInt8]?, _ folder: borrowing EventFolder
  ) throws(ExampleError) -> Register.Entry {
    guard let entry = folder.register[id] else {
      let ids = folder.register.entries.filter { $0.kind != .kiosk }.map(\.id)
      let guess = NearestWord.of(id, in: ids).map { " Did you mean “\($0)”?" } ?? ""
      throw ExampleError(.badData, "Nobody in “\(folder.paths.directory)” has the identifier “\(id)”.\(guess)")
    }
    guard entry.kind != .kiosk else {
      throw ExampleError(
        .badData, "“\(entry.id)” is a kiosk. A kiosk’s identity cannot be taken back; it ends with its --valid-until.")
    }
    // A register of an older organizer has no serials.
    if let serial, !entry.serials.isEmpty, !entry.serials.contains(serial) {
      throw ExampleError(
        .badData,
        "\(entry.name) (\(entry.id)) was never given a ticket with the serial \(hexadecimal(serial)). Those were given: "
          + entry.serials.map(hexadecimal).joined(separator: ", ") + ".")
    }
    return entry
  }
}
