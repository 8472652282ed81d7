internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import SocketIO
internal import Synchronization
internal import TCPTransport
internal import TicketTokens

extension Counting {
  /// A whole check-in that a phone confirms, kiosk and phone together, over TCP, on one loop, one after the other.
  static let checkIn = Counting("check-in", count: 1) { isSpoiled, body in
    let loops = try EventLoopGroup(count: 1)
    let cost = try await Task(executorPreference: loops.loops[0]) {
      let place = try Place(loops: loops, isSpoiled: isSpoiled)
      return try await place.open { endpoint in
        try await body { count in
          for _ in 0..<count { try await place.checkIn(at: endpoint) }
        }
      }
    }.value
    await loops.shutdown()
    return cost
  }
}

/// A kiosk and its visitors.
private final class Place: KioskObserver {
  private let issuer: OpenSSLSigningKey
  private let key: OpenSSLSigningKey
  private let cryptography = OpenSSLCryptography()
  private let registry: TransportRegistry
  private let listening = AsyncStream.makeStream(of: Endpoint.self)
  private let visitors = Atomic(0)
  private let isSpoiled: Bool

  init(loops: EventLoopGroup, isSpoiled: Bool) throws {
    issuer = try .generate(.ed25519)
    key = try .generate(.ed25519)
    registry = try TransportRegistry([TCPTransport(loops: loops)])
    self.isSpoiled = isSpoiled
  }

  func observe(_ report: KioskReport, at time: WallTime) {
    if case .listening(let endpoint) = report { listening.continuation.yield(endpoint) }
  }

  func open(_ body: @Sendable (Endpoint) async throws -> Counting.Cost) async throws -> Counting.Cost {
    let kiosk = try await kiosk()
    async let run: Void = kiosk.run(on: [Endpoint("tcp://127.0.0.1:0")], over: registry)
    guard let endpoint = await listening.stream.first(where: { _ in true }) else {
      throw TransportError(.other, "The kiosk does not listen.")
    }
    let cost = try await body(endpoint)
    kiosk.beginGracefulShutdown()
    try await run
    return cost
  }

  private func kiosk() async throws -> Kiosk {
    var configuration = KioskConfiguration(
      profile: KioskProfile(
        event: "Meetup", kiosk: "Hall A", gate: "North", credential: try credential(.kiosk, "hall-a", key.publicKey),
        authenticators: [.init(name: "mock-biometric", place: .phone)]),
      key: key,
      tokens: TicketTokenVerifier(issuer: issuer.publicKey, event: "meetup", cryptography: cryptography),
      authenticators: [MockBiometricVerifier()], ledger: InMemoryLedger(), cryptography: cryptography, observer: self)
    configuration.allowsInsecureTransports = true
    configuration.deskSettings.outcome = .zero
    configuration.deskSettings.outcomeWhenBusy = .zero
    configuration.deskSettings.sessionBurst = 10_000
    return try await Kiosk(configuration)
  }

  private func credential(_ role: Credential.Role, _ id: String, _ key: PublicKey) throws -> [UInt8] {
    try Credential(
      role: role, event: "meetup", eventName: "Meetup", subject: id, name: id, key: key,
      serial: [UInt8](repeating: 7, count: 16),
      validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: [])
    ).sign(by: issuer)
  }

  /// A new visitor's check-in.
  func checkIn(at endpoint: Endpoint) async throws {
    let number = visitors.wrappingAdd(1, ordering: .relaxed).oldValue
    // One for each signature, message and notice: tasks of two threads meet in one order or another, so that the count of
    // a whole check-in differs by a few from run to run, and one alone would be lost in that.
    for _ in 0..<40 { _ = Spoil.one(isSpoiled) }
    let own = try OpenSSLSigningKey.generate(.ed25519)
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        // As long for each.
        token: try credential(.attendee, "visitor-\(1_000 + number)", own.publicKey), issuer: issuer.publicKey,
        event: "meetup", authenticators: ["mock-biometric"]),
      key: own, authenticators: [MockBiometricProver(.accept)], cryptography: cryptography)
    configuration.allowsInsecureTransports = true
    let outcome = try await Attendee(configuration).checkIn(at: endpoint, over: registry)
    guard case .answered(let answer) = outcome, answer.reason == .admitted else {
      throw TransportError(.other, "A check-in came to another end: \(outcome).")
    }
  }
}
