internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import InMemoryTransport
internal import MockBiometricAuthenticator
internal import PINAuthenticator
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("Article: embedding the core", .timeLimit(.minutes(1)))
struct EmbeddingTests {
  @Test("the whole kiosk checks the whole phone in over memory, and once only")
  func wholeParts() async throws {
    let meetup = try Meetup()
    let (credential, kioskKey) = try meetup.kiosk()
    let registry = try TransportRegistry([InMemoryTransport()])
    let log = ListeningLog()
    let kiosk = EmbeddedKiosk(
      profile: KioskProfile(
        event: "Swift Meetup", kiosk: "Hall A", gate: "North", credential: credential,
        authenticators: [.init(name: "mock-biometric", place: .phone), .init(name: "pin", place: .keypad)]),
      key: kioskKey, issuer: meetup.issuer, verifiers: [MockBiometricVerifier(), PINVerifier()],
      ledger: InMemoryLedger(), cryptography: meetup.cryptography, log: log, screen: KioskScreen(), registry: registry)
    let running = Task { try await kiosk.run() }
    defer { running.cancel() }
    #expect(await log.endpoint() == Endpoint(scheme: "memory", address: "lobby"))

    let (profile, key) = try meetup.attendee("Ada", authenticators: ["mock-biometric"])
    let printed = Printed()
    for _ in 0..<2 {
      let screen = PhoneScreen()
      try await EmbeddedAttendee(
        profile: profile, key: key, provers: [MockBiometricProver(.accept)], cryptography: meetup.cryptography,
        screen: screen, registry: registry, print: printed.print
      ).run()
      var views: [AttendeeView] = []
      for await view in screen.views { views.append(view) }
      guard case .kiosk(let identity)? = views.first, case .outcome(.answered)? = views.last else {
        Issue.record("the screen showed \(views)")
        return
      }
      #expect(identity.event == "Swift Meetup" && identity.kiosk == "Hall A", "shown before the token is sent")
    }
    #expect(printed.lines == ["You are in.", "You are not in."])
    running.cancel()
    try await running.value
  }

  @Test("the state machine alone checks in: confirmed on the phone")
  func drivenSession() {
    let device = SimulatedDevice()
    device.confirmation = .confirmed(evidence: device.kiosk.convincing)
    device.checkIn()
    #expect(device.outcome?.isSuccess == true)
    #expect(device.isClosed && device.world.violations.isEmpty)
  }

  @Test("the state machine alone checks in: typed at the kiosk")
  func drivenSessionWithKeypad() {
    let device = SimulatedDevice()
    device.confirmation = .useKeypad(.declined)
    device.checkIn()
    #expect(device.outcome?.isSuccess == true)
    #expect(device.isClosed && device.world.violations.isEmpty)
  }

  @Test("the state machine alone ends where no kiosk speaks")
  func drivenSessionWithoutKiosk() {
    let device = SimulatedDevice()
    device.isReachable = false
    device.checkIn()
    #expect(device.outcome == .noAnswer(.noHello))
    #expect(device.isClosed)
  }
}

/// What a program printed.
private final class Printed: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  @Sendable func print(_ line: String) {
    state.withLock { $0.append(line) }
  }
}
