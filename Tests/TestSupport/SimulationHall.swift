internal import CheckInCore

/// A whole hall in one thread: several kiosks on one ledger, many people, a bad network, crashes, a stranger who replays.
///
/// For a while everything that can go wrong does, by chance that follows from the seed. Then all is well, and everyone
/// who still wants in must get in.
package final class SimulationHall {
  package let seed: UInt64
  package let world: SimulationWorld
  package let event: SimulationEvent
  package let ledger = SimulationLedger()
  package private(set) var kiosks: [SimulationKiosk] = []
  package private(set) var people: [SimulationPerson] = []
  /// Whether things still go wrong.
  package private(set) var isRough = true
  /// How many times each kind of trouble happened.
  package private(set) var troubles: [String: Int] = [:]

  private var lines: [SimulationLine] = []
  private var checkedIn: [String: Int] = [:]
  private let roughTime: Duration

  package init(seed: UInt64, kiosks kioskCount: Int = 2, people peopleCount: Int = 5, rough: Duration = .seconds(60)) {
    self.seed = seed
    world = SimulationWorld(seed: seed)
    event = SimulationEvent(cryptography: SimulationCryptography(seed: seed, pins: 30))
    roughTime = rough
    for number in 0..<kioskCount {
      kiosks.append(makeKiosk(number))
    }
    for number in 0..<peopleCount {
      let person = SimulationPerson("Guest \(number)", hall: self)
      people.append(person)
      person.come(after: world.random.milliseconds(upTo: 20_000))
    }
    plan()
  }

  /// Lets it all happen; answers what went against the rules.
  package func run() -> [String] {
    world.advance(by: roughTime)
    isRough = false
    ledger.isBroken = false
    if !world.runUntilIdle(limit: .seconds(4 * 3600)) { world.violate("it never comes to rest") }
    for person in people {
      if !person.isDone { world.violate("\(person.name) was left behind") }
      if ledger.admissions[person.attendee] == nil { world.violate("\(person.name) wanted in and is not") }
    }
    for kiosk in kiosks {
      if kiosk.openSessions > 0 { world.violate("\(kiosk.profile.kiosk) has sessions left") }
      if case .welcome = kiosk.view { continue }
      world.violate("the screen of \(kiosk.profile.kiosk) is stuck")
    }
    return world.violations
  }

  /// A new connection, as bad as the times are.
  package func line() -> SimulationLine {
    let line = SimulationLine(world: world)
    line.latency = { [world] in .milliseconds(1) + world.random.milliseconds(upTo: 80) }
    guard isRough else { return line }
    lines.append(line)
    if !world.random.once(in: 3) { line.meddle = meddler() }
    switch Int.random(in: 0..<6, using: &world.random) {
    case 0: trouble("cut") { line.cut() }
    case 1: trouble("vanish") { line.vanish(at: .phone) }
    case 2: trouble("vanish") { line.vanish(at: .kiosk) }
    default: break
    }
    return line
  }

  private func trouble(_ kind: String, _ work: @escaping () -> Void) {
    world.after(world.random.milliseconds(upTo: 9000)) { [weak self] in
      self?.count(kind)
      work()
    }
  }

  private func count(_ kind: String) {
    troubles[kind, default: 0] += 1
  }

  /// Drops, doubles, swaps and changes bodies now and then.
  private func meddler() -> ([UInt8], SimulationLine.Side) -> [[UInt8]] {
    var kept: [SimulationLine.Side: [UInt8]] = [:]
    return { [unowned self] body, side in
      guard isRough else { return [body] }
      if let earlier = kept.removeValue(forKey: side) {
        count("swapped")
        return [body, earlier]
      }
      switch Int.random(in: 0..<16, using: &world.random) {
      case 0:
        count("dropped")
        return []
      case 1:
        count("doubled")
        return [body, body]
      case 2:
        kept[side] = body
        return []
      case 3:
        count("changed")
        var changed = body
        changed[Int.random(in: changed.indices, using: &world.random)] ^=
          1 << UInt8.random(in: 0..<8, using: &world.random)
        return [changed]
      default: return [body]
      }
    }
  }

  private func makeKiosk(_ number: Int) -> SimulationKiosk {
    let (profile, key) = event.kiosk("Hall \(number)", gate: "Gate \(number)")
    let kiosk = SimulationKiosk(world: world, event: event, profile: profile, key: key, ledger: ledger)
    kiosk.latencies.judging = { [world] in world.random.milliseconds(upTo: 30) }
    kiosk.latencies.storing = { [world] in world.random.milliseconds(upTo: 60) }
    kiosk.latencies.answering = { [world] in world.random.milliseconds(upTo: 60) }
    kiosk.keepsActions = false
    kiosk.observer = { [weak self] in self?.observe($0) }
    return kiosk
  }

  private func observe(_ event: KioskEvent) {
    guard case .checkedIn(_, let attendee, let name, let gate, let time) = event else { return }
    let admission = ledger.admissions[attendee]
    if admission?.gate != gate || admission?.at != time { world.violate("R22: reported before it is durable") }
    checkedIn[attendee, default: 0] += 1
    if checkedIn[attendee] != 1 { world.violate("\(name) was checked in twice") }
  }

  /// The troubles of the rough time that are not of one line.
  private func plan() {
    for kiosk in kiosks where world.random.once(in: 2) {
      for _ in 0..<2 {
        world.after(world.random.milliseconds(upTo: 55_000)) { [weak self] in
          self?.count("crashed")
          kiosk.crash()
        }
      }
    }
    if world.random.once(in: 4) {
      let start = world.random.milliseconds(upTo: 40_000)
      world.after(start) { [weak self] in
        self?.count("broken ledger")
        self?.ledger.isBroken = true
      }
      world.after(start + .seconds(5)) { [weak self] in self?.ledger.isBroken = false }
    }
    for _ in 0..<3 {
      world.after(world.random.milliseconds(upTo: 58_000)) { [weak self] in self?.replay() }
    }
  }

  /// A stranger plays recorded bodies to a kiosk, and must hear nothing but the hello.
  private func replay() {
    guard let source = lines.randomElement(using: &world.random), !source.recorded.isEmpty else { return }
    count("replayed")
    let line = SimulationLine(world: world)
    var heard = 0
    line.receive(at: .phone) { [weak self] arrival in
      guard case .body = arrival else { return }
      heard += 1
      if heard > 1 { self?.world.violate("R9: a replay was answered") }
    }
    kiosks.randomElement(using: &world.random)!.accept(line, peer: "stranger")
    let side: SimulationLine.Side = world.random.once(in: 4) ? .kiosk : .phone
    for (sender, body) in source.recorded where sender == side {
      line.send(body, from: .phone)
    }
  }
}
