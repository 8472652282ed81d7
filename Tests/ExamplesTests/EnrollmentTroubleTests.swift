internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import FileVault
internal import Foundation
internal import PictureMaking
internal import SQLiteEnrollmentStore
internal import SocketIO
internal import TCPTransport
internal import TestSupport
internal import Testing

/// enroll and enrollment-server as real processes, and what goes wrong between them.
@Suite("An enrollment in trouble, with real processes", .serialized, .bounded)
struct EnrollmentTroubleTests {
  let scene: EnrollmentScene

  init() async throws {
    scene = try await EnrollmentScene()
  }

  @Test("the code wrong three times: it is dead, and a new SMS helps")
  func wrongCodes() async throws {
    try await scene.server { _, endpoint in
      let arguments = scene.enroll(endpoint).map { $0 == scene.path("outbox") ? "ask" : $0 }
      try await ChildProcess.run("enroll", arguments) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "code" }
        let code = try scene.newestCode()
        let wrong = String(format: "%04d", (try #require(Int(code)) + 1) % 10_000)
        enroll.type("code \(wrong)\nyes\ncode \(wrong)\nyes\ncode \(wrong)\n")
        let texts = try await enroll.event("dialog", 3)
        #expect(texts["dialog"] == "new_code")
        #expect(enroll.events("dialog").map { $0["dialog"] } == ["wrong_code", "wrong_code", "new_code"])
        // The right one is worth nothing any more; another message has another.
        enroll.type("yes\n")
        try await enroll.event("answered", 2) { $0["operation"] == "skicka_sms" }
        enroll.type("code \(try scene.newestCode())\n")
        let answer = try await enroll.event("answered", 4) { $0["operation"] == "registera_kund" }
        #expect(answer["result"] == "done")
      }
    }
  }

  @Test("the URL works once, and the built-in container opens nothing once the personal one came")
  func once() async throws {
    let loops = try EventLoopGroup(count: 1)
    try await scene.server { server, endpoint in
      let raw = try RawEnrollment(scene, at: endpoint, loops: loops)
      #expect(try await raw.ask([.status]).first?.result == .notAllowed)
      _ = try await raw.ask([.sendCode(phone: EnrollmentScene.phone)])
      let request = RequestID(Bytes16([UInt8](repeating: 1, count: 16))!)
      let code = try #require(FourDigits(try scene.newestCode()))
      let registering = EnrollmentRequest.register(request: request, phone: EnrollmentScene.phone, code: code)
      // The same again after a lost answer, over another connection, gets the same.
      let first = try #require(try await raw.ask([registering]).first)
      let second = try #require(try await raw.ask([registering]).first)
      let url = try #require(first.url)
      #expect(second.url == url && second.token?.bytes == first.token?.bytes)
      let fetched = try await raw.ask([.fetchContainer(url: url), .fetchContainer(url: url)])
      #expect(fetched.map(\.result) == [.done, .gone])
      let afterwards = try await raw.ask([.sendCode(phone: EnrollmentScene.phone), registering, .status])
      #expect(afterwards.map(\.result) == [.usePersonal, .usePersonal, .notAllowed])
      // The personal one opens everything else, and no registration.
      try raw.vault.saveContainer(try #require(fetched[0].container), token: try #require(first.token))
      let personal = try await raw.ask(
        [.status, .sendCode(phone: EnrollmentScene.phone), .ticket], as: .personal(token: first.token))
      #expect(personal.map(\.result) == [.done, .notAllowed, .notNow] && personal[0].status == .passportNumber)
      try await server.event("answered") { $0["result"] == "use_personal" }
    }
    await loops.shutdown()
  }

  @Test("a kiosk's or foreign certificate does not get in, and an address without TLS is refused on both sides")
  func doors() async throws {
    try await scene.server { server, endpoint in
      let kiosk = scene.enroll(endpoint).map {
        $0.hasSuffix("install.pfx") ? "\(scene.event)/kiosks/hall-a.p12" : $0 == scene.appPassword ? scene.password : $0
      }
      let end = try await ChildProcess.run("enroll", kiosk) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        return try await enroll.finished()
      }
      #expect(end.exit == .status(69), "\(end.output)")
      #expect(try await server.event("peer_turned_away")["code"] == "certificate_refused")
    }
    let plain = try await ChildProcess.finish(
      "enrollment-server",
      [
        "serve", "--listen", "tcp://127.0.0.1:0", "--data", scene.path("server"), "--issuer",
        "\(scene.event)/issuer.pem", "--issuer-key", "\(scene.event)/issuer.key", "--container",
        "\(scene.event)/enrollment/server.p12", "--password-file", scene.password, "--outbox", scene.path("outbox"),
      ])
    #expect(plain.exit == .status(64) && plain.errors.contains("tls+"), "\(plain.errors)")
  }

  @Test("wrong PINs are counted by the server, the fifth locks, and staff can unlock", arguments: [1, 0])
  func locks(version: Int) async throws {
    try await scene.server { _, endpoint in
      try await scene.enrolled(endpoint, ["--seal-version", "\(version)"])
      var end = try await scene.login(endpoint, "face\n")
      #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
      end = try await scene.login(endpoint, "pin 2581\nyes\npin 2580\n")
      #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
      guard version == 1 else {
        // Version 0: the container itself says that the PIN was wrong, and the server never hears of it.
        #expect(end.events("failed").first?["failure"] == "container_locked")
        #expect(FileManager.default.fileExists(atPath: scene.path("me/personal.p12")))
        return
      }
      #expect(end.events("dialog").first?["dialog"] == "wrong_pin")
      end = try await scene.login(endpoint, "pin 1111\nyes\npin 2222\nyes\npin 3333\nyes\npin 4444\nyes\npin 5555\n")
      #expect(end.exit == .status(1) && end.events("finished").first?["outcome"] == "locked", "\(end.output)")
      end = try await scene.login(endpoint, "pin 2580\n")
      #expect(end.events("finished").first?["outcome"] == "locked")
      let account = try await scene.account()
      #expect(account.truth("locked") == true)
      let id = try #require(account["id"])
      let unlocked = try await ChildProcess.finish("enrollment-server", ["unlock", id, "--data", scene.path("server")])
      #expect(unlocked.exit == .status(0))
      end = try await scene.login(endpoint, "pin 2580\n")
      #expect(end.exit == .status(0), "\(end.output)")
    }
  }

  @Test("what is no picture, and one of 12 MB, are said for what they are, and the next one is taken")
  func badPictures() async throws {
    let text = try scene.write(Array("this is a text".utf8), "text.jpg")
    let whole = TestPicture.jpeg(width: 1200, height: 900)
    let cut = try scene.write(Array(whole.prefix(whole.count / 2)), "cut.jpg")
    let large = try scene.write(whole + [UInt8](repeating: 0, count: 12 << 20), "large.jpg")
    try await scene.server { server, endpoint in
      let cameras = [text, cut, large, scene.path("passport.jpg"), large, scene.path("selfie.jpg")]
      try await ChildProcess.run("enroll", scene.enroll(endpoint, cameras: cameras)) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\npassport AB1234567\nyes\nyes\nyes\nyes\npin 2580\npin 2580\n")
        let end = try await enroll.finished(atMost: .seconds(90))
        #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
        let texts = end.events("dialog").compactMap { $0["text"] }
        #expect(
          texts == [
            "\(EnrollmentResult.notAPicture.text) Take another picture?",
            "\(EnrollmentResult.notAPicture.text) Take another picture?",
            "The picture is too large. Take another picture?", "The picture is too large. Take another picture?",
          ])
      }
      #expect(!server.events("answered").contains { $0["result"] == "too_large" }, "nothing of it went out")
      #expect(scene.pictures.count == 2)
    }
  }

  @Test("the server too refuses what is too large, no picture, or not what its hash says")
  func serverRefuses() async throws {
    let loops = try EventLoopGroup(count: 1)
    try await scene.server { _, endpoint in
      try await ChildProcess.run("enroll", scene.enroll(endpoint)) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "passport_number" }
      }
      let raw = try RawEnrollment(scene, at: endpoint, loops: loops)
      let jpeg = TestPicture.jpeg(width: 200, height: 150, noise: 0)
      let digest = OpenSSLDigest.of(jpeg)
      let good = EnrollmentRequest.Upload(digest: digest, size: UInt64(jpeg.count))
      let large = EnrollmentRequest.Upload(digest: digest, size: 12 << 20)
      let other = EnrollmentRequest.Upload(digest: OpenSSLDigest.of([1]), size: UInt64(jpeg.count))
      let text = Array("no picture at all".utf8)
      let none = EnrollmentRequest.Upload(digest: OpenSSLDigest.of(text), size: UInt64(text.count))
      let answers = try await raw.ask(
        [
          .passportNumber("AB1234567"), .resume(.passport, large), .upload(.passport, large, offset: 0, chunk: jpeg),
          .upload(.passport, none, offset: 0, chunk: text), .upload(.passport, other, offset: 0, chunk: jpeg),
          .resume(.passport, other), .upload(.passport, good, offset: 5, chunk: [1]), .resume(.passport, good),
          .upload(.selfie, good, offset: 0, chunk: jpeg),
          .upload(.passport, good, offset: 0, chunk: Array(jpeg.prefix(100))), .resume(.passport, good),
          .upload(.passport, good, offset: 100, chunk: Array(jpeg.dropFirst(100))),
        ], as: .personal(token: nil))
      #expect(
        answers.map(\.result) == [
          .done, .tooLarge, .tooLarge, .notAPicture, .damaged, .done, .wrongOffset, .done, .notNow, .done, .done, .done,
        ])
      #expect(answers[5].offset == 0, "a damaged one is dropped")
      #expect(answers[10].offset == 100 && answers[11].status == .processing)
      #expect(scene.pictures.count == 1 && scene.pictures[0].hasSuffix("/\(hexadecimal(digest.bytes)).jpg"))
    }
    await loops.shutdown()
  }

  @Test("the connection cut at every tenth of an upload: it goes on from where the server has it")
  func cut() async throws {
    let loops = try EventLoopGroup(count: 1)
    let tcp = TCPTransport(loops: loops)
    let proxy = try await CuttingProxy(tcp)
    // Large enough for more than ten pieces.
    let noisy = TestPicture.jpeg(width: 1600, height: 1200, noise: 120, quality: 95)
    let picture = try scene.write(noisy, "noisy.jpg")
    try await scene.server { server, endpoint in
      proxy.pass(to: Endpoint(scheme: "tcp", address: try Endpoint(endpoint).address))
      let through = "tls+tcp://\(proxy.address)"
      try await ChildProcess.run("enroll", scene.enroll(through, cameras: [picture])) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "passport_number" }
        enroll.type("passport AB1234567\n")
        let begin = try await enroll.event("screen") { $0["screen"] == "uploading" }
        let size = Int(try #require(begin.number("size")))
        #expect(size > 10 * 32_768, "\(size)")
        let before = proxy.bytes
        // The first connection was made before; those that follow are cut after a tenth each.
        proxy.cut(after: size / 10)
        let answering = Task {
          for number in 1...40 {
            try await enroll.event("dialog", number) { $0["dialog"] == "try_again" }
            enroll.type("yes\n")
          }
        }
        let handedIn = try await enroll.event("answered") { $0["operation"] == "skicka_pass" && $0["status"] != nil }
        answering.cancel()
        #expect(handedIn["status"] == "223")
        #expect(proxy.cuts >= 9, "\(proxy.cuts)")
        // It went on, and did not begin again: a piece was lost with each cut, and handshakes came on top.
        let sent = proxy.bytes - before
        #expect(sent < size + (proxy.cuts + 1) * (32_768 + 8_192), "\(sent) bytes for \(size)")
      }
      #expect(!server.events("answered").contains { $0["result"] == "damaged" })
      #expect(scene.pictures.count == 1)
    }
    await proxy.end()
    await loops.shutdown()
  }

  @Test("people review: a rejection leads back to the camera with its reason")
  func review() async throws {
    try await scene.server("tls+tcp://127.0.0.1:0", ["--review", "people"]) { _, endpoint in
      let cameras = [scene.path("passport.jpg"), scene.path("selfie.jpg"), scene.path("selfie.jpg")]
      try await ChildProcess.run("enroll", scene.enroll(endpoint, cameras: cameras)) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\npassport AB1234567\n")
        try await enroll.event("screen") { $0["screen"] == "processing" }
        let id = try #require(try await scene.account()["id"])
        let early = try await verdict("accept", "nobody")
        #expect(early.exit == .status(1))
        #expect(try await verdict("reject", id, "--reason", "It is blurred.").exit == .status(0))
        let camera = try await enroll.event("screen", 2) { $0["screen"] == "camera" && $0["picture"] == "passport" }
        #expect(camera["reason"] == "It is blurred.")
        try await enroll.event("answered", 2) { $0["operation"] == "skicka_pass" && $0["status"] == "223" }
        #expect(try await verdict("accept", id, "--person", "Ada Lovelace").exit == .status(0))
        try await enroll.event("answered") { $0["operation"] == "skicka_selfie" && $0["status"] == "223" }
        #expect(try await verdict("accept", id).exit == .status(0))
        #expect(try await verdict("accept", id).exit == .status(1), "nothing waits any more")
        enroll.type("pin 2580\npin 2580\n")
        let end = try await enroll.finished()
        #expect(end.exit == .status(0) && end.events("finished").first?["name"] == "Ada Lovelace", "\(end.output)")
      }
      #expect(scene.pictures.count == 2, "what was rejected is not kept: \(scene.pictures)")
    }
  }

  @Test("A number that is registered anew: the pictures of the account before are gone, and its holder hears of it")
  func registeredAnew() async throws {
    try await scene.server { _, endpoint in
      try await scene.enrolled(endpoint)
      #expect(scene.pictures.count == 2)
      let other = scene.enroll(endpoint).map { $0 == scene.data ? scene.path("other") : $0 }
      try await ChildProcess.run("enroll", other) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "passport_number" }
      }
      #expect(scene.pictures.isEmpty, "\(scene.pictures)")
      let end = try await scene.login(endpoint, "pin 2580\n")
      #expect(end.events("dialog").first?["dialog"] == "register_again", "\(end.output)")
    }
  }

  @Test("Logging in where nobody has registered says so, and makes no folder")
  func nobodyThere() async throws {
    let end = try await scene.login("tls+tcp://127.0.0.1:1", "pin 2580\n")
    #expect(end.exit == .status(65) && end.errors.contains("Nobody has set a PIN"), "\(end.errors)")
    #expect(!FileManager.default.fileExists(atPath: scene.data))
  }

  @Test("On a terminal the reason for a refused certificate is still there when the screen is gone")
  func reasonStays() async throws {
    try await scene.server { _, endpoint in
      try await scene.enrolled(endpoint)
      try FileManager.default.removeItem(atPath: scene.path("me/personal-device.p12"))
      let screen = ChildProcess.Stream.terminal(rows: 24, columns: 80)
      let arguments = [
        "login", "--connect", endpoint, "--data", scene.data, "--issuer", "\(scene.event)/issuer.pem",
      ]
      try await ChildProcess.run("enroll", arguments, input: screen, output: screen) { enroll in
        try await enroll.picture("the boxes") { $0.text.contains("Your PIN") }
        enroll.type("2580")
        #expect(try await enroll.exit() == .status(69))
        #expect(enroll.picture?.text.contains("There is no personal container") == true)
      }
    }
  }

  @Test("Two servers do not work on one folder")
  func twoServers() async throws {
    try await scene.server { _, _ in
      let second = try await ChildProcess.finish("enrollment-server", scene.serve("tls+tcp://127.0.0.1:0"))
      #expect(second.exit == .status(69) && second.errors.contains("Another enrollment-server"), "\(second.errors)")
    }
  }

  private func verdict(_ verdict: String, _ id: String, _ more: String...) async throws -> FinishedProcess {
    try await ChildProcess.finish(
      "enrollment-server", ["review", verdict, id, "--data", scene.path("server")] + more)
  }

  @Test("a status that nobody knows is shown with its number, and the program ends")
  func unknownStatus() async throws {
    try await scene.server { _, endpoint in
      try await ChildProcess.run("enroll", scene.enroll(endpoint)) { enroll in
        enroll.type("phone \(EnrollmentScene.phone)\n")
        try await enroll.event("screen") { $0["screen"] == "passport_number" }
      }
      let id = try #require(try await scene.account()["id"])
      let store = try await SQLiteEnrollmentStore(path: scene.records)
      try await store.update { tables throws(EnrollmentStoreError) in
        guard var account = try tables.account(id) else { throw EnrollmentStoreError("no account") }
        account.status = EnrollmentStatus(rawValue: 299)
        try tables.put(account)
      }
      let end = try await ChildProcess.finish("enroll", scene.enroll(endpoint))
      #expect(end.exit == .status(76))
      #expect(end.events("screen").last?["status"] == "299" && end.events("unknown_status").first?["status"] == "299")
      #expect(end.events("asked").count == 1, "no loop")
    }
  }
}
