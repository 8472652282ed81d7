internal import Certificates
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// `organizer init`: makes an event's folder and its issuer.
enum InitCommand {
  private static let event = CommandLineArgument<String>.required("event", .name(), "The event’s name, for people.")
  private static let id = CommandLineArgument<String?>.option(
    "id", Identifier.format, "The event’s identifier; without it one is made from the name.")
  private static let key = CommandLineArgument<KeyKind>.option(
    "key", .oneOf(KeyKind.self, "KIND"), default: KeyKind.ed25519, shown: "ed25519", "The kind of the issuer’s key.")

  static let command = CommandLineCommand(
    "init",
    summary: "makes the folder of an event, with the key that signs its tickets",
    discussion: [
      "Makes DIR/issuer.key, which stays secret, DIR/issuer.pem, which kiosks and phones need, and DIR/revocations.list, the "
        + "signed list of what was taken back, for kiosks. An issuer that is there "
        + "is never replaced: every ticket would be worth nothing."
    ],
    arguments: [OrganizerCommand.directory, event, id, key],
    examples: [
      .init("organizer init event --event \"Demo Day 2026\"", "An event with the identifier demo-day-2026.")
    ],
    outcomes: [
      .init(.success), .init(.unavailable, "Another organizer is at work in the folder."),
      .init(.cannotCreate, "There is an issuer already, or the folder cannot be made."), .init(.inputOutput),
    ])

  static func run(_ values: CommandLineValues) throws(ExampleError) -> ExitStatus {
    let paths = EventFolder.Paths(values[OrganizerCommand.directory])
    let name = values[event]
    let id = values[id] ?? Identifier.make(from: name, prefix: "event") { _ in false }
    try EventFolder.makeDirectory(paths.directory)
    let lock = try EventFolder.lock(paths.directory)
    do {
      guard !FileReading.exists(paths.issuer), !FileReading.exists(paths.issuerKey) else {
        throw FileError(
          .cannotCreate,
          "“\(paths.directory.printable)” has an issuer already, and it is not replaced. Choose another folder.")
      }
      let key = try OpenSSLSigningKey.generate(values[key].algorithm)
      // Tickets have no end unless they name one, so neither has the issuer.
      let authority = try CertificateAuthority.make(
        event: id, eventName: name, key: PrivateKey(key),
        notBefore: Timestamp.wallTime.secondsSince1970 - Issuing.dateBack, notAfter: CertificateAuthority.noEnd)
      let issuer = IssuerFile(event: id, name: name, key: key.publicKey, certificate: authority.certificate)
      // The public file comes last: with it the folder is an event's.
      var secret = try key.pem().bytes
      defer { SecretBytes.wipe(&secret) }
      try AtomicFile.write(secret, to: paths.issuerKey, what: "issuer’s key", access: .secret, replacing: false)
      try SignedList.update(
        paths.revocations, from: TakenBackTable(paths.revoked), issuer: issuer, key: key)
      try AtomicFile.write(
        try issuer.text(), to: paths.issuer, what: "issuer file", access: .everybody, replacing: false)
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as ExampleError {
      throw error
    } catch let error as OpenSSLError {
      throw ExampleError(.internal, error.message)
    } catch let error as CertificateError {
      throw ExampleError(.internal, error.message)
    } catch {
      throw ExampleError(.internal, "The issuer cannot be made.")
    }
    _ = consume lock
    LineOutput.standardOutput.writeLine("The event “\(name)” (\(id)) is in \(paths.directory).")
    LineOutput.standardOutput.writeLine("  \(paths.issuer): give it to every kiosk and phone.")
    LineOutput.standardOutput.writeLine(
      "  \(paths.revocations): give it to every kiosk; nothing is taken back yet. See “organizer revoke”.")
    LineOutput.standardOutput.writeLine("  \(paths.issuerKey): keep it secret, and keep a copy.")
    return .success
  }
}
