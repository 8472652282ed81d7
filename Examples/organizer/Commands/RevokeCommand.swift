internal import CheckInCore
internal import ExampleSupport

/// `organizer revoke`: takes a ticket back.
enum RevokeCommand {
  private static let id = CommandLineArgument<String>.positional("ID", Identifier.format, "The attendee’s identifier.")

  static let command = CommandLineCommand(
    "revoke",
    summary: "takes an attendee’s ticket back",
    discussion: [
      "Adds the identifier to DIR/revoked.csv. Copy that file to the kiosks: one that runs with --revoked reads it again when it "
        + "changes. A token on the list DIR/attendees.csv is marked there too; kiosks read that list when they start."
    ],
    arguments: [OrganizerCommand.directory, id],
    examples: [.init("organizer revoke event ada-lovelace", "Ada’s ticket is refused from now on.")],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let folder = try EventFolder(values[OrganizerCommand.directory])
    guard let entry = folder.register[values[id]] else {
      let ids = folder.register.entries.filter { $0.kind != .kiosk }.map(\.id)
      let guess = NearestWord.of(values[id], in: ids).map { " Did you mean “\($0)”?" } ?? ""
      throw ExampleError(.badData, "Nobody in “\(folder.paths.directory)” has the identifier “\(values[id])”.\(guess)")
    }
    guard entry.kind != .kiosk else {
      throw ExampleError(
        .badData, "“\(entry.id)” is a kiosk. A kiosk’s identity cannot be taken back; it ends with its --valid-until.")
    }
    var list = try RevocationList(folder.paths.revoked)
    if entry.kind == .token {
      var tokens = try TokenListFile(folder.paths.attendees)
      if tokens.revoke(entry.id) { try tokens.write() }
    }
    if let time = list.time(of: entry.id) {
      LineOutput.standardOutput.writeLine("The ticket of \(entry.name) (\(entry.id)) was taken back already, \(time).")
      return .success
    }
    try list.add(entry.id, at: Timestamp.wallTime)
    LineOutput.standardOutput.writeLine(
      "The ticket of \(entry.name) (\(entry.id)) is taken back: see \(folder.paths.revoked).")
    return .success
  }
}
