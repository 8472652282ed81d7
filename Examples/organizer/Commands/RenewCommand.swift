internal import Certificates
internal import CheckInCore
internal import ExampleSupport

/// `organizer renew`: makes a ticket or a kiosk's identity anew, for another time.
enum RenewCommand {
  private static let id = CommandLineArgument<String>.positional(
    "ID", Identifier.format, "The identifier of the attendee or kiosk.")

  static let command = CommandLineCommand(
    "renew",
    summary: "makes a ticket or a kiosk’s identity anew, for another time",
    discussion: [
      "The holder keeps identifier and name, and gets a new key; the old files in the folder are replaced. Times and gates that "
        + "are not given stay as they were. What the holder had before stays good until its own end."
    ],
    arguments: [
      OrganizerCommand.directory, id, OrganizerCommand.validFrom, OrganizerCommand.validUntil, OrganizerCommand.gates,
      OrganizerCommand.key, OrganizerCommand.serial,
    ] + ContainerOptions.making,
    examples: [
      .init("organizer renew event hall-a --valid-until 2027-12-31 --container", "A kiosk for another year.")
    ],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    var folder = try EventFolder(values[OrganizerCommand.directory])
    let now = Timestamp.wallTime
    let entry = try entry(values[id], folder)
    let asked = try OrganizerCommand.validity(values, now: now)
    let validity = Validity(
      issuedAt: now, validFrom: asked.validFrom ?? entry.validity.validFrom,
      validUntil: asked.validUntil ?? entry.validity.validUntil,
      gates: asked.gates.isEmpty ? entry.validity.gates : asked.gates)
    if let from = validity.validFrom, let until = validity.validUntil, until <= from {
      throw ExampleError(.usage, "The validity would end before it begins: see --valid-from and --valid-until.")
    }
    let serial = try folder.serial(values)
    let password = try ContainerOptions.newPassword(values, for: entry.name)
    let issuing = Issuing(issuer: folder.issuer, issuerKey: try folder.issuerKey())
    let isKiosk = entry.kind == .kiosk
    let path = isKiosk ? folder.paths.kiosk(entry.id) : folder.paths.ticket(entry.id)
    var (text, identity) = try made(entry, validity, values[OrganizerCommand.key], serial, issuing, path)
    defer { SecretBytes.wipe(&text) }
    let container = try password.map { password throws(ExampleError) in
      try issuing.container(
        isKiosk ? .kiosk : .attendee, id: entry.id, name: entry.name, validity: validity, identity: identity,
        password: password, now: now)
    }
    try EventFolder.makeDirectory(isKiosk ? folder.paths.kiosks : folder.paths.tickets)
    try EventFolder.write(
      text, to: path, what: isKiosk ? "kiosk identity file" : "ticket file", access: .secret, replacing: true)
    if let container {
      try issuing.write(container, to: EventFolder.Paths.container(path), of: entry.name, replacing: true)
    }
    try folder.renew(
      Register.Entry(
        id: entry.id, name: entry.name, kind: entry.kind, validity: validity, file: path,
        serials: entry.serials + [identity.serial]))
    let old = EventFolder.Paths.container(path)
    if container == nil, FileReading.exists(old) {
      LineOutput.standardError.say(
        "organizer: warning: “\(old.printable)” is still the container of before, with its key and serial. Renew with "
          + "--container to have a new one.")
    }
    let what = isKiosk ? "identity of the kiosk" : "ticket of"
    LineOutput.standardOutput.writeLine("\(path): the new \(what) \(entry.name) (\(entry.id)), \(validity.words).")
    if !isKiosk, let old = entry.serials.last {
      let command =
        "organizer revoke \(ShellWord.quoted(folder.paths.directory)) \(entry.id) --serial \(hexadecimal(old))"
      LineOutput.standardOutput.writeLine("The one before stays good until its end. To take it back: \(command)")
    }
    return .success
  }

  private static func made(
    _ entry: Register.Entry, _ validity: Validity, _ key: KeyKind, _ serial: [UInt8]?, _ issuing: Issuing,
    _ path: String
  ) throws(ExampleError) -> (text: [UInt8], identity: IssuedIdentity) {
    if entry.kind == .kiosk {
      return try issuing.kiosk(id: entry.id, name: entry.name, validity: validity, key: key, serial: serial)
    }
    let ticket = try issuing.ticket(
      id: entry.id, name: entry.name, validity: validity, key: key, serial: serial, listed: false, file: path)
    return (ticket.text, ticket.identity)
  }

  /// Who it is, if their ticket or identity can be made anew.
  private static func entry(
    _ id: String, _ folder: borrowing EventFolder
  ) throws(ExampleError) -> Register.Entry {
    guard let entry = folder.register[id] else {
      let guess = NearestWord.of(id, in: folder.register.entries.map(\.id)).map { " Did you mean “\($0)”?" } ?? ""
      throw ExampleError(.badData, "Nobody in “\(folder.paths.directory)” has the identifier “\(id)”.\(guess)")
    }
    guard entry.kind != .token else {
      throw ExampleError(
        .badData, "“\(entry.id)” has a token on the list attendees.csv, and not a ticket. Change its times there.")
    }
    guard try TakenBackTable(folder.paths.revoked).time(of: entry.id) == nil else {
      throw ExampleError(
        .badData,
        "The ticket of \(entry.name) (\(entry.id)) was taken back. Issue one with another --id instead, or give it back with: "
          + "organizer revoke --undo")
    }
    return entry
  }
}
