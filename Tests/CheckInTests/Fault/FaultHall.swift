import CheckIn
import CheckInCore
import FaultTransport
import InMemoryLedger
import InMemoryTransport
import MockBiometricAuthenticator
import OpenSSLCryptography
import PINAuthenticator
import Synchronization
import TestSupport
import TicketTokens

/// One run's kiosk and phones: a gate behind faults, and a second door without.
final class FaultHall: Sendable {
  /// Something that must not be.
  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  static let event = "testing-day"

  let ledger = InMemoryLedger()
  let registry: TransportRegistry
  let gate: Endpoint
  let door: Endpoint
  private let cryptography: any Cryptography
  private let issuer: any SigningKey
  private let configuration: KioskConfiguration
  private let listening = ListeningLog()

  /// - Parameters:
  ///   - transport: what the faults are put into; `address` is where its listeners listen.
  ///   - isReal: with real cryptography, not the toy.
  init(
    _ transport: any Transport = InMemoryTransport(), addresses: (gate: String, door: String) = ("gate", "door"),
    listening query: String, isReal: Bool = false, seed: UInt64 = 1
  ) throws {
    registry = try TransportRegistry([transport], wrappers: [FaultTransport()])
    gate = try Endpoint("fault+\(transport.scheme)://\(addresses.gate)?\(query)")
    door = Endpoint(scheme: transport.scheme, address: addresses.door)
    let cryptography: any Cryptography = isReal ? OpenSSLCryptography() : FakeCryptography(seed: seed)
    let issuer: any SigningKey = isReal ? try OpenSSLSigningKey.generate(.ed25519) : FakeSigningKey("issuer")
    let key: any SigningKey = isReal ? try OpenSSLSigningKey.generate(.ed25519) : FakeSigningKey("kiosk")
    self.cryptography = cryptography
    self.issuer = issuer
    let verifiers: [any AuthenticatorVerifier] = [MockBiometricVerifier(), PINVerifier()]
    let credential = Credential(
      role: .kiosk, event: Self.event, eventName: "Testing Day", subject: "hall-a", name: "Hall A", key: key.publicKey,
      serial: [1], validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: []))
    var configuration = KioskConfiguration(
      profile: KioskProfile(
        event: "Testing Day", kiosk: "Hall A", gate: "North", credential: try credential.sign(by: issuer),
        authenticators: verifiers.map { .init(name: $0.name, place: $0.place) }),
      key: key,
      tokens: TicketTokenVerifier(issuer: issuer.publicKey, event: Self.event, cryptography: cryptography),
      authenticators: verifiers, ledger: ledger, cryptography: cryptography, observer: listening)
    configuration.allowsInsecureTransports = true
    configuration.sendBound = .seconds(5)
    configuration.sessionSettings.initialRequestWait = .seconds(5)
    configuration.sessionSettings.silence = .milliseconds(100)
    configuration.sessionSettings.goodbyeWait = .milliseconds(100)
    configuration.sessionSettings.session = .seconds(20)
    configuration.deskSettings.outcome = .milliseconds(1)
    configuration.deskSettings.outcomeWhenBusy = .milliseconds(1)
    self.configuration = configuration
  }

  /// A phone with a ticket, which waits for the kiosk's answers so long.
  func phone(_ name: String, waiting wait: Duration = .seconds(5)) throws -> FaultPhone {
    let key: any SigningKey =
      issuer is OpenSSLSigningKey ? try OpenSSLSigningKey.generate(.ed25519) : FakeSigningKey("phone of \(name)")
    let ticket = Credential(
      role: .attendee, event: Self.event, eventName: "Testing Day", subject: name, name: name, key: key.publicKey,
      serial: Array(name.utf8), validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: []))
    let provers: [any AuthenticatorProver] = [MockBiometricProver(.accept), PINProver()]
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: try ticket.sign(by: issuer), issuer: issuer.publicKey, event: Self.event,
        authenticators: provers.map(\.name)),
      key: key, authenticators: provers, cryptography: cryptography)
    configuration.allowsInsecureTransports = true
    configuration.connectBound = .seconds(5)
    configuration.sendBound = .seconds(5)
    configuration.attempts = 9
    configuration.firstRetry = .microseconds(500)
    configuration.settings.helloWait = wait
    configuration.settings.answerWait = wait
    configuration.settings.goodbyeWait = .milliseconds(100)
    configuration.settings.shortestSilence = .seconds(1)
    return FaultPhone(name, configuration)
  }

  /// Runs a kiosk beside `body`, which gets the real endpoints of gate and door, and ends it in good order.
  ///
  /// - Throws: what `body` throws, and a ``Violation`` when anything takes longer than it may.
  func open<Value: Sendable>(
    _ body: @escaping @Sendable (_ gate: Endpoint, _ door: Endpoint) async throws -> Value
  ) async throws -> Value {
    let kiosk = try await Kiosk(configuration)
    let running = Task { try await kiosk.run(on: [gate, door], over: registry) }
    let places = try await bounded("listening", .seconds(10)) { try await self.listening.nextTwo() }
    let result: Result<Value, any Error>
    do {
      result = .success(try await bounded("the visits", .seconds(60)) { try await body(places.0, places.1) })
    } catch {
      result = .failure(error)
    }
    kiosk.beginGracefulShutdown()
    do {
      try await bounded("the kiosk's end", .seconds(10)) { try await running.value }
    } catch {
      running.cancel()
      throw error
    }
    return try result.get()
  }

  /// Runs a kiosk for so long and then kills it as hard as one process can.
  func openBriefly(for duration: Duration) async throws {
    let kiosk = try await Kiosk(configuration)
    let running = Task { try await kiosk.run(on: [gate, door], over: registry) }
    _ = try await bounded("listening", .seconds(10)) { try await self.listening.nextTwo() }
    try await Task.sleep(for: duration)
    running.cancel()
    try await bounded("the kiosk's end", .seconds(10)) { try await running.value }
  }

  /// The work's value, if it comes in time.
  private func bounded<Value: Sendable>(
    _ what: String, _ duration: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let waiter = Waiter<Result<Value, any Error>>()
    let task = Task {
      do { waiter.settle(.success(try await work())) } catch { waiter.settle(.failure(error)) }
    }
    guard case .settled(let result) = await waiter.wait(before: .now + duration) else {
      task.cancel()
      throw Violation(description: "\(what) did not end within \(duration)")
    }
    return try result.get()
  }
}

/// Hands out where a kiosk listens.
private final class ListeningLog: KioskObserver {
  private let endpoints = AsyncStream.makeStream(of: Endpoint.self)

  func observe(_ report: KioskReport, at time: WallTime) {
    if case .listening(let endpoint) = report { endpoints.continuation.yield(endpoint) }
  }

  func nextTwo() async throws(FaultHall.Violation) -> (Endpoint, Endpoint) {
    var found: [Endpoint] = []
    for await endpoint in endpoints.stream {
      found.append(endpoint)
      if found.count == 2 { break }
    }
    // A test that has run too long is cancelled.
    guard found.count == 2 else { throw FaultHall.Violation(description: "the kiosk does not listen at both doors") }
    return (found[0], found[1])
  }
}
