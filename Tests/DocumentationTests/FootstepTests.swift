internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import InMemoryTransport
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import Synchronization
internal import Testing
internal import TicketTokens

@Suite("Article: writing an authenticator", .timeLimit(.minutes(1)))
struct FootstepTests {
  private let cryptography = OpenSSLCryptography()
  private let chip: OpenSSLSigningKey

  init() throws {
    chip = try .generate(.ed25519)
  }

  private func context(transcript: UInt8 = 1) throws -> ConfirmationContext {
    ConfirmationContext(
      event: "Swift Meetup", kiosk: "Hall A", gate: "North", session: SessionID(Bytes16(random: cryptography)),
      request: RequestID(Bytes16(random: cryptography)),
      transcript: try #require(Digest([UInt8](repeating: transcript, count: 32))))
  }

  private func prover(_ answer: FootstepSensor.Answer) -> FootstepProver {
    FootstepProver(sensor: FootstepSensor { _ in answer })
  }

  private func verifier(_ sensors: Set<PublicKey>) -> FootstepVerifier {
    FootstepVerifier(sensors: sensors, cryptography: cryptography)
  }

  @Test("P1 and V1: both halves have one name, and the person confirms on the phone")
  func names() {
    #expect(prover(.declined).name == verifier([]).name)
    #expect(verifier([]).name == "footstep" && verifier([]).place == .phone)
  }

  @Test("P3: whatever the person or the sensor does has its outcome")
  func outcomes() async throws {
    let outcomes: [(FootstepSensor.Answer, CheckInCore.Confirmation)] = [
      (.declined, .useKeypad(.declined)), (.notRecognised, .useKeypad(.failed)), (.noSensor, .useKeypad(.unavailable)),
      (.cancelled, .cancelled), (.recognised(BurntKey(publicKey: chip.publicKey)), .useKeypad(.failed)),
    ]
    for (answer, confirmation) in outcomes {
      #expect(await prover(answer).confirm(try context()) == confirmation)
    }
  }

  @Test("P2: a cancelled task ends it, as if the person gave up")
  func cancelled() async throws {
    let context = try context()
    let (asked, question) = AsyncStream.makeStream(of: String.self)
    let prover = FootstepProver(
      sensor: FootstepSensor { text in
        question.yield(text)
        try? await Task.sleep(for: .seconds(600))
        return .cancelled
      })
    let asking = Task { await prover.confirm(context) }
    for await text in asked {
      #expect(text == "Check in at Hall A, Swift Meetup?")
      break
    }
    asking.cancel()
    #expect(await asking.value == .cancelled)
  }

  @Test("V2: evidence of this transcript by a known sensor convinces, and nothing else does")
  func evidence() async throws {
    let context = try context()
    let other = try OpenSSLSigningKey.generate(.ed25519)
    let verifier = verifier([chip.publicKey])
    guard case .confirmed(let evidence) = await prover(.recognised(chip)).confirm(context) else {
      Issue.record("the prover did not confirm")
      return
    }
    for _ in 0..<2 { #expect(await verifier.accepts(evidence, for: context)) }
    #expect(await !verifier.accepts(evidence, for: try self.context(transcript: 2)))
    #expect(await !self.verifier([other.publicKey]).accepts(evidence, for: context))
    #expect(await !self.verifier([]).accepts(evidence, for: context))
    for index in evidence.indices {
      var changed = evidence
      changed[index] ^= 1
      #expect(await !verifier.accepts(changed, for: context), "byte \(index)")
    }
    for count in 0..<evidence.count { #expect(await !verifier.accepts(Array(evidence.prefix(count)), for: context)) }
    #expect(await !verifier.accepts(evidence + [0], for: context))
    #expect(await !verifier.accepts([UInt8](repeating: 0xff, count: 4096), for: context))
  }

  @Test("a kiosk with the article's profile takes footsteps, and the keypad from whom they do not know")
  func checksIn() async throws {
    let meetup = try Meetup()
    let (credential, kioskKey) = try meetup.kiosk()
    let registry = try TransportRegistry([InMemoryTransport()])
    let log = ListeningLog()
    let kioskScreen = KioskScreen()
    var configuration = KioskConfiguration(
      profile: footstepProfile(credential), key: kioskKey,
      tokens: TicketTokenVerifier(issuer: meetup.issuer, event: "swift-meetup", cryptography: cryptography),
      authenticators: [verifier([chip.publicKey]), PINVerifier()], ledger: InMemoryLedger(),
      cryptography: cryptography, observer: log, display: kioskScreen)
    configuration.deskSettings.outcome = .milliseconds(1)
    configuration.deskSettings.outcomeWhenBusy = .milliseconds(1)
    let kiosk = try await Kiosk(configuration)
    let running = Task { try await kiosk.run(on: [Endpoint("memory://lobby")], over: registry) }
    defer { running.cancel() }
    let endpoint = try #require(await log.endpoint())

    for (name, answer, showsPIN) in [
      ("Ada", FootstepSensor.Answer.recognised(chip), false), ("Grace", .notRecognised, true),
      ("Mallory", .recognised(try OpenSSLSigningKey.generate(.ed25519)), true),
    ] {
      let screen = PhoneScreen()
      let (profile, key) = try meetup.attendee(name, authenticators: ["footstep", "pin"])
      let phone = try Attendee(
        AttendeeConfiguration(
          profile: profile, key: key, authenticators: [prover(answer), PINProver()], cryptography: cryptography,
          display: screen))
      async let outcome = phone.checkIn(at: endpoint, over: registry)
      var pins = 0
      for await view in screen.views {
        guard case .pin(let shown) = view else { continue }
        pins += 1
        await kioskScreen.type(shown.pin, of: name, at: kiosk)
      }
      #expect(try await outcome.isSuccess, "\(name)")
      #expect((pins > 0) == showsPIN, "\(name)")
    }
    kiosk.beginGracefulShutdown()
    try await running.value
  }

  @Test("a kiosk that offers it without its verifier is not made")
  func withoutVerifier() async throws {
    let meetup = try Meetup()
    let (credential, key) = try meetup.kiosk()
    let error = await #expect(throws: CheckInError.self) {
      try await Kiosk(
        KioskConfiguration(
          profile: footstepProfile(credential), key: key,
          tokens: TicketTokenVerifier(issuer: meetup.issuer, event: "swift-meetup", cryptography: cryptography),
          authenticators: [PINVerifier()], ledger: InMemoryLedger(), cryptography: cryptography))
    }
    #expect(error?.code == .configuration)
  }
}
