internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import PKCS12Container

/// `organizer show`: says what is in a file, in words.
enum ShowCommand {
  private static let file = CommandLineArgument<String>.positional("FILE", .file, "The file to look into.")
  private static let issuer = CommandLineArgument<String?>.option(
    "issuer", .file, "The event’s issuer.pem, by which a container, a ticket, a kiosk’s identity or a list is checked.")

  private static let revocations = CommandLineArgument<String?>.option(
    "revocations", .file, "The event’s revocations.list; with --issuer it is said whether what is shown was taken back."
  )

  static let command = CommandLineCommand(
    "show",
    summary: "says what is in a container, certificate, ticket, identity or list",
    discussion: [
      "It prints no private key and no password. A container’s password is asked for, unless an option says where it is; "
        + "a ticket, a kiosk’s identity and a list of what was taken back need --issuer. Whether something was taken back "
        + "stands in that list alone: give it with --revocations."
    ],
    arguments: [file, issuer, revocations, ContainerFile.outdatedArgument] + PasswordSource.options,
    examples: [
      .init("organizer show event/tickets/ada-lovelace.p12", "What is in a container."),
      .init("organizer show event/tickets/ada-lovelace.ticket --issuer event/issuer.pem", "What a ticket says."),
    ],
    outcomes: [.init(.success), .init(.badData), .init(.noInput), .init(.inputOutput)])

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let path = values[file]
    do throws(FileError) {
      let ground = try Ground(values)
      var bytes = try FileReading.read(path, what: "file", limit: PKCS12Container.largest + 1)
      defer { SecretBytes.wipe(&bytes) }
      let lines =
        if isText(bytes) {
          try text(bytes, path, ground)
        } else if let certificate = try? Certificate(der: bytes.span) {
          ground.lines(certificate)
        } else {
          try container(
            bytes, path, try place(values), allowsOutdatedCipher: values[ContainerFile.outdatedArgument], ground)
        }
      for line in lines { LineOutput.standardOutput.writeLine(line.printable) }
      return .success
    } catch {
      throw ExampleError(error)
    }
  }

  /// What a file is judged by.
  private struct Ground {
    let issuer: IssuerFile?
    let takenBack: RevocationList?
    let now = Timestamp.wallTime

    init(_ values: CommandLineValues) throws(FileError) {
      issuer = try values[ShowCommand.issuer].map { path throws(FileError) in try IssuerFile.read(path) }
      guard let path = values[revocations] else {
        takenBack = nil
        return
      }
      guard let issuer else {
        throw FileError(.usage, "To check the list, say whose it should be: --issuer issuer.pem")
      }
      takenBack = try RevocationFile.read(path, issuer: issuer)
    }

    func lines(_ certificate: Certificate) -> [String] {
      certificate.lines(now: now) + standing(of: certificate.id, certificate.serial)
    }

    func lines(_ credential: Credential) -> [String] {
      credential.lines(now: now) + standing(of: credential.subject, credential.serial)
    }

    /// Whether the list, where there is one, takes this back.
    private func standing(of id: String?, _ serial: [UInt8]) -> [String] {
      guard let takenBack else { return [] }
      let isTaken = takenBack.serials.contains(serial) || id.map { takenBack.attendees.contains($0) } ?? false
      return ["  taken back: \(isTaken ? "yes" : "no"), says list \(takenBack.number)"]
    }
  }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.first != 0x30 && String(validating: bytes, as: UTF8.self)?.contains("-----BEGIN ") == true
  }

  private static func place(_ values: CommandLineValues) throws(FileError) -> PasswordSource {
    do throws(ExampleError) {
      return try PasswordSource(values) ?? .prompt
    } catch {
      throw FileError(error.status, error.description)
    }
  }

  /// A container. One that opens without a password is not asked for one.
  private static func container(
    _ bytes: [UInt8], _ path: String, _ place: PasswordSource, allowsOutdatedCipher: Bool, _ ground: Ground
  ) throws(FileError) -> [String] {
    let container: Container
    do throws(ContainerError) {
      do throws(ContainerError) {
        container = try PKCS12Container.read(
          bytes, password: nil, now: nil, allowsOutdatedCipher: allowsOutdatedCipher)
      } catch {
        // Trying both encodings of no password is twice the work, which may be too much where the right one is not.
        guard [.wrongPassword, .tooMuchWork].contains(error.code) else { throw error }
        let password = try password(place, path)
        container = try PKCS12Container.read(
          bytes, password: password, now: nil, allowsOutdatedCipher: allowsOutdatedCipher)
      }
    } catch {
      if let cause = error.cause as? FileError { throw cause }
      throw FileError(.badData, "“\(path.printable)”: \(error.message)")
    }
    if let issuer = ground.issuer, let why = refusal(container, by: issuer) {
      throw FileError(.badData, "“\(path.printable)” is not this event’s: \(why)")
    }
    let chain = container.chain.flatMap { ground.lines($0).map { "  \($0)" } }
    return ["Container with a private key."] + ground.lines(container.certificate)
      + (chain.isEmpty ? [] : ["Above it:"] + chain)
  }

  /// Why a container is not of that issuer and event; nil where it is. Its times do not matter.
  private static func refusal(_ container: Container, by issuer: IssuerFile) -> String? {
    let certificate = container.certificate
    guard let authority = issuer.certificate else { return "the issuer file holds no certificate to judge by." }
    let policy = CertificatePolicy(
      issuers: [authority], event: issuer.event, role: certificate.role ?? .attendee,
      now: { max(certificate.notBefore, authority.notBefore) })
    guard case .failure(let refusal) = policy.judge([certificate] + container.chain) else { return nil }
    return refusal.message
  }

  private static func password(_ place: PasswordSource, _ path: String) throws(ContainerError) -> SecretBytes {
    do throws(FileError) {
      return try place.read(for: "container \(path)", isNew: false)
    } catch {
      throw ContainerError(.wrongPassword, error.message, cause: error)
    }
  }

  private static func text(_ bytes: [UInt8], _ path: String, _ ground: Ground) throws(FileError) -> [String] {
    let blocks: [TextBlock]
    do throws(TextBlock.Fault) {
      blocks = try TextBlock.read(bytes)
    } catch {
      throw FileError(.badData, "“\(path.printable)” cannot be used: \(error.message).")
    }
    let labels = Set(blocks.map(\.label))
    if labels.contains("CHECKIN ISSUER") {
      let issuer = try IssuerFile.read(path)
      return ["Issuer of the event “\(issuer.name)” (\(issuer.event))."]
        + (issuer.certificate.map { ground.lines($0) } ?? ["It has no certificate."])
    }
    if labels.contains("CHECKIN TOKEN") {
      return ["Token of a list, with its private key. Whose it is stands in the list attendees.csv."]
    }
    if labels.contains(RevocationFile.label) {
      guard let issuer = ground.issuer else {
        throw FileError(.usage, "To check a list, say whose it should be: --issuer issuer.pem")
      }
      return try RevocationFile.read(path, issuer: issuer).lines
    }
    if labels.contains("CHECKIN TICKET") || labels.contains("CHECKIN KIOSK CREDENTIAL") {
      guard let issuer = ground.issuer else {
        throw FileError(.usage, "To check a ticket or an identity, say whose it should be: --issuer issuer.pem")
      }
      if labels.contains("CHECKIN TICKET") {
        return try TicketFile.read(path, issuer: issuer).credential.map { ground.lines($0) } ?? []
      }
      return ground.lines(try KioskFile.read(path, issuer: issuer).credential)
    }
    let certificates = blocks.filter { $0.label == Certificate.label }
    guard !certificates.isEmpty else {
      throw FileError(
        .badData,
        "“\(path.printable)” holds \(labels.sorted().inWords), which is none of what this shows.")
    }
    var lines: [String] = []
    for block in certificates {
      do throws(TextBlock.Fault) {
        lines += ground.lines(try Certificate(block: block.content))
      } catch {
        throw FileError(.badData, "“\(path.printable)” cannot be used: \(error.message).")
      }
    }
    return lines
  }
}

extension Credential {
  /// What it says, in words: lines.
  fileprivate func lines(now: WallTime) -> [String] {
    let standing = now.standing(from: validity.validFrom, until: validity.validUntil)
    return [
      "\(role == .kiosk ? "Kiosk’s identity" : "Ticket"), signed by the event’s issuer, with its private key: \(name)",
      "  event: \(eventName) (\(event))", "  id: \(subject)", "  \(validity.words): \(standing)",
      "  serial: \(hexadecimal(serial))",
    ]
  }
}

extension RevocationList {
  /// What it says, in words: lines.
  fileprivate var lines: [String] {
    ["List of what was taken back, signed by the event’s issuer: \(summary).", "  event: \(event)"]
      + attendees.map { "  attendee: \($0)" } + serials.map { "  serial: \(hexadecimal($0))" }
  }
}
