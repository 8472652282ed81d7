import CheckIn
import CheckInCore
import InMemoryLedger
import InMemoryTransport
import MockBiometricAuthenticator
import OpenSSLCryptography
import PINAuthenticator
import Synchronization
import TicketTokens

/// A kiosk in memory with an issuer, for tests that go through the doors that users go through.
struct Hall: Sendable {
  let issuer: OpenSSLSigningKey
  let event = "testing-day"
  let cryptography = OpenSSLCryptography()
  let registry: TransportRegistry
  let ledger: any Ledger
  let screen = Screen()
  let log = Log()
  var kioskConfiguration: KioskConfiguration

  init(
    ledger: any Ledger = InMemoryLedger(),
    verifiers: [any AuthenticatorVerifier] = [MockBiometricVerifier(), PINVerifier()]
  )
    throws
  {
    issuer = try .generate(.ed25519)
    registry = try TransportRegistry([InMemoryTransport()])
    self.ledger = ledger
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let credential = try Hall.credential(.kiosk, "hall-a", "Hall A", key.publicKey, event: event).sign(by: issuer)
    kioskConfiguration = KioskConfiguration(
      profile: KioskProfile(
        event: "Testing Day", kiosk: "Hall A", gate: "North", credential: credential,
        authenticators: verifiers.map { .init(name: $0.name, place: $0.place) }),
      key: key, tokens: TicketTokenVerifier(issuer: issuer.publicKey, event: event, cryptography: cryptography),
      authenticators: verifiers, ledger: ledger, cryptography: cryptography, observer: log, display: screen)
    kioskConfiguration.sessionSettings.silence = .milliseconds(50)
    kioskConfiguration.deskSettings.outcome = .milliseconds(1)
    kioskConfiguration.deskSettings.outcomeWhenBusy = .milliseconds(1)
  }

  static func credential(
    _ role: Credential.Role, _ id: String, _ name: String, _ key: PublicKey, event: String, gates: [String] = []
  ) -> Credential {
    Credential(
      role: role, event: event, eventName: "Testing Day", subject: id, name: name, key: key,
      serial: OpenSSLCryptography().randomBytes(16),
      validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: gates))
  }

  /// Somebody's phone: the token is signed by `issuer`, or by the hall's.
  func attendee(
    _ id: String, by signer: OpenSSLSigningKey? = nil, gates: [String] = [],
    provers: [any AuthenticatorProver] = [MockBiometricProver(.accept), PINProver()],
    display: (any AttendeeDisplay)? = nil
  ) throws -> AttendeeConfiguration {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    let ticket = Hall.credential(.attendee, id, id.uppercased(), key.publicKey, event: event, gates: gates)
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: try ticket.sign(by: signer ?? issuer), issuer: issuer.publicKey, event: event,
        authenticators: provers.map(\.name)),
      key: key, authenticators: provers, cryptography: cryptography, display: display)
    configuration.firstRetry = .milliseconds(1)
    configuration.settings.shortestSilence = .zero
    return configuration
  }

  /// Runs the kiosk beside `body`, and ends it in good order.
  func open<Result: Sendable>(
    at address: String = "lobby", _ body: @Sendable @escaping (Kiosk, Endpoint) async throws -> Result
  ) async throws -> Result {
    let endpoint = Endpoint(scheme: "memory", address: address)
    let kiosk = try await Kiosk(kioskConfiguration)
    let registry = registry
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        try await kiosk.run(on: [endpoint], over: registry)
        return nil
      }
      group.addTask {
        defer { kiosk.beginGracefulShutdown() }
        await self.log.untilListening()
        return try await body(kiosk, endpoint)
      }
      var result: Result?
      for try await value in group {
        result = result ?? value
      }
      return result!
    }
  }

  /// Checks in once.
  func checkIn(_ configuration: AttendeeConfiguration, at endpoint: Endpoint) async throws -> AttendeeOutcome {
    try await Attendee(configuration).checkIn(at: endpoint, over: registry)
  }
}

/// Keeps what a kiosk's screen showed.
final class Screen: KioskDisplay {
  private let state = Mutex<[KioskView]>([])

  func show(_ view: KioskView) {
    state.withLock { $0.append(view) }
  }

  var views: [KioskView] { state.withLock { $0 } }

  /// Waits until a view satisfies the condition; the test's time limit bounds it.
  func until(_ condition: (KioskView) -> Bool) async {
    while !Task.isCancelled, !views.contains(where: condition) { await Task.yield() }
  }
}

/// Keeps what a kiosk reported.
final class Log: KioskObserver {
  private let state = Mutex<[KioskReport]>([])

  func observe(_ report: KioskReport, at time: WallTime) {
    state.withLock { $0.append(report) }
  }

  var reports: [KioskReport] { state.withLock { $0 } }

  var events: [KioskEvent] {
    reports.compactMap { if case .session(let event) = $0 { event } else { nil } }
  }

  func untilListening() async {
    while !Task.isCancelled, !reports.contains(where: { if case .listening = $0 { true } else { false } }) {
      await Task.yield()
    }
  }
}

/// A phone's screen that hands out the PINs that it shows.
struct PINReader: AttendeeDisplay {
  let pins: AsyncStream<PIN>
  private let continuation: AsyncStream<PIN>.Continuation

  init() {
    (pins, continuation) = AsyncStream.makeStream(of: PIN.self)
  }

  func show(_ view: AttendeeView) {
    switch view {
    case .pin(let shown): continuation.yield(shown.pin)
    case .outcome: continuation.finish()
    default: break
    }
  }
}
