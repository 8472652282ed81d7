internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import FileVault
internal import Foundation
internal import OpenSSLCryptography
internal import PictureMaking
internal import SocketIO
internal import TestSupport
internal import Testing

/// An event with an enrollment server's container, an app's, and a kiosk's, and pictures that a phone took.
final class EnrollmentScene: Sendable {
  static let phone = "+46701234567"
  let organizer: OrganizerProcess
  let password: String
  let appPassword: String

  init() async throws {
    organizer = try OrganizerProcess()
    password = try organizer.write("correct horse battery staple\n", "password")
    appPassword = try organizer.write("the same in every app\n", "app-password")
    for path in [password, appPassword] {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    try await make("init", event, "--event", "Demo Day")
    try await make("kiosk", event, "--name", "Hall A", "--password-file", password)
    try await make("enrollment", event, "--password-file", password)
    try await make("installation", event, "--password-file", appPassword)
    try write(TestPicture.jpeg(width: 1200, height: 900, orientation: 1, seed: 1), "passport.jpg")
    try write(TestPicture.jpeg(width: 900, height: 1200, orientation: 6, seed: 2), "selfie.jpg")
  }

  var event: String { organizer.event }
  var data: String { path("me") }
  var records: String { path("server/records.sqlite") }

  func path(_ name: String) -> String { "\(organizer.folder)/\(name)" }

  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  private func make(_ words: String...) async throws {
    let result = try await ChildProcess.finish("organizer", words)
    try #require(result.exit == .status(0), "\(result.errors)")
  }

  /// Runs a server until `body` is done.
  func server<Value>(
    _ listen: String = "tls+tcp://127.0.0.1:0", _ more: [String] = ["--review-after", "0"],
    body: (ChildProcess, String) async throws -> Value
  ) async throws -> Value {
    return try await ChildProcess.run("enrollment-server", serve(listen) + more) { server in
      let endpoint = try #require(try await server.event("listening")["endpoint"])
      return try await body(server, endpoint)
    }
  }

  /// What a server is started with.
  func serve(_ listen: String) -> [String] {
    [
      "serve", "--listen", listen, "--data", path("server"), "--issuer", "\(event)/issuer.pem", "--issuer-key",
      "\(event)/issuer.key", "--container", "\(event)/enrollment/server.p12", "--password-file", password, "--outbox",
      path("outbox"), "--sms-pause", "0", "--sms-limit", "100", "--json",
    ]
  }

  /// What “enroll” is started with.
  func enroll(_ endpoint: String, cameras: [String]? = nil, _ more: [String] = []) -> [String] {
    let cameras = cameras ?? [path("passport.jpg"), path("selfie.jpg")]
    return [
      "--connect", endpoint, "--data", data, "--issuer", "\(event)/issuer.pem", "--install-container",
      "\(event)/enrollment/install.pfx", "--password-file", appPassword, "--sms-from", path("outbox"), "--json",
    ] + cameras.flatMap { ["--camera", $0] } + more
  }

  /// Enrolls somebody without any trouble.
  @discardableResult
  func enrolled(_ endpoint: String, _ more: [String] = []) async throws -> FinishedProcess {
    try await ChildProcess.run("enroll", enroll(endpoint, more)) { enroll in
      enroll.type("phone \(EnrollmentScene.phone)\npassport AB1234567\npin 2580\npin 2580\n")
      let end = try await enroll.finished(atMost: .seconds(90))
      try #require(end.exit == .status(0), "\(end.output)\(end.errors)")
      return end
    }
  }

  /// Logs in with these lines of a script.
  func login(_ endpoint: String, _ script: String, _ more: [String] = []) async throws -> FinishedProcess {
    let arguments =
      ["login", "--connect", endpoint, "--data", data, "--issuer", "\(event)/issuer.pem", "--json"] + more
    return try await ChildProcess.run("enroll", arguments) { enroll in
      enroll.type(script)
      enroll.endInput()
      return try await enroll.finished()
    }
  }

  /// The only account's identifier.
  func account() async throws -> ProcessEvent {
    let list = try await ChildProcess.finish("enrollment-server", ["list", "--data", path("server"), "--json"])
    return try #require(list.events("account").last, "\(list.output)\(list.errors)")
  }

  /// What the server has in its folder of pictures, with the account’s folder.
  var pictures: [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: path("server/pictures"))) ?? [])
      .filter { $0.contains("/") }.sorted()
  }

  /// The code of the newest message.
  func newestCode() throws -> String {
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: path("outbox")).filter { $0.hasSuffix(".sms") }.max())
    let text = try String(contentsOfFile: path("outbox/\(name)"), encoding: .utf8)
    let digits = try #require(FourDigits(inMessage: String(text.split(separator: "\n").last ?? "")))
    return String(decoding: digits.digits, as: UTF8.self)
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
  }
}

/// A client without a course: asks what a test wants to ask.
struct RawEnrollment {
  let dialling: EnrollmentDialling
  let vault: FileVault

  /// A client with the data and containers of a scene.
  init(_ scene: EnrollmentScene, at endpoint: String, loops: EventLoopGroup) throws {
    vault = try VaultOptions.vault(scene.data, device: nil, biometrics: nil, clock: SystemClock())
    dialling = EnrollmentDialling(
      to: try Endpoint(endpoint), loops: loops, issuer: try IssuerFile.read("\(scene.event)/issuer.pem"),
      installation: try ContainerFile(
        "\(scene.event)/enrollment/install.pfx", password: .file(scene.appPassword), program: "test"),
      vault: vault, clock: SystemClock())
  }

  /// Asks one after the other over one connection.
  func ask(_ requests: [EnrollmentRequest], as identity: EnrollmentIdentity = .installation) async throws
    -> [EnrollmentAnswer]
  {
    let dialled = try await dialling.dial(identity)
    let channel = MessageChannel(dialled.connection)
    var link = EnrollmentLink(
      client: try vault.client(), serverKey: dialled.serverKey, channelBinding: dialled.connection.channelBinding,
      cryptography: AnyCryptography(OpenSSLCryptography()), key: AnySigningKey(dialled.key))
    let hello = try #require(try await channel.receive(before: .now + .seconds(10)))
    try await channel.send(try link.open(hello: hello, now: SystemClock().now.wall))
    var answers: [EnrollmentAnswer] = []
    for request in requests {
      try await channel.send(try link.seal(request))
      let body = try #require(try await channel.receive(before: .now + .seconds(20)))
      guard case .answer(let answer) = try link.open(body) else { throw ProcessFailure("The server gave no answer.") }
      answers.append(answer)
    }
    await channel.close()
    return answers
  }
}
