internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import SocketIO
internal import Synchronization
internal import TCPTransport
internal import TestSupport
internal import Testing

/// The programs, with containers that the organizer wrote, over TLS.
@Suite("The programs over TLS", .serialized, .bounded)
struct TLSStoryTests {
  let organizer: OrganizerProcess
  private var event: String { organizer.event }
  private let password: String

  init() async throws {
    organizer = try OrganizerProcess()
    password = try organizer.write("correct horse battery staple\n", "password")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password)
    try await make("init", event, "--event", "Demo Day")
    try await make("kiosk", event, "--name", "Hall A", "--password-file", password)
    try await make("issue", event, "--name", "Ada Lovelace", "--password-file", password)
    try await make("issue", event, "--name", "Grace Hopper", "--password-file", password)
  }

  private func make(_ words: String...) async throws {
    let result = try await ChildProcess.finish("organizer", words)
    try #require(result.exit == .status(0), "\(result.errors)")
  }

  private func kiosk(_ listen: String, _ more: [String] = []) -> [String] {
    ["--listen", listen, "--identity", "\(event)/kiosks/hall-a.kiosk", "--issuer", "\(event)/issuer.pem", "--json"]
      + more
  }

  private var kioskContainer: [String] {
    ["--container", "\(event)/kiosks/hall-a.p12", "--password-file", password]
  }

  private func attendee(_ connect: String, _ who: String = "ada-lovelace", container: String? = nil) -> [String] {
    [
      "--connect", connect, "--ticket", "\(event)/tickets/\(who).ticket", "--issuer", "\(event)/issuer.pem",
      "--container", container ?? "\(event)/tickets/\(who).p12", "--password-file", password, "--json",
    ]
  }

  @Test("the story, over TCP and Unix sockets", arguments: ["tls+tcp://127.0.0.1:0", "tls+unix://"])
  func story(listen: String) async throws {
    try await ProcessFolder.with { folder in
      let url = listen.hasSuffix("//") ? "\(listen)\(folder.path("k.sock"))" : listen
      try await ChildProcess.run("kiosk", kiosk(url, kioskContainer)) { kiosk in
        let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
        let ada = try await ChildProcess.finish("attendee", attendee(endpoint))
        #expect(ada.exit == .status(0), "\(ada.output)\(ada.errors)")
        let again = try await ChildProcess.finish("attendee", attendee(endpoint))
        #expect(again.exit == .status(1))
        #expect(again.events("result").first?["reason"] == "already_admitted")
      }
    }
  }

  @Test(
    "R23: who shows a certificate that was taken back, or none, is turned away and told so; the kiosk says why, and serves on"
  )
  func refuses() async throws {
    try await make("revoke", event, "grace-hopper")
    let list = ["--revocations", "\(event)/revocations.list"]
    try await ChildProcess.run("kiosk", kiosk("tls+tcp://127.0.0.1:0", kioskContainer + list)) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      let grace = try await ChildProcess.finish("attendee", attendee(endpoint, "grace-hopper"))
      #expect(grace.exit == .status(69))
      #expect(grace.events("unreachable").first?["code"] == "certificate_refused")
      // Tried once: a certificate that is refused is refused again.
      #expect(grace.events("retrying").isEmpty)
      let turnedAway = try await kiosk.event("peer_turned_away")
      #expect(turnedAway["code"] == "certificate_refused")
      #expect(turnedAway["message"]?.contains("Grace Hopper") == true)
      let bare = try await ChildProcess.finish(
        "attendee", Array(attendee(endpoint).filter { $0 != "--json" }.prefix(6)) + ["--json"])
      #expect(bare.exit == .status(64), "\(bare.errors)")
      let ada = try await ChildProcess.finish("attendee", attendee(endpoint))
      #expect(ada.exit == .status(0), "\(ada.errors)")
    }
  }

  @Test("a container of another role or event is refused by the program that is given it", arguments: [true, false])
  func refusesOthersContainers(ofRole: Bool) async throws {
    let other = "\(event)-other"
    defer { try? FileManager.default.removeItem(atPath: other) }
    if !ofRole {
      try await make("init", other, "--event", "Another Day")
      try await make("kiosk", other, "--name", "Hall A", "--password-file", password)
    }
    let container = ofRole ? "\(event)/tickets/ada-lovelace.p12" : "\(other)/kiosks/hall-a.p12"
    let arguments = ["--container", container, "--password-file", password]
    let kiosk = try await ChildProcess.finish("kiosk", kiosk("tls+tcp://127.0.0.1:0", arguments))
    #expect(kiosk.exit == .status(65) && kiosk.events("listening").isEmpty)
    #expect(kiosk.errors.contains(ofRole ? "only a kiosk's is accepted" : "not signed by"), "\(kiosk.errors)")
    let phone = try await ChildProcess.finish(
      "attendee", attendee("tls+tcp://127.0.0.1:1", container: "\(event)/kiosks/hall-a.p12"))
    #expect(phone.exit == .status(65))
    #expect(phone.errors.contains("only an attendee's is accepted"), "\(phone.errors)")
  }

  @Test(
    "a container that cannot be opened ends the program with what is wrong",
    arguments: [("wrong", "password"), ("garbage", "container")])
  func refusesContainers(what: String, word: String) async throws {
    let wrong = try organizer.write("another\n", "wrong")
    let garbage = try organizer.write("this is no container", "garbage.p12")
    let arguments =
      what == "wrong"
      ? ["--container", "\(event)/kiosks/hall-a.p12", "--password-file", wrong]
      : ["--container", garbage, "--password-file", password]
    let run = try await ChildProcess.finish("kiosk", kiosk("tls+tcp://127.0.0.1:0", arguments))
    #expect(run.exit == .status(65))
    #expect(run.errors.contains(word), "\(run.errors)")
    #expect(!run.errors.contains("another") && !run.errors.contains("correct horse"))
  }

  @Test(
    "containers with outdated ciphers are opened only where that is asked for, and the error says how to convert them")
  func outdatedCiphers() async throws {
    let secret = "file:\(password)"
    func outdated(_ path: String) async throws -> String {
      let (pem, old) = ("\(organizer.folder)/all.pem", "\(path.dropLast(4))-old.p12")
      for words in [
        ["-in", path, "-passin", secret, "-nodes", "-out", pem],
        [
          "-export", "-in", pem, "-passout", secret, "-out", old, "-keypbe", "PBE-SHA1-3DES", "-certpbe",
          "PBE-SHA1-3DES",
        ]
          + ["-macalg", "sha1"],
      ] {
        let run = try await ChildProcess.finish("/usr/bin/openssl", ["pkcs12"] + words)
        try #require(run.exit == .status(0), "\(run.errors)")
      }
      return old
    }
    let kioskOld = try await outdated("\(event)/kiosks/hall-a.p12")
    let adaOld = try await outdated("\(event)/tickets/ada-lovelace.p12")
    let allow = "--allow-outdated-cipher"
    let arguments = kiosk("tls+tcp://127.0.0.1:0", ["--container", kioskOld, "--password-file", password])
    let refused = try await ChildProcess.finish("kiosk", arguments)
    #expect(refused.exit == .status(65))
    try await ChildProcess.run("kiosk", arguments + [allow]) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      let ada = attendee(endpoint, container: adaOld)
      let alsoRefused = try await ChildProcess.finish("attendee", ada)
      #expect(alsoRefused.exit == .status(65))
      for errors in [refused.errors, alsoRefused.errors] {
        #expect(errors.contains("outdated cipher. Convert it with: ("), "\(errors)")
        #expect(errors.contains("openssl pkcs12 -legacy") && errors.contains(allow), "\(errors)")
      }
      let admitted = try await ChildProcess.finish("attendee", ada + [allow])
      #expect(admitted.exit == .status(0), "\(admitted.errors)")
    }
    let shown = try await ChildProcess.finish("organizer", ["show", adaOld, "--password-file", password, allow])
    #expect(shown.exit == .status(0) && shown.output.contains("Ada Lovelace"))
  }

  @Test("a renewed container is picked up while sessions go on, also with another password; a wrong one is not")
  func reloads() async throws {
    try await ChildProcess.run("kiosk", kiosk("tls+tcp://127.0.0.1:0", kioskContainer)) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      // Grace is in the middle of her check-in while the container changes.
      try await ChildProcess.run("attendee", attendee(endpoint, "grace-hopper") + ["--authenticator", "pin"]) { grace in
        let pin = try #require(try await grace.event("pin")["pin"])
        let container = URL(filePath: "\(event)/kiosks/hall-a.p12")
        let own = try Data(contentsOf: container)
        try Data(contentsOf: URL(filePath: "\(event)/tickets/ada-lovelace.p12")).write(to: container, options: .atomic)
        let failed = try await kiosk.event("reload_failed")
        #expect(failed["message"]?.contains("only a kiosk's is accepted") == true, "\(failed)")
        try own.write(to: container, options: .atomic)
        try await kiosk.event("reloaded", 1)
        let phonesPassword = "\(password)-phones"
        try FileManager.default.copyItem(atPath: password, toPath: phonesPassword)
        try Data("another\n".utf8).write(to: URL(filePath: password))
        try await make("renew", event, "hall-a", "--password-file", password)
        try await kiosk.event("reloaded", 2)
        let ada = attendee(endpoint).map { $0 == password ? phonesPassword : $0 }
        let visit = try await ChildProcess.finish("attendee", ada)
        #expect(visit.exit == .status(0), "\(visit.errors)")
        kiosk.type("\(pin)\n")
        #expect(try await grace.exit() == .status(0), "\(grace.outputText)")
      }
    }
  }

  @Test("R7: what travels shows neither token nor PIN; in plain text it shows both", arguments: [true, false])
  func hidesSecrets(inTLS: Bool) async throws {
    let loops = try EventLoopGroup(count: 1)
    let tcp = TCPTransport(loops: loops)
    let tap = try await WireTap(tcp)
    let prefix = inTLS ? "tls+tcp" : "tcp"
    let security = inTLS ? kioskContainer : ["--insecure-plaintext"]
    try await ChildProcess.run("kiosk", kiosk("\(prefix)://127.0.0.1:0", security)) { kiosk in
      let endpoint = try Endpoint(#require(try await kiosk.event("listening")["endpoint"]))
      tap.pass(to: Endpoint(scheme: "tcp", address: endpoint.address))
      let arguments = attendee("\(prefix)://\(tap.address)") + (inTLS ? [] : ["--insecure-plaintext"])
      try await ChildProcess.run("attendee", arguments + ["--authenticator", "pin"]) { ada in
        let digits = try #require(try await ada.event("pin")["pin"])
        kiosk.type("\(digits)\n")
        #expect(try await ada.exit() == .status(0), "\(ada.outputText)")
        let ticket = try TicketFile.read(
          "\(event)/tickets/ada-lovelace.ticket", issuer: IssuerFile.read("\(event)/issuer.pem"))
        // As text of five bytes in CBOR (RFC 8949 §3.1).
        let pin = [0x65] + Array(digits.utf8)
        for (what, secret) in [("the token", ticket.token), ("the PIN", pin)] {
          #expect((tap.recorded.firstRange(of: secret) == nil) == inTLS, "\(what)")
        }
      }
    }
    await tap.end()
    await loops.shutdown()
  }
}

/// Stands between phone and kiosk on loopback, and keeps all that passes.
private final class WireTap: Sendable {
  private let listener: any Listener
  private let transport: TCPTransport
  private let bytes = Mutex<[UInt8]>([])
  private let task = Mutex<Task<Void, any Error>?>(nil)

  init(_ transport: TCPTransport) async throws {
    self.transport = transport
    listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
  }

  var address: String { listener.endpoint.address }
  var recorded: [UInt8] { bytes.withLock { $0 } }

  func pass(to kiosk: Endpoint) {
    let passing = Task { [self] in
      while true {
        let outside = try await listener.accept()
        let inside = try await transport.connect(to: kiosk, before: nil)
        Task { await copy(from: outside, to: inside) }
        Task { await copy(from: inside, to: outside) }
      }
    }
    task.withLock { $0 = passing }
  }

  func end() async {
    task.withLock { $0 }?.cancel()
    await listener.close()
  }

  private func copy(from: any Connection, to: any Connection) async {
    var queue = ByteQueue()
    while case .bytes? = try? await from.receive(into: &queue, before: nil) {
      let piece = queue.take(queue.count)
      bytes.withLock { $0 += piece }
      try? await to.send(piece, before: nil)
    }
    try? await to.finish()
  }
}
