import CheckIn
import CheckInCore
import InMemoryLedger
import MockBiometricAuthenticator
import OpenSSLCryptography
import PINAuthenticator
import Synchronization
import Testing

/// Kiosk and attendee together, over memory, with real cryptography.
@Suite(.timeLimit(.minutes(1)))
struct CheckInTests {
  private func press(_ digits: some Sequence<UInt8>, at kiosk: Kiosk) {
    for digit in digits { kiosk.press(.digit(digit - 48)) }
  }

  @Test func `An attendee who confirms on the phone is admitted once, and told so when coming again`() async throws {
    let hall = try Hall()
    let ada = try hall.attendee("ada")
    let (first, second) = try await hall.open { _, endpoint in
      (try await hall.checkIn(ada, at: endpoint), try await hall.checkIn(ada, at: endpoint))
    }
    guard case .answered(let admitted) = first, case .answered(let again) = second else {
      Issue.record("no answers: \(first), \(second)")
      return
    }
    #expect(admitted.reason == .admitted)
    #expect(admitted.isSuccess)
    #expect(again.reason == .alreadyAdmitted)
    #expect(again.gate == "North")
    #expect(again.admittedAt == admitted.admittedAt)
  }

  @Test func `R15: who declines types the PIN on the keypad, with a mistake taken back`() async throws {
    let hall = try Hall()
    let phone = PINReader()
    let grace = try hall.attendee(
      "grace", provers: [MockBiometricProver(.ask { _ in .decline }), PINProver()], display: phone)
    let outcome = try await hall.open { kiosk, endpoint in
      async let outcome = hall.checkIn(grace, at: endpoint)
      for await pin in phone.pins {
        press(pin.digits.prefix(2), at: kiosk)
        press([(pin.digits[2] - 48 + 1) % 10 + 48], at: kiosk)
        kiosk.press(.backspace)
        press(pin.digits.dropFirst(2), at: kiosk)
      }
      return try await outcome
    }
    #expect(outcome.isSuccess)
  }

  @Test func `R3: three wrong PINs end the session, and the next one has to wait`() async throws {
    let hall = try Hall()
    let phone = PINReader()
    let grace = try hall.attendee("grace", provers: [PINProver()], display: phone)
    let (outcome, next) = try await hall.open { kiosk, endpoint in
      async let outcome = hall.checkIn(grace, at: endpoint)
      for await pin in phone.pins {
        let wrong = pin.digits.map { ($0 - 48 + 1) % 10 + 48 }
        for attempt in 1...3 {
          press(wrong, at: kiosk)
          while hall.log.events.filter({ if case .wrongPIN = $0 { true } else { false } }).count < attempt {
            await Task.yield()
          }
        }
      }
      return (try await outcome, try await hall.checkIn(grace, at: endpoint))
    }
    guard case .answered(let answer) = outcome, case .answered(let later) = next else {
      Issue.record("no answers: \(outcome), \(next)")
      return
    }
    #expect(answer.reason == .tooManyAttempts)
    #expect(later.reason == .tooManyAttempts)
    #expect((later.retryAfter ?? .zero) > .zero)
  }

  @Test func `R16: a forged ticket gets no answer and one log line with a hash`() async throws {
    let hall = try Hall()
    let mallory = try hall.attendee("ada", by: .generate(.ed25519))
    let outcome = try await hall.open { _, endpoint in try await hall.checkIn(mallory, at: endpoint) }
    #expect(outcome == .noAnswer(.silence))
    let invalid = hall.log.events.compactMap { event -> String? in
      if case .invalidToken(_, let token, let why) = event { "\(token) \(why.rawValue)" } else { nil }
    }
    let hash = hall.cryptography.sha256(mallory.profile.token.span).prefix
    #expect(invalid == ["\(hash) forged"])
    #expect(hall.screen.views.allSatisfy { if case .welcome = $0 { true } else { false } })
  }

  @Test func `R7: a transport that others could read is refused unless that is allowed`() async throws {
    let hall = try Hall()
    let transport = ReadableTransport()
    let registry = try TransportRegistry([transport])
    let endpoint = Endpoint(scheme: transport.scheme, address: "anywhere")
    let kiosk = try await Kiosk(hall.kioskConfiguration)
    let refusal = await #expect(throws: CheckInError.self) { try await kiosk.run(on: [endpoint], over: registry) }
    #expect(refusal?.code == .insecureTransport)
    let attendee = try Attendee(hall.attendee("ada"))
    let other = await #expect(throws: CheckInError.self) { try await attendee.checkIn(at: endpoint, over: registry) }
    #expect(other?.code == .insecureTransport)

    var allowed = try hall.attendee("ada")
    allowed.allowsInsecureTransports = true
    let tried = try Attendee(allowed)
    let reached = await #expect(throws: CheckInError.self) { try await tried.checkIn(at: endpoint, over: registry) }
    #expect(reached?.code == .transport)
  }

  @Test(arguments: [1, 8, 50]) func `Many attendees at once are each admitted once`(atOnce: Int) async throws {
    var hall = try Hall()
    hall.kioskConfiguration.deskSettings.openSessions = 1000
    let ready = hall
    let phones = try (0..<100).map { try ready.attendee("attendee-\($0)") }
    let outcomes = try await ready.open { _, endpoint in
      try await withThrowingTaskGroup(of: AttendeeOutcome.self) { group in
        var outcomes: [AttendeeOutcome] = []
        for (index, phone) in phones.enumerated() {
          if index >= atOnce, let outcome = try await group.next() { outcomes.append(outcome) }
          group.addTask { try await ready.checkIn(phone, at: endpoint) }
        }
        for try await outcome in group { outcomes.append(outcome) }
        return outcomes
      }
    }
    #expect(outcomes.count == 100)
    #expect(outcomes.filter { !$0.isSuccess } == [])
  }

  @Test func `One attendee on many phones at once is admitted once`() async throws {
    let hall = try Hall()
    let ada = try hall.attendee("ada")
    let outcomes = try await hall.open { _, endpoint in
      try await withThrowingTaskGroup(of: AttendeeOutcome.self) { group in
        for _ in 0..<20 { group.addTask { try await hall.checkIn(ada, at: endpoint) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(outcomes.filter(\.isSuccess).count <= 1)
    let admissions = hall.log.events.filter { if case .checkedIn = $0 { true } else { false } }
    #expect(admissions.count <= 1)
    #expect(outcomes.count == 20)
  }

  @Test func `A kiosk that is told to stop lets the phone know, and ends`() async throws {
    let hall = try Hall()
    let phone = PINReader()
    let grace = try hall.attendee("grace", provers: [PINProver()], display: phone)
    let outcome = try await hall.open { kiosk, endpoint in
      async let outcome = hall.checkIn(grace, at: endpoint)
      for await _ in phone.pins { kiosk.beginGracefulShutdown() }
      return try await outcome
    }
    guard case .answered(let answer) = outcome else {
      Issue.record("no answer: \(outcome)")
      return
    }
    #expect(answer.reason == .cancelled)
  }

  @Test func `A cancelled kiosk ends at once, and the phone notices`() async throws {
    let hall = try Hall()
    let kiosk = try await Kiosk(hall.kioskConfiguration)
    let endpoint = Endpoint(scheme: "memory", address: "lobby")
    let running = Task { try await kiosk.run(on: [endpoint], over: hall.registry) }
    await hall.log.untilListening()
    let phone = PINReader()
    var grace = try hall.attendee("grace", provers: [PINProver()], display: phone)
    grace.attempts = 1
    let ready = grace
    async let outcome = hall.checkIn(ready, at: endpoint)
    for await _ in phone.pins { running.cancel() }
    try await running.value
    let ended = try await outcome
    #expect(ended == .noAnswer(.peerLost))
  }

  @Test func `A cancelled attendee ends at once`() async throws {
    let hall = try Hall()
    let phone = PINReader()
    let grace = try hall.attendee("grace", provers: [PINProver()], display: phone)
    try await hall.open { _, endpoint in
      let attempt = Task { try await hall.checkIn(grace, at: endpoint) }
      for await _ in phone.pins {
        attempt.cancel()
        break
      }
      let outcome = try await attempt.value
      #expect(outcome == .cancelled)
    }
  }

  @Test func `A person who gives up is not admitted, and the kiosk knows`() async throws {
    let hall = try Hall()
    let phone = PINReader()
    let grace = try Attendee(hall.attendee("grace", provers: [PINProver()], display: phone))
    let outcome = try await hall.open { _, endpoint in
      async let outcome = grace.checkIn(at: endpoint, over: hall.registry)
      for await _ in phone.pins { grace.cancel() }
      return try await outcome
    }
    guard case .answered(let answer) = outcome else {
      Issue.record("no answer: \(outcome)")
      return
    }
    #expect(answer.reason == .cancelled)
  }

  @Test func `A ledger that fails lets nobody in, says so, and the kiosk goes on`() async throws {
    let ledger = FailingLedger()
    let hall = try Hall(ledger: ledger)
    let ada = try hall.attendee("ada")
    let (broken, mended) = try await hall.open { _, endpoint in
      ledger.isBroken.store(true, ordering: .relaxed)
      let broken = try await hall.checkIn(ada, at: endpoint)
      ledger.isBroken.store(false, ordering: .relaxed)
      return (broken, try await hall.checkIn(ada, at: endpoint))
    }
    guard case .answered(let answer) = broken else {
      Issue.record("no answer: \(broken)")
      return
    }
    #expect(answer.reason == .internal)
    #expect(mended.isSuccess)
    #expect(hall.log.reports.contains { if case .ledgerFailed = $0 { true } else { false } })
  }
}
