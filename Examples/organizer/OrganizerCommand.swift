internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// The kinds of keys that can be made.
enum KeyKind: String, CaseIterable, Sendable {
  case ed25519
  case es256

  var algorithm: SignatureAlgorithm {
    switch self {
    case .ed25519: .ed25519
    case .es256: .es256
    }
  }
}

/// What may stand on the organizer's command line.
enum OrganizerCommand {
  static let directory = CommandLineArgument<String>.positional("DIR", .directory, "The event’s folder.")
  static let id = CommandLineArgument<String?>.option(
    "id", Identifier.format, "The identifier; without it one is made from the name.")
  static let key = CommandLineArgument<KeyKind>.option(
    "key", .oneOf(KeyKind.self, "KIND"), default: KeyKind.ed25519, shown: "ed25519",
    "The kind of key to make: ed25519, or es256 (P-256), which phones keep in hardware.")
  static let serial = CommandLineArgument<[UInt8]?>.option(
    "serial", Serial.format,
    "The serial of ticket and certificate, a number in hexadecimal that nobody has; without it a random one.")
  static let validFrom = CommandLineArgument<WallTime?>.option(
    "valid-from", .start, "When it begins to be valid: a time such as 2026-12-01T09:00:00Z, or a date (UTC).")
  static let validUntil = CommandLineArgument<WallTime?>.option(
    "valid-until", .end, "When it stops being valid: a time, or a date, that day included (UTC).")
  static let gates = CommandLineArgument<[String]>.repeated(
    "gate", .name("GATE", limit: MessageLimits.gate), "A gate that it is for; without one, every gate.")
  static let listed = CommandLineArgument<Bool>.flag(
    "listed",
    "Make random tokens and put them on the list attendees.csv, for “kiosk --attendees”, instead of signed tickets.")

  static let command = CommandLineCommand(
    "organizer",
    summary: "makes what an event needs: its issuer, tickets and kiosks",
    discussion: [
      "An event is a folder. “init” makes it, with the key that signs tickets: keep that folder safe. Everybody may have "
        + "its file issuer.pem; each attendee gets one ticket file, and each kiosk one identity file."
    ],
    subcommands: [
      InitCommand.command, IssueCommand.command, ImportCommand.command, KioskCommand.command, RenewCommand.command,
      RevokeCommand.command,
      ListCommand.command, ShowCommand.command,
    ],
    examples: [
      .init("organizer init event --event \"Demo Day\"", "Makes the folder of an event."),
      .init("organizer issue event --name \"Ada Lovelace\"", "Makes a ticket: event/tickets/ada-lovelace.ticket."),
      .init("organizer kiosk event --name \"Hall A\"", "Makes a kiosk’s identity: event/kiosks/hall-a.kiosk."),
    ])

  /// How a subcommand that makes files may end.
  static let outcomes: [CommandLineCommand.Outcome] = [
    .init(.success), .init(.badData), .init(.noInput),
    .init(.unavailable, "Another organizer is at work in the folder."),
    .init(.cannotCreate), .init(.inputOutput),
  ]

  /// Does what the command line asks for.
  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    switch values.subcommand {
    case "init": try InitCommand.run(values)
    case "issue": try IssueCommand.run(values)
    case "import": try ImportCommand.run(values)
    case "kiosk": try KioskCommand.run(values)
    case "show": try ShowCommand.run(values)
    case "renew": try RenewCommand.run(values)
    case "revoke": try RevokeCommand.run(values)
    default: try ListCommand.run(values)
    }
  }

  /// The validity that the command line asks for.
  static func validity(_ values: CommandLineValues, now: WallTime) throws(ExampleError) -> Validity {
    let (from, until) = (values[validFrom], values[validUntil])
    if let from, let until, until <= from {
      throw ExampleError(.usage, "The validity ends before it begins: see --valid-from and --valid-until.")
    }
    guard values[gates].count <= CredentialLimits.gates else {
      throw ExampleError(
        .usage, "There are more than \(CredentialLimits.gates) gates. Without --gate it is for every gate.")
    }
    return Validity(issuedAt: now, validFrom: from, validUntil: until, gates: values[gates])
  }
}
