internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import OpenSSLCryptography
internal import TestSupport
internal import Testing
internal import TicketTokens
internal import TokenList

@Suite("The organizer program", .serialized, .bounded)
struct OrganizerTests {
  let organizer: OrganizerProcess
  private var event: String { organizer.event }

  init() async throws {
    organizer = try OrganizerProcess()
    let made = try await organizer.run("init", organizer.event, "--event", "Demo Day")
    try #require(made.status == 0, "\(made.errors)")
  }

  private var issuer: IssuerFile {
    get throws { try IssuerFile.read("\(event)/issuer.pem") }
  }

  @Test("makes an issuer whose key is its owner’s alone, and never replaces it")
  func makesIssuer() async throws {
    let key = try organizer.read("event/issuer.key")
    #expect(try organizer.permissions("issuer.key") == 0o600)
    #expect(try organizer.permissions("issuer.pem") == 0o644)
    #expect(try issuer.event == "demo-day")
    #expect(try issuer.name == "Demo Day")
    let again = try await organizer.run("init", event, "--event", "Other Day", "--key", "es256")
    #expect(again.status == 73)
    #expect(again.errors.contains("has an issuer already, and it is not replaced"))
    #expect(try organizer.read("event/issuer.key") == key)
    // A folder with a key and no public file is one too.
    try FileManager.default.removeItem(atPath: "\(event)/issuer.pem")
    #expect(try await organizer.run("init", event, "--event", "Other Day").status == 73)
    #expect(try organizer.read("event/issuer.key") == key)
  }

  @Test("issues a ticket that a kiosk takes", arguments: ["ed25519", "es256"])
  func issues(kind: String) async throws {
    let result = try await organizer.run(
      "issue", event, "--name", "Ada Lovelace", "--valid-from", "2026-12-01", "--valid-until=2026-12-02", "--gate",
      "Hall A", "--gate", "Hall B", "--key", kind)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("\(event)/tickets/ada-lovelace.ticket: the ticket of Ada Lovelace"))
    #expect(try organizer.permissions("tickets/ada-lovelace.ticket") == 0o600)
    let ticket = try TicketFile.read("\(event)/tickets/ada-lovelace.ticket", issuer: issuer)
    #expect(ticket.credential?.validity.validFrom == WallTime(secondsSince1970: 1_796_083_200))
    // The last day is inside.
    #expect(ticket.credential?.validity.validUntil == WallTime(secondsSince1970: 1_796_256_000))
    #expect(ticket.credential?.validity.gates == ["Hall A", "Hall B"])
    #expect(ticket.key.publicKey.algorithm == (kind == "es256" ? .es256 : .ed25519))
    let verifier = TicketTokenVerifier(
      issuer: try issuer.key, event: "demo-day", cryptography: OpenSSLCryptography())
    guard case .valid(let holder) = await verifier.judge(ticket.token) else {
      Issue.record("the ticket is not valid")
      return
    }
    #expect(holder.name == "Ada Lovelace")
    #expect(holder.attendee == "ada-lovelace")
  }

  @Test("gives everyone an identifier of their own, and refuses one that is taken")
  func givesIdentifiers() async throws {
    for _ in 0..<2 { try await organizer.run("issue", event, "--name", "Ada Lovelace") }
    try await organizer.run("issue", event, "--name", "名前")
    let names = organizer.names("tickets")
    #expect(names.count == 3)
    #expect(names.contains("ada-lovelace.ticket"))
    #expect(names.contains("ada-lovelace-2.ticket"))
    #expect(names.contains { $0.hasPrefix("attendee-") })
    for id in ["ada-lovelace", "ADA-lovelace"] {
      let taken = try await organizer.run("issue", event, "--name", "Mallory", "--id", id)
      #expect(taken.status == 73)
      #expect(taken.errors.contains("is Ada Lovelace’s already"))
    }
    #expect(organizer.names("tickets") == names)
  }

  @Test(
    "refuses what cannot be right, and makes nothing",
    arguments: [
      (["--name", ""], "it is empty"), (["--name", "a\nb"], "a line end"),
      (["--name", "x", "--id", "../x"], "letters A–Z"),
      (["--name", "x", "--id", ".x"], "begins with"),
      (["--name", "x", "--valid-from", "2026-02-30"], "no time such as"),
      (["--name", "x", "--valid-from", "2026-02-03", "--valid-until", "2026-02-02"], "ends before it begins"),
      (["--name", "x", "--key", "rsa"], "none of ed25519, es256"), (["--nmae", "x"], "Did you mean “--name”?"),
    ])
  func refuses(arguments: [String], words: String) async throws {
    let end = try await ChildProcess.finish("organizer", ["issue", event] + arguments)
    #expect(end.exit == .status(64))
    let result = try await organizer.run("issue", event, arguments[0], arguments[1])
    if arguments.count == 2 {
      #expect(result.errors.contains(words))
      #expect(organizer.names("tickets").isEmpty)
    }
  }

  @Test("writes to a file that is named, and does not replace one")
  func writesOut() async throws {
    let path = "\(organizer.folder)/ada.ticket"
    #expect(try await organizer.run("issue", event, "--name", "Ada Lovelace", "--out", path).status == 0)
    #expect(try TicketFile.read(path, issuer: issuer).credential?.name == "Ada Lovelace")
    let again = try await organizer.run("issue", event, "--name", "Grace Hopper", "--out", path)
    #expect(again.status == 73)
    #expect(again.errors.contains("is there already and is not replaced"))
    let list = try await organizer.run("list", event)
    #expect(!list.output.contains("Grace"))
  }

  @Test("makes listed tokens that a list takes, until they are taken back")
  func makesListed() async throws {
    try await organizer.run("issue", event, "--name", "Ada Lovelace", "--listed")
    try await organizer.run(
      "issue", event, "--name", "Lovelace, \"Countess\"", "--id", "countess", "--listed", "--gate", "Hall A")
    #expect(try organizer.permissions("attendees.csv") == 0o600)
    let path = "\(event)/tickets/countess.ticket"
    let token = try TicketFile.read(path, issuer: issuer).token
    #expect(token.count == 16)
    func judge() async throws -> TokenVerdict {
      let list = try TokenList(
        csv: Array(try organizer.read("event/attendees.csv").utf8), cryptography: OpenSSLCryptography())
      #expect(list.errors.isEmpty)
      #expect(list.count == 2)
      return await list.judge(token)
    }
    guard case .valid(let holder) = try await judge() else {
      Issue.record("the token is not valid")
      return
    }
    #expect(holder.name == "Lovelace, \"Countess\"")
    #expect(holder.gates == ["Hall A"])
    #expect(try await organizer.run("revoke", event, "countess").status == 0)
    guard case .refused(.revoked, _) = try await judge() else {
      Issue.record("the token is still valid")
      return
    }
  }

  @Test("makes a kiosk’s identity")
  func makesKiosk() async throws {
    let result = try await organizer.run("kiosk", event, "--name", "Hall A", "--gate", "North")
    #expect(result.status == 0)
    #expect(try organizer.permissions("kiosks/hall-a.kiosk") == 0o600)
    let kiosk = try KioskFile.read("\(event)/kiosks/hall-a.kiosk", issuer: issuer)
    #expect(kiosk.credential.role == .kiosk)
    #expect(kiosk.credential.name == "Hall A")
    #expect(kiosk.credential.validity.gates == ["North"])
    #expect(try await organizer.run("revoke", event, "hall-a").status == 65)
  }

  @Test("takes tickets back once, by an identifier that it knows")
  func revokes() async throws {
    try await organizer.run("issue", event, "--name", "Ada Lovelace")
    let wrong = try await organizer.run("revoke", event, "ada-lovelcae")
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("Did you mean “ada-lovelace”?"))
    for isNew in [true, false] {
      let taken = try await organizer.run("revoke", event, "ada-lovelace")
      #expect(taken.status == 0 && taken.output.contains("Copy it to the kiosks") == isNew, "\(taken.output)")
    }
    #expect(try organizer.read("event/revoked.csv").split(separator: "\r\n").count == 2)
    let list = try await organizer.run("list", event)
    #expect(list.output.contains("taken back"))
  }

  @Test(
    "each change makes a signed list with a higher number, which says what is taken back now, and undoing is a change")
  func signsLists() async throws {
    func read() throws -> RevocationList {
      try RevocationFile.read("\(event)/revocations.list", issuer: issuer)
    }
    let empty = try read()
    #expect(empty.attendees.isEmpty && empty.serials.isEmpty)
    #expect(try organizer.permissions("revocations.list") == 0o644)
    try await organizer.run("issue", event, "--name", "Ada Lovelace", "--serial", "00:AB:cd")
    try await organizer.run("issue", event, "--name", "Grace Hopper")
    var last = empty.number
    for (words, attendees, serials) in [
      (["ada-lovelace"], ["ada-lovelace"], []), (["grace-hopper"], ["ada-lovelace", "grace-hopper"], []),
      (["ada-lovelace", "--undo"], ["grace-hopper"], []),
      (["ada-lovelace", "--serial", "abcd"], ["grace-hopper"], [[0xab, 0xcd]]),
      (["ada-lovelace", "--serial", "abcd", "--undo"], ["grace-hopper"], []), (["grace-hopper", "--undo"], [], []),
    ] as [([String], [String], [[UInt8]])] {
      let end = try await ChildProcess.finish("organizer", ["revoke", event] + words)
      #expect(end.exit == .status(0), "\(end.errors)")
      let list = try read()
      #expect(list.attendees == attendees && list.serials == serials, "\(words)")
      #expect(list.number > last)
      last = list.number
    }
    // Nothing has changed, so the list stays; one that was lost or damaged is made again, with a higher number all the same.
    try await organizer.run("revoke", event, "grace-hopper", "--undo")
    #expect(try read().number == last)
    _ = try organizer.write("damaged", "event/revocations.list")
    try await organizer.run("revoke", event, "ada-lovelace")
    #expect(try read().attendees == ["ada-lovelace"])
    let shown = try await organizer.run("show", "\(event)/revocations.list", "--issuer", "\(event)/issuer.pem")
    #expect(shown.output.contains("attendee: ada-lovelace"), "\(shown.errors)")
    #expect(try await organizer.run("show", "\(event)/revocations.list").status == 64)
  }

  @Test("gives the serial that is asked for to ticket and kiosk, once, and none that cannot be")
  func chosenSerials() async throws {
    #expect(try await organizer.run("issue", event, "--name", "Ada", "--serial", "0a:1B").status == 0)
    let ticket = try TicketFile.read("\(event)/tickets/ada.ticket", issuer: issuer)
    #expect(ticket.credential?.serial == [0x0a, 0x1b])
    #expect(try await organizer.run("kiosk", event, "--name", "Hall A", "--serial", "7").status == 0)
    #expect(try KioskFile.read("\(event)/kiosks/hall-a.kiosk", issuer: issuer).credential.serial == [7])
    #expect(try await organizer.run("renew", event, "ada", "--serial", "0a1c").status == 0)
    #expect(try TicketFile.read("\(event)/tickets/ada.ticket", issuer: issuer).credential?.serial == [0x0a, 0x1c])
    // Also one that its holder has no more.
    let taken = try await organizer.run("issue", event, "--name", "Bob", "--serial", "000A1B")
    #expect(taken.status == 73 && taken.errors.contains("was given to Ada (ada) already"))
    for serial in [
      "", "0", "00:00", "xy", "80" + String(repeating: "00", count: 19), String(repeating: "1", count: 42),
    ] {
      let end = try await organizer.run("issue", event, "--name", "Bob", "--serial", serial)
      #expect(end.status == 64, "\(serial)")
    }
    let largest = "7f" + String(repeating: "ff", count: 19)
    #expect(try await organizer.run("issue", event, "--name", "Bob", "--serial", largest).status == 0)
    let list = try await organizer.run("list", event, "--json").output
    #expect(list.contains("\"serials\":[\"0a1b\",\"0a1c\"]"), "\(list)")
  }

  @Test("a register of an older organizer, without serials, is read and goes on")
  func olderRegister() async throws {
    try await organizer.run("issue", event, "--name", "Ada")
    let lines = try organizer.read("event/register.csv").split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ",")
    }
    _ = try organizer.write(lines.joined(separator: "\r\n") + "\r\n", "event/register.csv")
    #expect(try await organizer.run("revoke", event, "ada", "--serial", "1234").status == 0)
    #expect(try await organizer.run("issue", event, "--name", "Bob").status == 0)
    #expect(try await organizer.run("list", event).output.contains("2 tickets"))
  }

  @Test("lists as a table and as JSON")
  func lists() async throws {
    #expect(
      try await organizer.run("list", event).output == "“Demo Day” (demo-day) has no tickets and no kiosks yet.\n")
    try await organizer.run("issue", event, "--name", "Ada Lovelace", "--gate", "Hall A")
    try await organizer.run("kiosk", event, "--name", "Hall A")
    let table = try await organizer.run("list", event).output
    #expect(table.contains("ada-lovelace  ticket  Ada Lovelace"))
    #expect(table.hasSuffix("“Demo Day” (demo-day): 1 ticket, 0 taken back, 1 kiosk.\n"))
    let lines = try await organizer.run("list", event, "--json").output.split(separator: "\n")
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect(objects.map { $0?["id"] as? String } == ["ada-lovelace", "hall-a"])
    #expect(objects.map { $0?["kind"] as? String } == ["ticket", "kiosk"])
    #expect(objects[0]?["gates"] as? [String] == ["Hall A"])
  }

  @Test("on a terminal too narrow for the table, lists without cutting anything")
  func listsNarrow() async throws {
    let id = "an-identifier-that-is-quite-long"
    try await organizer.run(
      "issue", event, "--name", "Ada Lovelace", "--id", id, "--valid-from", "2026-12-01", "--valid-until", "2026-12-02",
      "--gate", "Hall A")
    let terminal = ChildProcess.Stream.terminal(rows: 24, columns: 60)
    try await ChildProcess.run("organizer", ["list", event], output: terminal) { child in
      let picture = try await child.picture("the end of the list") { $0.shows("1 ticket") }
      let text = picture.rows.prefix(4).joined(separator: " ").split(separator: " ").joined(separator: " ")
      #expect(
        text.contains(
          "\(id): ticket of Ada Lovelace, from 2026-12-01 00:00, until 2026-12-03 00:00, at Hall A"), "\(picture.text)")
      #expect(!picture.text.contains("…"))
      #expect(try await child.exit() == .status(0))
    }
  }

  @Test("says in words that a folder is no event’s, that its key is another’s, and that its register is damaged")
  func saysWhatIsWrong() async throws {
    let nowhere = try await organizer.run("list", "\(organizer.folder)/nowhere")
    #expect(nowhere.status == 66)
    #expect(nowhere.errors.contains("is no event’s folder"))
    try await organizer.run("init", "\(organizer.folder)/other", "--event", "Other Day")
    let key = try organizer.read("event/issuer.key")
    _ = try organizer.write(try organizer.read("other/issuer.key"), "event/issuer.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(event)/issuer.key")
    let mixed = try await organizer.run("issue", event, "--name", "Ada Lovelace")
    #expect(mixed.status == 65)
    #expect(mixed.errors.contains("does not belong to issuer.pem beside it"))
    #expect(mixed.errors.contains("chmod 600"))
    _ = try organizer.write(key, "event/issuer.key")
    _ = try organizer.write(
      "id,kind,name,issued_at,valid_from,valid_until,gate,file\nx,what,,,,,,\n", "event/register.csv")
    let damaged = try await organizer.run("issue", event, "--name", "Ada Lovelace")
    #expect(damaged.status == 65)
    #expect(damaged.errors.contains("is damaged in line 2, column 3"))
  }
}
