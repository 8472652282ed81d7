internal import Certificates
internal import CheckInCore
internal import ExampleSupport

/// `organizer enrollment`: makes the container of an enrollment server.
enum EnrollmentCommand {
  static let command = CommandLineCommand(
    "enrollment",
    summary: "makes the container of an enrollment server",
    discussion: [
      "Writes DIR/enrollment/server.p12: key and certificate with which an “enrollment-server” proves what it is. Apps believe "
        + "no other server."
    ],
    arguments: [
      OrganizerCommand.directory, OrganizerCommand.validFrom, OrganizerCommand.validUntil, OrganizerCommand.gates,
      OrganizerCommand.key,
    ] + PasswordSource.options,
    examples: [.init("organizer enrollment event", "The server of this event, under a password that is asked for.")],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    try EnrollmentContainer(role: .enrollment, id: "enrollment-server", name: "Enrollment", file: "server.p12").make(
      values)
  }
}

/// `organizer installation`: makes the container that is built into every copy of an app.
enum InstallationCommand {
  static let command = CommandLineCommand(
    "installation",
    summary: "makes the container that is built into an app",
    discussion: [
      "Writes DIR/enrollment/install.pfx: the key and certificate that every copy of an app has, so neither it nor its "
        + "password is a secret. It opens the registration at the enrollment server, and nothing else."
    ],
    arguments: [
      OrganizerCommand.directory, OrganizerCommand.validFrom, OrganizerCommand.validUntil, OrganizerCommand.gates,
      OrganizerCommand.key,
    ] + PasswordSource.options,
    examples: [.init("organizer installation event --password-file app-password", "The container of an app.")],
    outcomes: OrganizerCommand.outcomes)

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    try EnrollmentContainer(role: .installation, id: "installation", name: "Installation", file: "install.pfx").make(
      values)
  }
}

/// One of the two containers that an enrollment begins with.
private struct EnrollmentContainer {
  let role: CertificateRole
  let id: String
  let name: String
  let file: String

  func make(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let folder = try EventFolder(values[OrganizerCommand.directory])
    let now = Timestamp.wallTime
    let validity = try OrganizerCommand.validity(values, now: now)
    let password: SecretBytes
    let key: PrivateKey
    do {
      password = try (try PasswordSource(values) ?? .prompt).read(for: "container \(file)", isNew: true)
      key = try PrivateKey.generate(values[OrganizerCommand.key].algorithm)
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as CertificateError {
      throw ExampleError(.internal, error.message)
    } catch {
      throw ExampleError(.usage, "\(error)")
    }
    let issuing = ContainerIssuing(issuer: folder.issuer, key: try folder.issuerKey())
    let (container, _) = try issuing.container(
      role, id: id, name: name, validity: validity, key: key, serial: nil, password: password, now: now)
    try EventFolder.makeDirectory(folder.paths.enrollment)
    let path = "\(folder.paths.enrollment)/\(file)"
    try EventFolder.write(container, to: path, what: "container", access: .secret, replacing: true)
    LineOutput.standardOutput.writeLine("\(path): the container \(name), \(validity.words).")
    return .success
  }
}
