internal import Certificates
internal import CheckInCore
internal import ExampleSupport

/// `organizer issue`: makes one ticket.
enum IssueCommand {
  private static let name = CommandLineArgument<String>.required("name", .name(), "The attendee’s name.")
  private static let out = CommandLineArgument<String?>.option(
    "out", .file, "Where to write the ticket; without it DIR/tickets/ID.ticket. A file that is there is not replaced.")

  static let command = CommandLineCommand(
    "issue",
    summary: "makes a ticket for one attendee",
    discussion: [
      "The ticket file holds the ticket and the attendee’s own key. Give it to the attendee, and to nobody else."
    ],
    arguments: [
      OrganizerCommand.directory, name, OrganizerCommand.id, OrganizerCommand.validFrom, OrganizerCommand.validUntil,
      OrganizerCommand.gates, OrganizerCommand.key, OrganizerCommand.serial, OrganizerCommand.listed, out,
    ] + ContainerOptions.making,
    examples: [
      .init("organizer issue event --name \"Ada Lovelace\"", "A ticket for every gate and time."),
      .init(
        "organizer issue event --name \"Grace Hopper\" --gate \"Hall A\" --valid-from 2026-12-01 --valid-until 2026-12-02",
        "A ticket for one gate on two days."),
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
    let id =
      values[OrganizerCommand.id] ?? Identifier.make(from: name, prefix: "attendee") { folder.isTaken($0) }
    let serial = try folder.serial(values)
    let password = try ContainerOptions.newPassword(values, for: name)
    let path = values[out] ?? folder.paths.ticket(id)
    if values[out] == nil { try EventFolder.makeDirectory(folder.paths.tickets) }
    let issuing = Issuing(issuer: folder.issuer, issuerKey: try folder.issuerKey())
    var ticket = try issuing.ticket(
      id: id, name: name, validity: validity, key: values[OrganizerCommand.key], serial: serial,
      listed: values[OrganizerCommand.listed], file: path)
    defer { SecretBytes.wipe(&ticket.text) }
    let container = try password.map { password throws(ExampleError) in
      try issuing.container(
        .attendee, id: id, name: name, validity: validity, identity: ticket.identity, password: password,
        now: Timestamp.wallTime)
    }
    // An unregistered ticket in the folder is what an interrupted run left; nobody was given it.
    try EventFolder.write(ticket.text, to: path, what: "ticket file", access: .secret, replacing: values[out] == nil)
    if let container {
      try issuing.write(container, to: EventFolder.Paths.container(path), of: name, replacing: values[out] == nil)
    }
    if let listed = ticket.listed {
      var list = try TokenListFile(folder.paths.attendees)
      try list.add([listed])
      try list.write()
    }
    try folder.record([ticket.entry])
    LineOutput.standardOutput.writeLine("\(path): the ticket of \(name) (\(id)), \(validity.words).")
    if ticket.listed != nil {
      LineOutput.standardOutput.writeLine(
        "The token is on the list \(folder.paths.attendees), for “kiosk --attendees”.")
    }
    return .success
  }
}
