internal import Certificates
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import OpenSSLCryptography
internal import PKCS12Container
internal import TestSupport
internal import Testing

@Suite("The organizer's containers", .serialized, .bounded)
struct OrganizerContainerTests {
  let organizer: OrganizerProcess
  private var event: String { organizer.event }
  private static let password = "Tr0ub4dor ☀ and 3"

  init() async throws {
    organizer = try OrganizerProcess()
    let made = try await organizer.run("init", organizer.event, "--event", "Demo Day")
    try #require(made.status == 0, "\(made.errors)")
  }

  private var now: Int64 { Int64(Date().timeIntervalSince1970) }

  private var issuer: IssuerFile {
    get throws { try IssuerFile.read("\(event)/issuer.pem") }
  }

  private func container(_ name: String) throws -> Container {
    let bytes = Array(try Data(contentsOf: URL(filePath: "\(event)/\(name)")))
    return try PKCS12Container.read(bytes, password: SecretBytes(Array(Self.password.utf8)), now: now)
  }

  private func passwordFile(_ text: String = password + "\n") throws -> String {
    let path = try organizer.write(text, "password")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return path
  }

  private func judge(_ certificate: Certificate, as role: CertificateRole) throws -> Bool {
    let now = now
    let policy = CertificatePolicy(
      issuers: [try #require(try issuer.certificate)], event: "demo-day", role: role, now: { now })
    return (try? policy.judge([certificate]).get()) != nil
  }

  @Test(
    "an issued container has the ticket's key and serial, and a certificate that a kiosk accepts",
    arguments: ["ed25519", "es256"])
  func issues(kind: String) async throws {
    let result = try await organizer.run(
      "issue", event, "--name", "Ada Lovelace", "--key", kind, "--password-file", try passwordFile())
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output.contains("tickets/ada-lovelace.p12"))
    #expect(try organizer.permissions("tickets/ada-lovelace.p12") == 0o600)
    let container = try container("tickets/ada-lovelace.p12")
    let ticket = try TicketFile.read("\(event)/tickets/ada-lovelace.ticket", issuer: issuer)
    #expect(container.key.publicKey == ticket.key.publicKey)
    #expect(container.certificate.serial == Array(try #require(ticket.credential).serial.drop { $0 == 0 }))
    #expect(container.certificate.id == "ada-lovelace" && container.certificate.name == "Ada Lovelace")
    #expect(container.chain == [try #require(try issuer.certificate)])
    #expect(try judge(container.certificate, as: .attendee))
    #expect(try !judge(container.certificate, as: .kiosk))
    // Dated back by five minutes.
    #expect((now - 400...now - 300).contains(container.certificate.notBefore))
  }

  @Test("a kiosk's container is a kiosk's, with its times, and the password may come from the environment")
  func kiosk() async throws {
    let end = try await ChildProcess.finish(
      "organizer",
      [
        "kiosk", event, "--name", "Hall A", "--valid-from", "2026-01-01", "--valid-until", "2090-01-01",
        "--password-env", "CONTAINER_PASSWORD",
      ], environment: ["CONTAINER_PASSWORD": "\(Self.password)\r"])
    #expect(end.exit == .status(0), "\(end.errors)")
    let container = try container("kiosks/hall-a.p12")
    #expect(try container.certificate.notBefore == #require(try issuer.certificate).notBefore)
    #expect(container.certificate.notAfter == 3_786_998_399)
    #expect(try judge(container.certificate, as: .kiosk))
  }

  @Test("without being asked for one, no container is made")
  func notAsked() async throws {
    try await organizer.run("issue", event, "--name", "Ada")
    #expect(organizer.names("tickets") == ["ada.ticket"])
  }

  @Test("at a terminal the password is asked for twice and never shown, and two that differ make nothing")
  func prompt() async throws {
    let terminal = ChildProcess.Stream.terminal(rows: 24, columns: 100)
    for (second, status) in [("other", Int32(65)), (Self.password, 0)] {
      try await ChildProcess.run(
        "organizer", ["issue", event, "--name", "Ada", "--container"], input: terminal, output: terminal,
        errors: terminal
      ) { child in
        try await child.picture("Password for the container of Ada:") {
          $0.text.contains("Password for the container of Ada:")
        }
        child.type("x\u{7f}\(Self.password)\r")
        try await child.picture("The same again:") { $0.text.contains("The same again:") }
        child.type("\(second)\r")
        let exit = try await child.exit(atMost: .seconds(30))
        #expect(exit == .status(status))
        let shown = child.picture?.text ?? ""
        #expect(!shown.contains("Tr0ub4dor") && !shown.contains("other"), "\(shown)")
      }
      #expect(organizer.names("tickets") == (status == 0 ? ["ada.p12", "ada.ticket"] : []))
    }
    #expect(try container("tickets/ada.p12").certificate.id == "ada")
  }

  @Test("a password that cannot be had makes nothing, and says why")
  func noPassword() async throws {
    for (arguments, status) in [
      (["--container"], 66), (["--password-file", "/nowhere"], 66), (["--password-env", "CHECKIN_NOT_SET"], 66),
      (["--password-fd", "999"], 66), (["--password-file", try passwordFile("\n")], 65),
      (["--password-file", "/nowhere", "--password-env", "X"], 64),
    ] as [([String], Int32)] {
      let end = try await ChildProcess.finish("organizer", ["issue", event, "--name", "Ada"] + arguments)
      #expect(end.exit == .status(status), "\(arguments): \(end.errors)")
      #expect(!end.errors.isEmpty)
    }
    #expect(organizer.names("tickets").isEmpty)
  }

  @Test("show says what is in each file, and nothing secret")
  func show() async throws {
    let file = try passwordFile()
    try await organizer.run("issue", event, "--name", "Ada Lovelace", "--password-file", file)
    try await organizer.run("kiosk", event, "--name", "Hall A")
    let container = try await organizer.run("show", "\(event)/tickets/ada-lovelace.p12", "--password-file", file)
    #expect(container.status == 0)
    for line in ["Attendee’s certificate: Ada Lovelace", "event: demo-day", "id: ada-lovelace", "valid now", "Ed25519"]
    {
      #expect(container.output.contains(line), "\(line) in \(container.output)")
    }
    let issuer = try await organizer.run("show", "\(event)/issuer.pem")
    #expect(
      issuer.output.contains("Issuer of the event “Demo Day” (demo-day).")
        && issuer.output.contains("may issue others: yes"))
    let ticket = try await organizer.run(
      "show", "\(event)/tickets/ada-lovelace.ticket", "--issuer", "\(event)/issuer.pem")
    #expect(ticket.output.contains("Ticket, signed by the event’s issuer, with its private key: Ada Lovelace"))
    #expect(ticket.output.contains("valid at any time at every gate: valid now"), "\(ticket.output)")
    let kiosk = try await organizer.run("show", "\(event)/kiosks/hall-a.kiosk", "--issuer", "\(event)/issuer.pem")
    #expect(kiosk.output.contains("Kiosk’s identity") && kiosk.output.contains("id: hall-a"))
    let wrong = try passwordFile("wrong\n")
    let refused = try await organizer.run("show", "\(event)/tickets/ada-lovelace.p12", "--password-file", wrong)
    #expect(refused.status == 65 && refused.errors.contains("password is not the container"))
    #expect(!refused.errors.contains("wrong\n"))
    #expect(try await organizer.run("show", "\(event)/issuer.key").status == 65)
    #expect(try await organizer.run("show", "\(event)/tickets/ada-lovelace.ticket").status == 64)
  }

  @Test("show says of ticket and container whether the list takes them back, by attendee and by serial")
  func showTakenBack() async throws {
    let file = try passwordFile()
    for name in ["Ada", "Grace", "Joan"] {
      _ = try await organizer.run("issue", event, "--name", name, "--password-file", file)
    }
    let serial = hexadecimal(try container("tickets/grace.p12").certificate.serial)
    _ = try await organizer.run("revoke", event, "ada")
    _ = try await organizer.run("revoke", event, "grace", "--serial", serial)
    let ground = ["--issuer", "\(event)/issuer.pem", "--revocations", "\(event)/revocations.list"]
    for (id, isTaken) in [("ada", "yes"), ("grace", "yes"), ("joan", "no")] {
      for arguments in [["\(event)/tickets/\(id).ticket"], ["\(event)/tickets/\(id).p12", "--password-file", file]] {
        let end = try await ChildProcess.finish("organizer", ["show"] + arguments + ground)
        #expect(end.output.contains("taken back: \(isTaken), says list"), "\(end.output)")
      }
    }
    let alone = try await organizer.run(
      "show", "\(event)/tickets/ada.ticket", "--revocations", "\(event)/revocations.list")
    #expect(alone.status == 64 && alone.errors.contains("--issuer"), "\(alone.errors)")
  }

  @Test("renew keeps whose it is, changes the key and the times, and not what was taken back")
  func renew() async throws {
    let file = try passwordFile()
    try await organizer.run(
      "issue", event, "--name", "Ada", "--gate", "North", "--valid-until", "2090-01-01", "--password-file", file)
    let old = try container("tickets/ada.p12")
    let result = try await organizer.run(
      "renew", event, "ada", "--valid-until", "2091-01-01", "--key", "es256", "--password-file", file)
    #expect(result.status == 0, "\(result.errors)")
    let new = try container("tickets/ada.p12")
    #expect(new.certificate.id == "ada" && new.certificate.name == "Ada")
    #expect(new.certificate.serial != old.certificate.serial && new.key.publicKey.algorithm == .es256)
    #expect(new.certificate.notAfter > old.certificate.notAfter)
    let ticket = try TicketFile.read("\(event)/tickets/ada.ticket", issuer: issuer)
    #expect(ticket.credential?.validity.gates == ["North"] && ticket.key.publicKey == new.key.publicKey)
    let list = try await organizer.run("list", event, "--json").output
    #expect(list.split(separator: "\n").count == 1 && list.contains("2091-01-02T00:00:00Z"))
    try await organizer.run("revoke", event, "ada")
    #expect(try await organizer.run("renew", event, "ada").status == 65)
    #expect(try await organizer.run("renew", event, "nobody").status == 65)
  }

  @Test("an event of an older organizer has no certificate, and says so")
  func olderEvent() async throws {
    let older = IssuerFile(event: try issuer.event, name: try issuer.name, key: try issuer.key)
    try Data(try older.text()).write(to: URL(filePath: "\(event)/issuer.pem"))
    #expect(try await organizer.run("issue", event, "--name", "Ada").status == 0)
    let result = try await organizer.run("issue", event, "--name", "Bob", "--password-file", try passwordFile())
    #expect(result.status == 65 && result.errors.contains("no certificate"))
    #expect(organizer.names("tickets") == ["ada.ticket"])
  }

  @Test("a time that is over already is named, and nothing is made")
  func over() async throws {
    let result = try await organizer.run(
      "issue", event, "--name", "Past", "--valid-from", "2026-01-01", "--valid-until", "2026-02-01", "--password-file",
      try passwordFile())
    #expect(result.status == 65)
    #expect(result.errors.contains("is over already"), "\(result.errors)")
    #expect(organizer.names("tickets").isEmpty)
  }

  @Test("one that is not valid yet is shown, and is refused by another event's issuer")
  func shown() async throws {
    let password = try passwordFile()
    _ = try await organizer.run(
      "issue", event, "--name", "Later", "--valid-from", "2090-01-01", "--password-file", password)
    let path = "\(event)/tickets/later.p12"
    let right = try await organizer.run(
      "show", path, "--password-file", password, "--issuer", "\(event)/issuer.pem")
    #expect(right.status == 0 && right.output.contains("not valid yet"), "\(right.errors)")
    let other = "\(event)-other"
    defer { try? FileManager.default.removeItem(atPath: other) }
    _ = try await organizer.run("init", other, "--event", "Another Day")
    let wrong = try await organizer.run("show", path, "--password-file", password, "--issuer", "\(other)/issuer.pem")
    #expect(wrong.status == 65 && wrong.errors.contains("not this event’s"), "\(wrong.errors)")
  }

  @Test("renewed without its container, it is said that the old one stays; list says what was taken back by serial")
  func renewedWithout() async throws {
    _ = try await organizer.run("issue", event, "--name", "Ada Lovelace", "--password-file", try passwordFile())
    let serial = hexadecimal(try container("tickets/ada-lovelace.p12").certificate.serial)
    let renewed = try await organizer.run("renew", event, "ada-lovelace")
    #expect(renewed.status == 0 && renewed.errors.contains("still the container of before"), "\(renewed.errors)")
    _ = try await organizer.run("revoke", event, "ada-lovelace", "--serial", serial)
    let list = try await organizer.run("list", event)
    #expect(list.output.contains("1 of 2 taken back"), "\(list.output)")
    let undo = try await organizer.run("revoke", event, "ada-lovelace", "--undo")
    #expect(undo.output.contains("give --serial too, \(serial)"), "\(undo.output)")
  }
}
