internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import FileVault
internal import Foundation
internal import PictureMaking
internal import TestSupport
internal import Testing

/// enroll and enrollment-server as real processes.
@Suite("An enrollment, with real processes", .serialized, .bounded)
struct EnrollmentStoryTests {
  let scene: EnrollmentScene

  init() async throws {
    scene = try await EnrollmentScene()
  }

  @Test(
    "the story over TCP and Unix sockets, and then a check-in at a kiosk with the same identity, by PIN and by face",
    arguments: ["tls+tcp://127.0.0.1:0", "tls+unix://"])
  func story(listen: String) async throws {
    let isUnix = listen.hasSuffix("//")
    try await scene.server(isUnix ? listen + scene.path("s.sock") : listen, ["--review-after", "1"]) {
      server, endpoint in
      let end = try await scene.enrolled(endpoint)
      // The built-in container opened the registration, the personal one all that came after it.
      #expect(end.events("connected").compactMap { $0["container"] } == ["installation", "personal"])
      let statuses = end.events("answered").filter { $0["operation"] == "kolla_statusen" }.compactMap { $0["status"] }
      #expect(statuses.first == "228" && statuses.last == "0")
      #expect(Set(statuses) == ["228", "222", "223", "227", "0"])
      try noSecrets(in: [end.output, end.errors, server.outputText, server.errorText])
      try await checkIn(isUnix ? listen + scene.path("k.sock") : listen, endpoint)
    }
    #expect(try scene.mode("me") == 0o700 && scene.mode("me-device") == 0o700)
    for name in ["me/seal", "me/personal-device.p12", "me/progress", "me-device/secret", "server/records.sqlite"] {
      #expect(try scene.mode(name) == 0o600, "\(name)")
    }
    #expect(!FileManager.default.fileExists(atPath: scene.path("me/token")), "the token is not kept")
    #expect(!FileManager.default.fileExists(atPath: scene.path("me/personal.p12")), "nor the container under it")
    // Named by content, and without a word of where they were taken.
    #expect(scene.pictures.count == 2)
    for name in scene.pictures {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: scene.path("server/pictures/\(name)"))))
      #expect(bytes.firstRange(of: Array(TestPicture.place.utf8)) == nil)
      #expect(try scene.mode("server/pictures/\(name)") == 0o600)
    }
  }

  private func noSecrets(in texts: [String]) throws {
    let outbox = try FileManager.default.contentsOfDirectory(atPath: scene.path("outbox"))
    let message = try String(contentsOfFile: scene.path("outbox/\(try #require(outbox.first))"), encoding: .utf8)
    #expect(message.hasPrefix("To: \(EnrollmentScene.phone)\n\n"))
    let code = try #require(FourDigits(inMessage: String(message.dropFirst(EnrollmentScene.phone.utf8.count + 4))))
    for text in texts {
      #expect(!text.contains("701234567") && !text.contains("AB1234567") && !text.contains("2580"))
      #expect(!text.contains("\"\(String(decoding: code.digits, as: UTF8.self))\""))
    }
  }

  private func checkIn(_ listen: String, _ server: String) async throws {
    let kiosk = [
      "--listen", listen, "--identity", "\(scene.event)/kiosks/hall-a.kiosk", "--issuer", "\(scene.event)/issuer.pem",
      "--container", "\(scene.event)/kiosks/hall-a.p12", "--password-file", scene.password, "--json",
    ]
    let pin = try scene.write(Array("2580\n".utf8), "pin")
    let wrong = try scene.write(Array("2581\n".utf8), "wrong-pin")
    try await ChildProcess.run("kiosk", kiosk) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      let attendee = [
        "--connect", endpoint, "--enrolled", scene.data, "--enrollment-server", server, "--issuer",
        "\(scene.event)/issuer.pem", "--json",
      ]
      let refused = try await ChildProcess.finish("attendee", attendee + ["--password-file", wrong])
      #expect(refused.exit == .status(1) && refused.errors.contains("Tries left: 4"), "\(refused.errors)")
      let unseen = try await ChildProcess.finish(
        "attendee", attendee + ["--unlock", "biometric", "--biometric", "reject"])
      #expect(unseen.exit == .status(1))
      let ada = try await ChildProcess.finish("attendee", attendee + ["--password-file", pin])
      #expect(ada.exit == .status(0), "\(ada.output)\(ada.errors)")
      let again = try await ChildProcess.finish("attendee", attendee + ["--unlock", "biometric"])
      #expect(again.reason == "already_admitted", "\(again.output)\(again.errors)")
    }
  }

  /// Runs enroll with these lines until it says something, and kills it. `stopping`: the server stands still from before the
  /// lines are typed until after the kill, so that no answer comes.
  private func kill(
    _ endpoint: String, typing lines: String = "", after screen: String? = nil, at event: String, _ key: String,
    _ values: [String], number: Int = 1, stopping server: ChildProcess? = nil, cameras: [String]? = nil
  ) async throws -> ProcessEvent {
    let arguments = scene.enroll(endpoint, cameras: cameras).map { $0 == scene.path("outbox") ? "ask" : $0 }
    return try await ChildProcess.run("enroll", arguments) { enroll in
      if let screen { try await enroll.event("screen") { $0["screen"] == screen } }
      server?.signal(SIGSTOP)
      defer { server?.signal(SIGCONT) }
      enroll.type(lines)
      let seen = try await enroll.event(event, number) { $0[key].map(values.contains) == true }
      enroll.signal(SIGKILL)
      _ = try await enroll.exit()
      return seen
    }
  }

  @Test("killed at every step and started again, it goes on from there")
  func killed() async throws {
    let selfie = [scene.path("selfie.jpg")]
    try await scene.server("tls+tcp://127.0.0.1:0", ["--review-after", "1"]) { server, endpoint in
      let phone = "phone \(EnrollmentScene.phone)\n"
      _ = try await kill(endpoint, at: "screen", "screen", ["phone"])
      _ = try await kill(
        endpoint, typing: phone, after: "phone", at: "asked", "operation", ["skicka_sms"], stopping: server)
      _ = try await kill(endpoint, typing: phone, after: "phone", at: "screen", "screen", ["code"])
      // The code is typed and no answer comes: the same request goes out again at the next start.
      let code = "code \(try scene.newestCode())\n"
      _ = try await kill(
        endpoint, typing: code, after: "code", at: "asked", "operation", ["registera_kund"], stopping: server)
      _ = try await kill(endpoint, at: "screen", "screen", ["passport_number"])
      _ = try await kill(endpoint, at: "asked", "operation", ["kolla_statusen"])
      _ = try await kill(
        endpoint, typing: "passport AB1234567\n", after: "passport_number", at: "asked", "operation",
        ["skicka_passnummer"], stopping: server)
      // Whether the server has had the number, only its status says.
      let next = try await kill(endpoint, at: "screen", "screen", ["passport_number", "camera"])
      if next["screen"] == "passport_number" {
        _ = try await kill(
          endpoint, typing: "passport AB1234567\n", after: "passport_number", at: "screen", "screen", ["camera"])
      }
      _ = try await kill(endpoint, at: "asked", "operation", ["fraga_uppladdning"])
      _ = try await kill(endpoint, at: "asked", "operation", ["skicka_pass"], number: 2)
      _ = try await kill(endpoint, at: "screen", "screen", ["processing"])
      _ = try await kill(endpoint, at: "screen", "picture", ["selfie"], cameras: selfie)
      _ = try await kill(endpoint, at: "asked", "operation", ["skicka_selfie"], number: 2, cameras: selfie)
      _ = try await kill(endpoint, at: "screen", "screen", ["choose_pin"], cameras: selfie)
      _ = try await kill(
        endpoint, typing: "pin 2580\npin 2580\n", after: "choose_pin", at: "asked", "operation", ["logga_in"])
      let end = try await scene.login(endpoint, "pin 2580\n")
      #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
      // All the dying left one account and two pictures.
      #expect(scene.pictures.count == 2, "\(scene.pictures)")
      #expect(try await scene.account()["status"] == "0")
      #expect(server.events("answered").filter { $0["result"] == "gone" }.isEmpty)
    }
  }

  @Test("killed while the container is on its way: the URL is used, so the person begins again")
  func lostContainer() async throws {
    try await scene.server { server, endpoint in
      let lost = try await ChildProcess.run("enroll", scene.enroll(endpoint)) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("answered") { $0["operation"] == "hamta_behallare" }
        enroll.signal(SIGKILL)
        _ = try await enroll.exit()
        return enroll.events("asked").filter { $0["operation"] == "kolla_statusen" }.isEmpty
      }
      // What would be on the disk, had the kill come between the answer and the disk.
      if !lost || FileManager.default.fileExists(atPath: scene.path("me/personal.p12")) {
        let token = [UInt8](repeating: 1, count: 16)
        try VaultOptions.vault(scene.data, device: nil, biometrics: nil, clock: SystemClock()).save(
          .granted(url: "enroll:/container/\(String(repeating: "0", count: 64))", token: SecretBytes(token)))
      }
      try await ChildProcess.run("enroll", scene.enroll(endpoint)) { enroll in
        let dialog = try await enroll.event("dialog")
        #expect(dialog["dialog"] == "register_again")
        enroll.type("yes\nphone \(EnrollmentScene.phone)\npassport AB1234567\npin 2580\npin 2580\n")
        let end = try await enroll.finished(atMost: .seconds(90))
        #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
      }
      try await server.event("answered") { $0["result"] == "gone" }
    }
  }

  @Test(
    "the server away when the code is in: “connection error, send again?”, and again it goes when the server is back")
  func serverAway() async throws {
    let socket = "tls+unix://\(scene.path("s.sock"))"
    try await ChildProcess.run(
      "enroll", scene.enroll(socket).map { $0 == scene.path("outbox") ? "ask" : $0 }
    ) { enroll in
      try await scene.server(socket) { _, _ in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "code" }
      }
      enroll.type("code \(try scene.newestCode())\n")
      let dialog = try await enroll.event("dialog")
      #expect(dialog["text"] == "Connection error. Send again?")
      try await scene.server(socket) { _, _ in
        enroll.type("yes\n")
        try await enroll.event("screen") { $0["screen"] == "passport_number" }
      }
    }
  }

  @Test("on a terminal: a large control sends the SMS, four boxes take the code, and Ctrl-C gives the terminal back")
  func terminal() async throws {
    try await scene.server { _, endpoint in
      let arguments = scene.enroll(endpoint).filter { $0 != "--json" }.map { $0 == scene.path("outbox") ? "ask" : $0 }
      let screen = ChildProcess.Stream.terminal(rows: 24, columns: 80)
      try await ChildProcess.run("enroll", arguments, input: screen, output: screen) { enroll in
        try await enroll.picture("the control") { $0.text.contains("Send SMS") }
        enroll.type("0701234567\r")
        try await enroll.picture("what is wrong") { $0.text.contains("Begin with the country code") }
        enroll.type(String(repeating: "\u{7f}", count: 10) + "+46701234567")
        try await enroll.picture("the number in groups") { $0.text.contains("+46 70 123 45 67") }
        // A click on the control, in the form that terminals report it.
        let lines = try #require(enroll.picture).text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("Send SMS") })
        let column = try #require(lines[row].range(of: "Send SMS")).lowerBound.utf16Offset(in: lines[row])
        enroll.type("\u{1b}[<0;\(column + 3);\(row + 1)M")
        try await enroll.picture("the boxes") { $0.text.contains("The code of the SMS to +46 70 123 45 67") }
        let wrong = String(format: "%04d", (try #require(Int(try scene.newestCode())) + 1) % 10_000)
        enroll.type(wrong)
        try await enroll.picture("the question") { $0.text.contains("2 tries are left") }
        enroll.type("y")
        try await enroll.picture("the boxes again") { !$0.text.contains("tries are left") }
        enroll.type(try scene.newestCode())
        try await enroll.picture("the passport") { $0.text.contains("The number of your passport") }
        enroll.type("\u{3}")
        #expect(try await enroll.exit() == .status(1))
      }
    }
  }
}
