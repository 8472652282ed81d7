internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import FileVault
internal import Foundation
internal import InMemoryTransport
internal import OpenSSLCryptography
internal import PictureFolder
internal import SQLiteEnrollmentStore
internal import ScryptSealing
internal import Synchronization
internal import TLSTransport
internal import TestSupport

/// A server and its clients in one process, over TLS in memory.
struct ServerHall: Sendable {
  static let cryptography = OpenSSLCryptography()
  let registry: TransportRegistry
  let server: EnrollmentServer
  let messages = SMSCatcher()
  let reports = ReportCatcher()
  private let serverKey: PublicKey
  private let clientKey: OpenSSLSigningKey
  private let folder: ProcessFolder

  init(
    in folder: ProcessFolder, change: (inout EnrollmentServerConfiguration) -> Void = { _ in }
  ) async throws {
    let now = Int64(Date().timeIntervalSince1970)
    let authority = try CertificateAuthority.make(
      event: "meetup", eventName: "Meetup", key: .generate(.ed25519), notBefore: now - 60, notAfter: now + 3_600)
    func credentials(_ role: CertificateRole, _ peers: CertificateRole) throws -> TLSCredentials {
      let key = try PrivateKey.generate(.ed25519)
      let certificate = try authority.issue(
        role, id: "\(role)", name: "\(role)", publicKey: key.publicKey, notBefore: now - 60, notAfter: now + 3_600)
      return TLSCredentials(
        key: key, chain: [certificate],
        policy: CertificatePolicy(issuers: [authority.certificate], event: "meetup", role: peers, now: { now }))
    }
    let (near, far) = (try credentials(.installation, .enrollment), try credentials(.enrollment, .installation))
    registry = try TransportRegistry(
      [InMemoryTransport()], wrappers: [TLSTransport(dialling: near, listening: far)])
    self.folder = folder
    serverKey = far.key.publicKey
    clientKey = try ServerHall.signing(near.key)
    var configuration = EnrollmentServerConfiguration(
      name: "Hall", key: try ServerHall.signing(far.key),
      identify: { der in
        (try? Certificate(der: der.span))?.publicKey.map { EnrollmentCertificateHolder(peer: .installation, key: $0) }
      },
      store: try await SQLiteEnrollmentStore(path: folder.path("records.sqlite")),
      pictures: try PictureFolder(folder.path("pictures")), review: AutomaticReview(after: .zero), sms: messages,
      issuer: NoIssuer(), cryptography: ServerHall.cryptography, observer: reports)
    change(&configuration)
    server = EnrollmentServer(configuration)
  }

  /// Runs the server for the time of `body`, and then tells it to stop.
  func run(_ body: () async throws -> Void) async throws {
    let (server, registry) = (server, registry)
    let running = Task { try await server.run(on: [Endpoint("tls+memory://hall")], over: registry) }
    try await reports.wait { if case .listening = $0 { true } else { false } }
    do {
      try await body()
    } catch {
      running.cancel()
      throw error
    }
    server.beginGracefulShutdown()
    try await running.value
  }

  /// A client's dialler.
  var dialler: HallDialler { HallDialler(registry: registry, key: clientKey, serverKey: serverKey) }

  /// A vault for a client.
  func vault(_ name: String) throws -> FileVault {
    try FileVault(
      folder: folder.path(name), device: folder.path("\(name)-device"), stretching: ScryptSealing(cost: 16),
      cryptography: ServerHall.cryptography, biometrics: nil
    ) { container, _, _ throws(EnrollmentVaultError) in container }
  }

  private static func signing(_ key: PrivateKey) throws -> OpenSSLSigningKey {
    let pem =
      "-----BEGIN PRIVATE KEY-----\n\(Data(try key.pkcs8().bytes).base64EncodedString())\n-----END PRIVATE KEY-----\n"
    return try OpenSSLSigningKey(pem: Array(pem.utf8))
  }
}

/// Dials the hall's server with the built-in certificate, whatever is asked for.
struct HallDialler: EnrollmentDialler {
  let registry: TransportRegistry
  let key: OpenSSLSigningKey
  let serverKey: PublicKey

  func dial(_ identity: EnrollmentIdentity) async throws(EnrollmentDialError) -> EnrollmentDialled {
    do throws(TransportError) {
      let connection = try await registry.connect(
        to: Endpoint("tls+memory://hall"), before: .now + .seconds(10))
      return EnrollmentDialled(connection: connection, key: key, serverKey: serverKey)
    } catch {
      throw EnrollmentDialError(.connection, error.message)
    }
  }
}

/// Makes nothing.
struct NoIssuer: EnrollmentIssuer {
  func container(
    account: String, name: String, token: SecretBytes
  ) async throws(EnrollmentIssuerError) -> IssuedContainer {
    throw EnrollmentIssuerError("there is no issuer here")
  }

  func ticket(account: String, name: String, key: PublicKey) async throws(EnrollmentIssuerError) -> [UInt8] {
    throw EnrollmentIssuerError("there is no issuer here")
  }
}

/// Keeps messages, or fails.
final class SMSCatcher: SMSSender {
  private let state = Mutex((texts: [String](), fails: false))

  var texts: [String] { state.withLock { $0.texts } }

  func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

  func send(_ text: String, to number: PhoneNumber) async throws(SMSError) {
    let fails = state.withLock { state in
      if !state.fails { state.texts.append(text) }
      return state.fails
    }
    if fails { throw SMSError("the messenger is ill") }
  }
}

/// Keeps what the server reports, and lets a test wait for something.
final class ReportCatcher: EnrollmentServerObserver {
  private let stream = AsyncStream.makeStream(of: EnrollmentServerReport.self)
  private let kept = Mutex<[EnrollmentServerReport]>([])

  var all: [EnrollmentServerReport] { kept.withLock { $0 } }

  func observe(_ report: EnrollmentServerReport, at time: WallTime) {
    kept.withLock { $0.append(report) }
    stream.continuation.yield(report)
  }

  /// Waits for the next report that fulfils a condition; those before it are gone.
  func wait(for condition: @Sendable (EnrollmentServerReport) -> Bool) async throws {
    for await report in stream.stream where condition(report) { return }
    throw CancellationError()
  }
}

/// Shows nothing, and lets a test wait for a screen or question.
final class DisplayCatcher: EnrollmentDisplay {
  enum Shown: Sendable, Equatable {
    case screen(EnrollmentScreen)
    case dialog(EnrollmentDialog)
  }

  private let stream = AsyncStream.makeStream(of: Shown.self)

  func show(_ screen: EnrollmentScreen) { stream.continuation.yield(.screen(screen)) }
  func ask(_ dialog: EnrollmentDialog) { stream.continuation.yield(.dialog(dialog)) }

  /// Waits until this is shown.
  func wait(for shown: Shown) async throws {
    for await next in stream.stream where next == shown { return }
    throw CancellationError()
  }
}

/// A camera without a picture.
struct NoCamera: EnrollmentCamera {
  func take(_ kind: PictureKind) async -> Result<[UInt8], EnrollmentResult>? { nil }
}
