internal import Certificates
internal import CheckInCore
internal import ExampleSupport

/// `organizer kiosk`: makes a kiosk's identity.
enum KioskCommand {
  private static let name = CommandLineArgument<String>.required("name", .name(), "The kiosk’s name.")

  static let command = CommandLineCommand(
    "kiosk",
    summary: "makes a kiosk’s identity",
    discussion: [
      "Writes DIR/kiosks/ID.kiosk: the credential that the kiosk proves itself with to every phone, and its key. Copy it to "
        + "that kiosk, and to no other place."
    ],
    arguments: [
      OrganizerCommand.directory, name, OrganizerCommand.id, OrganizerCommand.validFrom, OrganizerCommand.validUntil,
      OrganizerCommand.gates, OrganizerCommand.key, OrganizerCommand.serial,
    ] + ContainerOptions.making,
    examples: [
      .init("organizer kiosk event --name \"Hall A\"", "A kiosk with the identifier hall-a."),
      .init("organizer kiosk event --name \"Hall A, left\" --gate \"Hall A\"", "A kiosk at a gate that has several."),
    ],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    var folder = try EventFolder(values[OrganizerCommand.directory])
    let validity = try OrganizerCommand.validity(values, now: Timestamp.wallTime)
    let name = values[name]
    if let id = values[OrganizerCommand.id], let holder = folder.register[id] {
      throw ExampleError(
        .cannotCreate,
        "The identifier “\(id)” is \(holder.name)’s already. Choose another with --id, or leave --id out.")
    }
    let id = values[OrganizerCommand.id] ?? Identifier.make(from: name, prefix: "kiosk") { folder.isTaken($0) }
    let issuing = Issuing(issuer: folder.issuer, issuerKey: try folder.issuerKey())
    let serial = try folder.serial(values)
    let password = try ContainerOptions.newPassword(values, for: name)
    var (text, identity) = try issuing.kiosk(
      id: id, name: name, validity: validity, key: values[OrganizerCommand.key], serial: serial)
    defer { SecretBytes.wipe(&text) }
    let container = try password.map { password throws(ExampleError) in
      try issuing.container(
        .kiosk, id: id, name: name, validity: validity, identity: identity, password: password, now: Timestamp.wallTime)
    }
    try EventFolder.makeDirectory(folder.paths.kiosks)
    let path = folder.paths.kiosk(id)
    try EventFolder.write(text, to: path, what: "kiosk identity file", access: .secret, replacing: true)
    if let container {
      try issuing.write(container, to: EventFolder.Paths.container(path), of: name, replacing: true)
    }
    try folder.record([
      Register.Entry(id: id, name: name, kind: .kiosk, validity: validity, file: path, serials: [identity.serial])
    ])
    LineOutput.standardOutput.writeLine("\(path): the identity of the kiosk \(name) (\(id)), \(validity.words).")
    return .success
  }
}
