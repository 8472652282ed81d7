package import CheckInCore

/// A person of a simulation, with a phone and a will to get in: tries again when something goes wrong, types when the
/// screen shows the own name, and errs now and then.
package final class SimulationPerson {
  package let name: String
  package let ticket: (profile: AttendeeProfile, key: FakeSigningKey)
  /// Whether the person got the last word that they need.
  package private(set) var isDone = false
  /// How many connections it took.
  package private(set) var attempts = 0
  /// The requests that were told true.
  package private(set) var admittedRequests: Set<RequestID> = []

  private unowned let hall: SimulationHall
  private var world: SimulationWorld { hall.world }
  private var request: RequestID?
  private var answers: [RequestID: Answer] = [:]
  private var kiosk: SimulationKiosk
  private var phone: SimulationPhone?
  private let prefersKeypad: Bool

  package init(_ name: String, hall: SimulationHall) {
    self.name = name
    self.hall = hall
    ticket = hall.event.attendee(name)
    kiosk = hall.kiosks[0]
    prefersKeypad = hall.world.random.once(in: 2)
  }

  package var attendee: String { "attendee-\(name)" }

  /// Begins, or begins again, after a while.
  package func come(after delay: Duration) {
    world.after(delay) { [weak self] in self?.connect() }
  }

  private func connect() {
    attempts += 1
    guard attempts < 200 else { return world.violate("\(name) tried 200 times in vain") }
    kiosk = hall.kiosks.randomElement(using: &world.random)!
    let line = hall.line()
    let phone = SimulationPhone(
      world: world, line: line, profile: ticket.profile, key: ticket.key, cryptography: hall.event.cryptography,
      request: request)
    self.phone = phone
    request = phone.request
    phone.thinking = { [hall] in .milliseconds(200) + hall.world.random.milliseconds(upTo: 4000) }
    phone.person = { [weak self] _ in self?.decide() }
    phone.whenFinished = { [weak self, weak phone] outcome in
      guard let self, let phone else { return }
      finished(outcome, phone.request)
    }
    phone.whenShownPIN = { [weak self, weak phone] _ in
      guard let self, let phone else { return }
      look(at: kiosk, with: phone, after: .milliseconds(500))
    }
    kiosk.accept(line, peer: name)
    phone.start()
    if hall.isRough, world.random.once(in: 12) {
      world.after(world.random.milliseconds(upTo: 8000)) { [weak phone] in
        if let phone, !phone.isEnded { phone.give(.cancel) }
      }
    }
  }

  private func decide() -> Confirmation {
    if prefersKeypad { return .useKeypad(.declined) }
    if hall.isRough {
      if world.random.once(in: 10) { return .useKeypad(.failed) }
      if world.random.once(in: 10) { return .cancelled }
      if world.random.once(in: 6) { return .confirmed(evidence: [0]) }
    }
    return .confirmed(evidence: kiosk.convincing)
  }

  /// Looks at the screen until it is the own turn, and types.
  private func look(at kiosk: SimulationKiosk, with phone: SimulationPhone, after delay: Duration) {
    world.after(delay) { [weak self, weak kiosk, weak phone] in
      guard let self, let kiosk, let phone, !phone.isEnded, let pin = phone.shownPIN else { return }
      var isMyTurn = false
      if case .greeting(let greeting) = kiosk.view, greeting.name == name {
        isMyTurn = greeting.hint == .confirm || greeting.hint == .wrongPIN || greeting.hint == .confirmationFailed
      }
      let isImpatient = hall.isRough && world.random.once(in: 15)
      if isMyTurn || isImpatient {
        var digits = pin.digits
        if hall.isRough, world.random.once(in: 4) { digits[4] = 48 + (digits[4] - 47) % 10 }
        type(digits, at: kiosk)
      }
      look(at: kiosk, with: phone, after: .milliseconds(2500))
    }
  }

  private func type(_ digits: [UInt8], at kiosk: SimulationKiosk) {
    kiosk.press(.clear)
    var time = Duration.zero
    for digit in digits {
      time += .milliseconds(80) + world.random.milliseconds(upTo: 200)
      world.after(time) { [weak kiosk] in kiosk?.press(.digit(digit - 48)) }
    }
  }

  private func finished(_ outcome: AttendeeOutcome, _ request: RequestID) {
    guard self.request == request else { return }
    let pause = Duration.milliseconds(300) + world.random.milliseconds(upTo: 2000)
    guard case .answered(let answer) = outcome else { return come(after: pause) }
    check(answer, request)
    switch answer.reason {
    case .admitted, .alreadyAdmitted:
      isDone = true
    case .busy, .internal:
      come(after: pause)
    default:
      self.request = nil
      come(after: pause + (answer.retryAfter ?? .zero))
    }
  }

  private func check(_ answer: Answer, _ request: RequestID) {
    if answer.reason != .busy, answer.reason != .internal {
      if let earlier = answers[request], earlier != answer { world.violate("R18: another answer to the same request") }
      answers[request] = answer
    }
    guard answer.reason == .admitted || answer.reason == .alreadyAdmitted else { return }
    let admission = hall.ledger.admissions[attendee]
    if admission?.at != answer.admittedAt || admission?.gate != answer.gate || admission == nil {
      world.violate("R22: \(name) was told \(answer.reason.name), and the ledger has it not")
    }
    if answer.isSuccess {
      admittedRequests.insert(request)
      if admittedRequests.count > 1 { world.violate("R22: \(name) was told true for two requests") }
    }
  }
}
