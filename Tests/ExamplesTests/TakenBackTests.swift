internal import ExampleSupport
internal import Foundation
internal import TestSupport
internal import Testing

/// The organizer takes things back, and a kiosk that runs learns of it.
@Suite("What was taken back", .serialized, .bounded)
struct TakenBackTests {
  let organizer: OrganizerProcess
  private var event: String { organizer.event }
  private let password: String
  private let list: String

  init() async throws {
    organizer = try OrganizerProcess()
    password = try organizer.write("correct horse battery staple\n", "password")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password)
    list = "\(organizer.folder)/event/revocations.list"
    try await make("init", event, "--event", "Demo Day")
    try await make("kiosk", event, "--name", "Hall A", "--password-file", password)
    try await make("issue", event, "--name", "Ada Lovelace", "--password-file", password)
  }

  private func make(_ words: String...) async throws {
    let result = try await ChildProcess.finish("organizer", words)
    try #require(result.exit == .status(0), "\(result.errors)")
  }

  private func kiosk(_ listen: String = "tcp://127.0.0.1:0", _ more: String...) -> [String] {
    ["--listen", listen, "--identity", "\(event)/kiosks/hall-a.kiosk", "--issuer", "\(event)/issuer.pem", "--json"]
      + ["--container", "\(event)/kiosks/hall-a.p12", "--password-file", password, "--insecure-plaintext"]
      + ["--revocations", list] + more
  }

  /// How it ends when somebody with this ticket comes, in plain text or with the certificate beside the ticket.
  private func visit(_ endpoint: String, _ who: String = "ada-lovelace", _ more: String...) async throws
    -> FinishedProcess
  {
    let tickets = "\(event)/tickets/\(who)"
    let security =
      endpoint.hasPrefix("tls+")
      ? ["--container", "\(tickets).p12", "--password-file", password] : ["--insecure-plaintext"]
    return try await ChildProcess.finish(
      "attendee",
      ["--connect", endpoint, "--ticket", "\(tickets).ticket", "--issuer", "\(event)/issuer.pem", "--json"]
        + security + more)
  }

  private func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path))
  }

  private func replaceList(with bytes: Data) throws {
    try bytes.write(to: URL(filePath: list), options: .atomic)
  }

  @Test("R26: a kiosk that runs refuses what is taken back, ticket and certificate, and drops no session for it")
  func refuses() async throws {
    try await make("issue", event, "--name", "Grace Hopper", "--password-file", password)
    try await ChildProcess.run("kiosk", kiosk("tls+tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0")) { kiosk in
      try await kiosk.event("listening", 2)
      let (plain, tls) = (try kiosk.endpoint("tcp://"), try kiosk.endpoint("tls+tcp://"))
      // Grace is in the middle of her check-in while Ada's ticket, and her own, are taken back.
      let tickets = "\(event)/tickets/grace-hopper"
      let grace = [
        "--connect", tls, "--ticket", "\(tickets).ticket", "--issuer", "\(event)/issuer.pem", "--json",
        "--container", "\(tickets).p12", "--password-file", password, "--authenticator", "pin",
      ]
      try await ChildProcess.run("attendee", grace) { grace in
        let pin = try #require(try await grace.event("pin")["pin"])
        #expect(Set(kiosk.events("in_force").map { $0["what"] }) == ["container", "revocations"])
        try await make("revoke", event, "ada-lovelace")
        let taken = try await kiosk.event("reloaded")
        #expect(taken["what"] == "revocations" && taken["message"]?.contains("1 attendee") == true)
        try await make("revoke", event, "grace-hopper")
        try await kiosk.event("reloaded", 2)
        kiosk.type("\(pin)\n")
        #expect(try await grace.exit() == .status(0), "\(grace.outputText)")
      }
      let refused = try await visit(plain)
      #expect(refused.exit == .status(1) && refused.reason == "revoked")
      let turnedAway = try await visit(tls)
      #expect(turnedAway.exit == .status(69))
      #expect(turnedAway.events("unreachable").first?["code"] == "certificate_refused")
      #expect(try await kiosk.event("peer_turned_away")["message"]?.contains("taken back") == true)
      try await make("revoke", event, "ada-lovelace", "--undo")
      try await kiosk.event("reloaded", 3)
      // The plain answer stands for its request; a new one is admitted.
      #expect(try await visit(tls).exit == .status(0))
    }
  }

  @Test("a ticket and its certificate are taken back alone, by their serial, and the one after them is good")
  func bySerial() async throws {
    let old = "\(organizer.folder)/old"
    try FileManager.default.copyItem(atPath: "\(event)/tickets", toPath: old)
    let renewed = try await organizer.run("renew", event, "ada-lovelace", "--password-file", password)
    let line = try #require(renewed.output.split(separator: "\n").last { $0.contains("organizer revoke") })
    let serial = try #require(line.split(separator: " ").last.map(String.init))
    try await make("revoke", event, "ada-lovelace", "--serial", serial)
    #expect(try await organizer.run("revoke", event, "ada-lovelace", "--serial", "abcdef").status == 65)
    try await ChildProcess.run("kiosk", kiosk("tls+tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0")) { kiosk in
      try await kiosk.event("listening", 2)
      let (plain, tls) = (try kiosk.endpoint("tcp://"), try kiosk.endpoint("tls+tcp://"))
      let identity = ["--issuer", "\(event)/issuer.pem", "--json"]
      let ticket = try await ChildProcess.finish(
        "attendee", ["--connect", plain, "--ticket", "\(old)/ada-lovelace.ticket", "--insecure-plaintext"] + identity)
      #expect(ticket.reason == "revoked")
      let certificate = try await ChildProcess.finish(
        "attendee",
        [
          "--connect", tls, "--ticket", "\(event)/tickets/ada-lovelace.ticket", "--container",
          "\(old)/ada-lovelace.p12",
        ]
          + ["--password-file", password] + identity)
      #expect(certificate.exit == .status(69))
      #expect(try await visit(tls).exit == .status(0))
    }
  }

  @Test(
    "R26: a list that is damaged, foreign or unsigned is reported, and the one before stays in force, until a good one comes"
  )
  func keepsTheLastGood() async throws {
    try await make("revoke", event, "ada-lovelace")
    let good = try content(list)
    let other = "\(organizer.folder)/other"
    try await make("init", other, "--event", "Other Day", "--id", "demo-day")
    var text = String(decoding: good, as: UTF8.self)
    text = text.replacingOccurrences(of: "\n0oRD", with: "\n0oRE")
    try await ChildProcess.run("kiosk", kiosk()) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      let broken: [(Data, String)] = [
        (Data("id\nnobody\n".utf8), "BEGIN"), (Data(text.utf8), "damaged"), (good.dropLast(40), "cut off"),
        (try content("\(other)/revocations.list"), "not signed by the issuer"), (Data(), "it is empty"),
      ]
      for (index, (bytes, word)) in broken.enumerated() {
        try replaceList(with: bytes)
        let failed = try await kiosk.event("reload_failed", index + 1)
        #expect(failed["what"] == "revocations")
        #expect(failed["message"]?.contains(word) == true, "\(failed)")
        #expect(try await visit(endpoint).reason == "revoked")
      }
      try FileManager.default.removeItem(atPath: list)
      let gone = try await kiosk.event("reload_failed", broken.count + 1)
      #expect(gone["message"]?.contains("Is the path right?") == true)
      #expect(try await visit(endpoint).reason == "revoked")
      try await kiosk.complaint("stays in force")
      try replaceList(with: good)
      try await kiosk.event("reloaded")
      try await make("issue", event, "--name", "Grace Hopper")
      try await make("revoke", event, "grace-hopper")
      try await kiosk.event("reloaded", 2)
      #expect(try await visit(endpoint, "grace-hopper").reason == "revoked")
    }
  }

  @Test("R26: an older list is refused: while the kiosk runs, and by one with a ledger also after a restart")
  func refusesRollback() async throws {
    let old = try content(list)
    try await make("revoke", event, "ada-lovelace")
    let new = try content(list)
    let ledger = "\(organizer.folder)/ledger.sqlite"
    try await ChildProcess.run("kiosk", kiosk("tcp://127.0.0.1:0", "--ledger", ledger)) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      try replaceList(with: old)
      let failed = try await kiosk.event("reload_failed")
      #expect(failed["message"]?.contains("this is an old one") == true, "\(failed)")
      #expect(try await visit(endpoint).reason == "revoked")
    }
    let again = try await ChildProcess.finish("kiosk", kiosk("tcp://127.0.0.1:0", "--ledger", ledger))
    #expect(again.exit == .status(65))
    #expect(again.errors.contains("this is an old one") && again.errors.contains("Copy the newest one"))
    // One without a memory cannot know; one that is given no list at all says what that means.
    try await ChildProcess.run("kiosk", kiosk()) { kiosk in
      _ = try await kiosk.event("listening")
    }
    let none = kiosk("tcp://127.0.0.1:0", "--ledger", ledger).filter { $0 != "--revocations" && $0 != list }
    try await ChildProcess.run("kiosk", none) { kiosk in
      try await kiosk.event("listening")
      try await kiosk.complaint("has used a list of what was taken back before")
    }
    try replaceList(with: new)
    try await ChildProcess.run("kiosk", kiosk("tcp://127.0.0.1:0", "--ledger", ledger)) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      #expect(try await visit(endpoint).reason == "revoked")
    }
  }

  @Test("on SIGHUP container and list are read again, also unchanged, and a session goes on")
  func hangup() async throws {
    try await ChildProcess.run("kiosk", kiosk()) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      let ada = [
        "--connect", endpoint, "--ticket", "\(event)/tickets/ada-lovelace.ticket", "--issuer", "\(event)/issuer.pem",
        "--json", "--insecure-plaintext", "--authenticator", "pin",
      ]
      try await ChildProcess.run("attendee", ada) { ada in
        let pin = try #require(try await ada.event("pin")["pin"])
        kiosk.signal(SIGHUP)
        try await kiosk.event("reloaded", 2)
        kiosk.signal(SIGHUP)
        try await kiosk.event("reloaded", 4)
        #expect(Set(kiosk.events("reloaded").map { $0["what"] }) == ["container", "revocations"])
        try Data("no container".utf8).write(to: URL(filePath: "\(event)/kiosks/hall-a.p12"), options: .atomic)
        kiosk.signal(SIGHUP)
        #expect(try await kiosk.event("reload_failed")["what"] == "container")
        kiosk.type("\(pin)\n")
        #expect(try await ada.exit() == .status(0), "\(ada.outputText)")
      }
    }
  }

  @Test("a kiosk does not start with a list that it cannot use", arguments: ["unsigned", "missing", "another event's"])
  func refusesAtStart(what: String) async throws {
    switch what {
    case "unsigned": try replaceList(with: Data("id,revoked_at\nada-lovelace,\n".utf8))
    case "missing": try FileManager.default.removeItem(atPath: list)
    default:
      try await make("init", "\(organizer.folder)/other", "--event", "Other Day")
      try replaceList(with: try content("\(organizer.folder)/other/revocations.list"))
    }
    let end = try await ChildProcess.finish("kiosk", kiosk())
    #expect(end.exit == .status(what == "missing" ? 66 : 65), "\(end.errors)")
    #expect(end.errors.contains("list of what was taken back"))
    #expect(end.output.isEmpty)
  }

  @Test("a token of a list is taken back with its attendee, while the kiosk runs")
  func listedToken() async throws {
    try await make("issue", event, "--name", "Grace Hopper", "--listed")
    let arguments = kiosk("tcp://127.0.0.1:0", "--attendees", "\(event)/attendees.csv")
    try await ChildProcess.run("kiosk", arguments) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      try await make("revoke", event, "grace-hopper")
      try await kiosk.event("reloaded")
      #expect(try await visit(endpoint, "grace-hopper").reason == "revoked")
    }
    try await make("revoke", event, "grace-hopper", "--undo")
    try await ChildProcess.run("kiosk", arguments) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      #expect(try await visit(endpoint, "grace-hopper").exit == .status(0))
    }
  }
}
