internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import OpenSSLCryptography
internal import PKCS12Container
internal import TestSupport
internal import Testing

@Suite("The organizer’s import", .serialized, .bounded)
struct OrganizerImportTests {
  let organizer: OrganizerProcess
  private var event: String { organizer.event }

  init() async throws {
    organizer = try OrganizerProcess()
    let made = try await organizer.run("init", organizer.event, "--event", "Demo Day")
    try #require(made.status == 0, "\(made.errors)")
  }

  @Test("reads a spreadsheet’s file: byte order mark, CR LF, quotes, empty lines")
  func readsSpreadsheets() async throws {
    let path = try organizer.write(
      "\u{feff}id,Name,gate,valid_from,valid_until\r\n1815,\"Lovelace, Ada \"\"Countess\"\"\",Hall A;Hall B,2026-12-01,"
        + "2026-12-02T12:00:00+01:00\r\n\r\n,Grace Hopper,,,\r\n", "people.csv")
    let result = try await organizer.run("import", event, path)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output == "Made 2 tickets in \(event)/tickets.\n")
    #expect(organizer.names("tickets") == ["1815.ticket", "grace-hopper.ticket"])
    let issuer = try IssuerFile.read("\(event)/issuer.pem")
    let ada = try TicketFile.read("\(event)/tickets/1815.ticket", issuer: issuer).credential
    #expect(ada?.name == "Lovelace, Ada \"Countess\"")
    #expect(ada?.validity.gates == ["Hall A", "Hall B"])
    #expect(ada?.validity.validUntil == WallTime(secondsSince1970: 1_796_209_200))
  }

  @Test(
    "writes a container for everyone, each under a password of its own, which stands in a file that is its owner’s alone"
  )
  func ownPasswords() async throws {
    let people = try organizer.write("name,id\nAda Lovelace,ada\nGrace Hopper,grace\n", "people.csv")
    let passwords = "\(organizer.folder)/passwords.csv"
    let result = try await organizer.run("import", event, people, "--own-passwords", passwords)
    #expect(result.status == 0, "\(result.errors)")
    #expect(organizer.names("tickets") == ["ada.p12", "ada.ticket", "grace.p12", "grace.ticket"])
    #expect(try FileManager.default.attributesOfItem(atPath: passwords)[.posixPermissions] as? Int == 0o600)
    let rows = try CSVTable(Array(organizer.read("passwords.csv").utf8), required: ["id", "name", "password"]).rows
    #expect(rows.map { $0["id"]?.text } == ["ada", "grace"])
    let texts = rows.compactMap { $0["password"]?.text }
    #expect(Set(texts).count == 2 && texts.allSatisfy { $0.utf8.count == 23 })
    let issuer = try IssuerFile.read("\(event)/issuer.pem")
    let now = Int64(Date().timeIntervalSince1970)
    for (row, text) in zip(rows, texts) {
      let id = try #require(row["id"]?.text)
      let bytes = Array(try Data(contentsOf: URL(filePath: "\(event)/tickets/\(id).p12")))
      let container = try PKCS12Container.read(bytes, password: SecretBytes(Array(text.utf8)), now: now)
      let ticket = try TicketFile.read("\(event)/tickets/\(id).ticket", issuer: issuer)
      #expect(container.certificate.id == id && container.key.publicKey == ticket.key.publicKey)
      #expect(container.certificate.serial == ticket.credential?.serial)
      #expect(throws: ContainerError.self) {
        try PKCS12Container.read(bytes, password: SecretBytes(Array("other".utf8)), now: now)
      }
    }
    // The file is new, or nothing happens.
    let more = try organizer.write("name,id\nBob,bob\n", "more.csv")
    #expect(try await organizer.run("import", event, more, "--own-passwords", passwords).status == 73)
    #expect(!organizer.names("tickets").contains("bob.ticket"))
    let both = try await organizer.run(
      "import", event, more, "--own-passwords", "\(organizer.folder)/p2", "--password-env", "X")
    #expect(both.status == 64)
  }

  @Test(
    "writes containers under one password where one is given, for either kind of key", arguments: ["ed25519", "es256"])
  func onePassword(kind: String) async throws {
    let people = try organizer.write("name,id,valid_until\nAda,ada,2090-01-01\nBob,bob,\n", "people.csv")
    let end = try await ChildProcess.finish(
      "organizer", ["import", event, people, "--password-env", "CONTAINER_PASSWORD", "--key", kind],
      environment: ["CONTAINER_PASSWORD": "one for all"])
    #expect(end.exit == .status(0), "\(end.errors)")
    #expect(end.output.contains("2 tickets, each with its container"))
    for id in ["ada", "bob"] {
      let bytes = Array(try Data(contentsOf: URL(filePath: "\(event)/tickets/\(id).p12")))
      let container = try PKCS12Container.read(
        bytes, password: SecretBytes(Array("one for all".utf8)), now: Int64(Date().timeIntervalSince1970))
      #expect(container.key.publicKey.algorithm == (kind == "es256" ? .es256 : .ed25519))
      if id == "ada" { #expect(container.certificate.notAfter == 3_786_998_399) }
    }
  }

  @Test("names bad rows by line and column, and the others go through")
  func namesBadRows() async throws {
    let path = try organizer.write(
      """
      name,id,valid_from,valid_until,gate
      Ada Lovelace,a,,,
      Bad Date,b,yesterday,,
      ,c,,,
      "open,d,,,
      Twice,A,,,
      Wrong Id,../etc/passwd,,,
      Backwards,e,2026-02-02,2026-02-01,
      Too,many,fields,in,this,row
      No Gate,f,,,Hall A;;Hall B
      Tab\u{1},g,,,
      Grace Hopper,h,,,
      """, "people.csv")
    let result = try await organizer.run("import", event, path)
    #expect(result.status == 65)
    #expect(organizer.names("tickets") == ["a.ticket", "h.ticket"])
    let places = result.errors.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(
      places == [
        "line 3, column 12", "line 4, column 1", "line 5, column 1", "line 6, column 7", "line 7, column 10",
        "line 8, column 24", "line 9, column 25", "line 10, column 13", "line 11, column 1",
      ])
    #expect(result.errors.contains("line 6, column 7: The id “A” stands in line 2 already."))
    #expect(result.output.hasPrefix("Made 2 tickets in \(event)/tickets. 9 rows left out"))
  }

  @Test("can be done again with the corrected file: whoever has a ticket keeps it")
  func canBeDoneAgain() async throws {
    let first = try organizer.write(
      "name,id\nAda Lovelace,a\nGrace Hopper,\nGrace Hopper,\n,x\n", "first.csv")
    #expect(try await organizer.run("import", event, first).status == 65)
    let tickets = organizer.names("tickets")
    #expect(tickets == ["a.ticket", "grace-hopper-2.ticket", "grace-hopper.ticket"])
    let contents = try tickets.map { try organizer.read("event/tickets/\($0)") }
    let second = try organizer.write(
      "name,id\nAda Lovelace,a\nGrace Hopper,\nGrace Hopper,\nAlso Here,x\nMallory,a\n", "second.csv")
    let result = try await organizer.run("import", event, second)
    #expect(result.status == 65)
    #expect(result.output.hasPrefix("Made 1 ticket in \(event)/tickets. 3 rows had one already. 1 row left out"))
    #expect(result.errors == "line 6, column 9: The id “a” stands in line 2 already.\n")
    #expect(try tickets.map { try organizer.read("event/tickets/\($0)") } == contents)
    #expect(organizer.names("tickets").contains("x.ticket"))
    let third = try organizer.write("name,id\nMallory,a\n", "third.csv")
    #expect(
      try await organizer.run("import", event, third).errors
        == "line 2, column 9: The id “a” is Ada Lovelace’s already.\n")
  }

  @Test(
    "refuses a file that is not one, whole",
    arguments: [
      ("", "line 1, column 1"), ("id\n1\n", "The column “name” is missing"),
      ("name,phone\na,b\n", "“phone” is not a column here"), ("name,name\n", "stands twice"),
    ])
  func refusesOthers(text: String, words: String) async throws {
    let result = try await organizer.run("import", event, try organizer.write(text, "people.csv"))
    #expect(result.status == 65)
    #expect(result.errors.contains(words))
    #expect(organizer.names("tickets").isEmpty)
    #expect(try await organizer.run("import", event, "\(organizer.folder)/none.csv").status == 66)
  }

  @Test("makes a thousand tickets, each with its own key, in seconds")
  func makesThousand() async throws {
    let path = try organizer.write(
      "name\n" + (0..<1000).map { "Person \($0)\n" }.joined(), "people.csv")
    // Seconds on a machine of one's own; the suite's time limit is the bound for a busy one.
    let result = try await organizer.run("import", event, path)
    #expect(result.status == 0)
    #expect(result.output == "Made 1000 tickets in \(event)/tickets.\n")
    #expect(organizer.names("tickets").count == 1000)
    let issuer = try IssuerFile.read("\(event)/issuer.pem")
    let keys = try organizer.names("tickets").map {
      try TicketFile.read("\(event)/tickets/\($0)", issuer: issuer).key.publicKey
    }
    #expect(Set(keys).count == 1000)
    #expect(try await organizer.run("list", event, "--json").output.split(separator: "\n").count == 1000)
  }

  @Test("at the same time as others in one folder loses nothing")
  func worksBesideOthers() async throws {
    try await withThrowingTaskGroup(of: ProcessExit.self) { group in
      for number in 0..<4 {
        let path = try organizer.write(
          "name\n" + (0..<20).map { "Person \(number) \($0)\n" }.joined(), "people-\(number).csv")
        group.addTask { [event] in
          try await ChildProcess.finish("organizer", ["import", event, path, "--listed"], atMost: .seconds(100)).exit
        }
      }
      for try await exit in group { #expect(exit == .status(0)) }
    }
    #expect(organizer.names("tickets").count == 80)
    #expect(try await organizer.run("list", event, "--json").output.split(separator: "\n").count == 80)
    #expect(try organizer.read("event/attendees.csv").split(separator: "\r\n").count == 81)
  }

  @Test("that was killed in the middle leaves whole files, and the next one finishes the work")
  func survivesKill() async throws {
    let path = try organizer.write("name\n" + (0..<2000).map { "Person \($0)\n" }.joined(), "people.csv")
    try await ChildProcess.run("organizer", ["import", event, path]) { program in
      // As soon as some tickets are there, the rest is not.
      let deadline = ContinuousClock.now + .seconds(60)
      while organizer.names("tickets").count < 50, program.ended == nil, ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(2))
      }
      program.signal(SIGKILL)
      try await program.exit()
    }
    let issuer = try IssuerFile.read("\(event)/issuer.pem")
    for name in organizer.names("tickets") where name.hasSuffix(".ticket") {
      _ = try TicketFile.read("\(event)/tickets/\(name)", issuer: issuer)
    }
    let result = try await organizer.run("import", event, path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(organizer.names("tickets").count == 2000)
    #expect(try await organizer.run("list", event, "--json").output.split(separator: "\n").count == 2000)
  }
}
