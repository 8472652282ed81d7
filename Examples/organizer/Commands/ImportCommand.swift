internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// `organizer import`: makes tickets for everyone in a CSV file.
enum ImportCommand {
  private static let file = CommandLineArgument<String>.positional(
    "FILE", .file, "The CSV file; “-” is standard input.")
  private static let ownPasswords = CommandLineArgument<String?>.option(
    "own-passwords", .file,
    "Write containers, each under a password of its own that is made for it, and write the passwords to this CSV file, which is "
      + "new and secret. With --container alone they all have the same password.")
  /// How many tickets are made between two looks at the disk.
  private static let batch = 200
  /// The same where each has a container, whose password alone is a good part of a second's work.
  private static let containerBatch = 20
  private static let limit = 64 << 20

  static let command = CommandLineCommand(
    "import",
    summary: "makes a ticket for everyone in a CSV file",
    discussion: [
      "The first row names the columns: name, and as you like id, valid_from, valid_until and gate (several gates with “;” "
        + "between them). Fields may be quoted. Spreadsheets’ files (CR LF, byte order mark) are fine.",
      "A row that is wrong is named by line and column and left out; the others go through. Then correct the file and import "
        + "it again: whoever has a ticket is not given another. A row is taken for the same person by its id, or without "
        + "one by its name.",
      "A container costs about half a second, for the password’s sake.",
    ],
    arguments: [OrganizerCommand.directory, file, OrganizerCommand.key, OrganizerCommand.listed, ownPasswords]
      + ContainerOptions.making,
    examples: [
      .init("organizer import event people.csv", "Tickets in event/tickets."),
      .init(
        "organizer import event people.csv --own-passwords passwords.csv",
        "Tickets and containers, each under a password of its own."),
    ],
    outcomes: OrganizerCommand.outcomes.filter { $0.status != .badData } + [
      .init(.badData, "Rows were left out; the others went through.")
    ])

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    var folder = try EventFolder(values[OrganizerCommand.directory])
    let listed = values[OrganizerCommand.listed]
    let areAsked = try ContainerOptions.areGiven(values)
    let withContainers = areAsked || values[ownPasswords] != nil
    let plan = try read(values[file], folder, withContainers: withContainers)
    let issuing = Issuing(issuer: folder.issuer, issuerKey: try folder.issuerKey())
    // Where nobody gets a container, no password is asked for, and no file of passwords is begun.
    var passwords = plan.wanted.isEmpty ? nil : try Passwords(values)
    let batch = withContainers ? containerBatch : batch
    var list = listed ? try TokenListFile(folder.paths.attendees) : nil
    try EventFolder.makeDirectory(folder.paths.tickets)
    let progress = ProgressLine("Making tickets", total: plan.wanted.count)
    defer { progress.finish() }
    var rest = plan.wanted[...]
    while !rest.isEmpty {
      var made = Batch()
      defer { made.wipe() }
      for attendee in rest.prefix(batch) {
        let ticket = try issuing.ticket(
          id: attendee.id, name: attendee.name, validity: attendee.validity, key: values[OrganizerCommand.key],
          listed: listed, file: folder.paths.ticket(attendee.id))
        made.tickets.append(ticket)
        if let password = passwords?.next(for: attendee) {
          let container = try issuing.container(
            .attendee, id: attendee.id, name: attendee.name, validity: attendee.validity, identity: ticket.identity,
            password: password, now: Timestamp.wallTime)
          made.containers.append((EventFolder.Paths.container(ticket.entry.file), container))
        }
        progress.advance()
      }
      try passwords?.write()
      try write(made, &list, &folder)
      rest = rest.dropFirst(batch)
    }
    progress.finish()
    return report(plan, folder.paths, withContainers: withContainers)
  }

  /// Where the containers' passwords come from.
  private struct Passwords {
    private var same: SecretBytes?
    private var own: OwnPasswords?

    /// The same for all, or with --own-passwords one for each; nil where no container is asked for.
    init?(_ values: CommandLineValues) throws(ExampleError) {
      if let path = values[ownPasswords] {
        guard try PasswordSource(values) == nil else {
          throw ExampleError(.usage, "--own-passwords makes passwords, so none is to be given: leave --password-… out.")
        }
        own = try OwnPasswords(path)
      } else {
        guard let password = try ContainerOptions.newPassword(values, for: "all attendees") else { return nil }
        same = password
      }
    }

    mutating func next(for attendee: ImportPlan.Attendee) -> SecretBytes? {
      same ?? own?.next(for: attendee.id, name: attendee.name)
    }

    func write() throws(ExampleError) {
      try own?.write()
    }
  }

  /// What is made between two looks at the disk.
  private struct Batch {
    var tickets: [IssuedTicket] = []
    var containers: [(path: String, bytes: [UInt8])] = []

    mutating func wipe() {
      for index in tickets.indices { SecretBytes.wipe(&tickets[index].text) }
    }
  }

  private static func read(
    _ path: String, _ folder: borrowing EventFolder, withContainers: Bool
  ) throws(ExampleError) -> ImportPlan {
    do throws(FileError) {
      let bytes = try FileReading.read(path, what: "CSV file", limit: limit)
      do throws(CSVError) {
        return try ImportPlan(bytes, register: folder.register, withContainers: withContainers, now: Timestamp.wallTime)
      } catch {
        throw FileError(.badData, "“\(path)”, line \(error.line), column \(error.column): \(error.message)")
      }
    } catch {
      throw ExampleError(error)
    }
  }

  // Passwords first, then tickets and containers, then the list, then the register: what an interruption leaves behind is in no
  // register, and the next run makes it anew.
  private static func write(
    _ made: Batch, _ list: inout TokenListFile?, _ folder: inout EventFolder
  ) throws(ExampleError) {
    do throws(FileError) {
      try AtomicFile.write(
        made.tickets.map { ($0.entry.file, $0.text) }, in: folder.paths.tickets, what: "ticket file", access: .secret,
        replacing: true)
      try AtomicFile.write(
        made.containers, in: folder.paths.tickets, what: "container", access: .secret, replacing: true)
    } catch {
      throw ExampleError(error)
    }
    try list?.add(made.tickets.compactMap(\.listed))
    try list?.write()
    try folder.record(made.tickets.map(\.entry))
  }

  private static func report(_ plan: ImportPlan, _ paths: EventFolder.Paths, withContainers: Bool) -> ExitStatus {
    for error in plan.errors.sorted(by: { ($0.line, $0.column) < ($1.line, $1.column) }) {
      LineOutput.standardError.say("line \(error.line), column \(error.column): \(error.message)")
    }
    var parts = [
      "Made \(count(plan.wanted.count, "ticket"))\(withContainers ? ", each with its container," : "") in \(paths.tickets)."
    ]
    if plan.alreadyThere > 0 {
      let hint =
        withContainers
        ? " For a container they need: organizer renew \(ShellWord.quoted(paths.directory)) ID --container" : ""
      parts.append("\(count(plan.alreadyThere, "row")) had one already.\(hint)")
    }
    if !plan.errors.isEmpty {
      parts.append(
        "\(count(plan.errors.count, "row")) left out: see the lines above, and import the corrected file again.")
    }
    LineOutput.standardOutput.writeLine(parts.joined(separator: " "))
    return plan.errors.isEmpty ? .success : .badData
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }
}
