internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import InMemoryTransport
internal import Synchronization
internal import Testing

@Suite("Finding the kiosk", .timeLimit(.minutes(1)))
struct KioskFinderTests {
  private static let event = ShortEventID(rawValue: 7)

  private static func strength(_ value: Int) -> SignalStrength { SignalStrength(decibelMilliwatts: value) }

  /// A room with kiosks that advertise, at these strengths; nil: unknown.
  private static func withRoom(
    _ kiosks: [(name: String, event: ShortEventID, strength: Int?)],
    _ body: (InMemoryTransport, TransportRegistry) async throws -> Void
  ) async throws {
    let room = InMemoryTransport(advertisingInterval: .milliseconds(5))
    var parts: [(any Listener, any Advertiser)] = []
    for (index, kiosk) in kiosks.enumerated() {
      let listener = try await room.listen(on: Endpoint(scheme: "memory", address: "kiosk-\(index)"))
      let advertiser = try await room.advertise(
        Advertisement(kiosk: kiosk.name, event: kiosk.event), at: listener.endpoint)
      try room.setSignal(kiosk.strength.map { .strength(strength($0)) } ?? .unknown, of: listener.endpoint)
      parts.append((listener, advertiser))
    }
    try await body(room, try TransportRegistry([room]))
    for (listener, advertiser) in parts {
      await advertiser.stop()
      await listener.close()
    }
  }

  private static func find(
    _ registry: TransportRegistry, near: Int? = nil, bound: Duration = .seconds(30), _ display: Recorder
  ) async throws(ExampleError) -> NearbyKiosks.Kiosk? {
    try await KioskFinder(
      registry: registry, places: registry.browsingPlaces, event: event, near: near.map(strength), bound: bound,
      display: display
    ).find()
  }

  @Test("the only one is taken after it was there for a while, though another event's is stronger")
  func onlyOne() async throws {
    try await Self.withRoom([("Hall A", Self.event, nil), ("Other", ShortEventID(rawValue: 8), -30)]) { _, registry in
      let display = Recorder()
      let start = ContinuousClock.now
      let found = try await Self.find(registry, display)
      #expect(found?.name == "Hall A")
      #expect(ContinuousClock.now - start >= KioskChooser.settling)
      #expect(display.events.first == "began memory://")
      #expect(display.events.contains("appeared Hall A"))
      #expect(!display.events.contains { $0.contains("Other") })
      #expect(display.events.last == "ended Hall A")
    }
  }

  @Test("with --near the one that comes near is taken, and not the one that was there first")
  func near() async throws {
    try await Self.withRoom([("Far", Self.event, -80), ("Walks", Self.event, -90)]) { room, registry in
      let display = Recorder()
      display.onChange = { change in
        guard case .appeared = change else { return }
        try? room.setSignal(.strength(Self.strength(-40)), of: Endpoint(scheme: "memory", address: "kiosk-1"))
      }
      let found = try await Self.find(registry, near: -60, display)
      #expect(found?.name == "Walks")
      #expect(display.events.contains("arrived Walks"))
    }
  }

  @Test("of several the person chooses, looks again, or gives up")
  func asks() async throws {
    try await Self.withRoom([("Hall A", Self.event, -50), ("Hall B", Self.event, -60)]) { _, registry in
      let display = Recorder()
      display.answers.withLock { $0 = [{ _ in .again }, { .kiosk($0[1]) }] }
      let found = try await Self.find(registry, display)
      #expect(found?.name == "Hall B")
      #expect(display.events.count { $0 == "ask Hall A, Hall B" } == 2)
      let quitting = Recorder()
      quitting.answers.withLock { $0 = [{ _ in .quit }] }
      let none = try await Self.find(registry, quitting)
      #expect(none == nil)
      let nobody = Recorder()
      let error = await #expect(throws: ExampleError.self) { try await Self.find(registry, nobody) }
      #expect(error?.status == .unavailable)
      #expect(error?.description.contains("Hall A and Hall B") == true)
    }
  }

  @Test("nothing in time is told, with what was heard")
  func nothing() async throws {
    try await Self.withRoom([("Hall A", Self.event, -75)]) { _, registry in
      let error = await #expect(throws: ExampleError.self) {
        try await Self.find(registry, near: -60, bound: .seconds(1), Recorder())
      }
      #expect(error?.status == .unavailable)
      #expect(error?.description.contains("Hall A") == true)
      #expect(error?.description.contains("-75 dBm") == true)
    }
    try await Self.withRoom([("Other", ShortEventID(rawValue: 8), -30)]) { _, registry in
      let error = await #expect(throws: ExampleError.self) {
        try await Self.find(registry, bound: .seconds(1), Recorder())
      }
      #expect(error?.description.contains("No kiosk of this event was found in one second at memory://.") == true)
      #expect(error?.description.contains("One kiosk of another event was.") == true)
    }
  }

  @Test("a program without discovery, and a place without it, are the command line's fault")
  func unable() async throws {
    let registry = try TransportRegistry([])
    var error = await #expect(throws: ExampleError.self) { try await Self.find(registry, Recorder()) }
    #expect(error?.status == .usage)
    let room = try TransportRegistry([InMemoryTransport()])
    error = await #expect(throws: ExampleError.self) {
      try await KioskFinder(
        registry: room, places: [Endpoint(scheme: "tcp", address: "x")], event: Self.event, near: nil,
        bound: .seconds(1), display: Recorder()
      ).find()
    }
    #expect(error?.status == .usage)
  }

  @Test("a cancelled search ends without a kiosk")
  func cancelled() async throws {
    let registry = try TransportRegistry([InMemoryTransport()])
    let search = Task { try await Self.find(registry, Recorder()) }
    search.cancel()
    #expect(try await search.value == nil)
  }

  @Test("the picture shows names, strengths and bars, fits its size, and lets no control character through")
  func picture() {
    let start = ContinuousClock.now
    var chooser = KioskChooser(event: Self.event, near: Self.strength(-60), start: start)
    for index in 0..<40 {
      let sighting = Sighting(
        endpoint: Endpoint(scheme: "memory", address: "kiosk-\(index)"),
        kiosk: index == 0 ? "Evil\u{1b}[2J" + String(repeating: "x", count: 200) : "Hall \(index)", event: Self.event,
        signal: Self.strength(-40 - index), time: start)
      for _ in 0..<3 { _ = chooser.see(sighting) }
    }
    for unicode in [true, false] {
      for (rows, columns) in [(24, 80), (10, 40), (50, 200)] {
        let size = TerminalSize(rows: rows, columns: columns)
        let lines = KioskSearchPicture(near: Self.strength(-60), unicode: unicode)
          .lines(chooser, after: .seconds(3), size: size)
        #expect(lines.count < rows, "\(lines)")
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        // What stands for a control character is none, and not ASCII either.
        if !unicode {
          #expect(lines.filter { !$0.hasPrefix("Evil") }.joined().unicodeScalars.allSatisfy { $0.isASCII })
        }
      }
    }
    let lines = KioskSearchPicture(near: Self.strength(-60), unicode: true)
      .lines(chooser, after: .seconds(3), size: TerminalSize(rows: 24, columns: 80))
    #expect(lines[0].contains("Come closer") && lines[0].hasSuffix("0:03"))
    #expect(lines.contains { $0.contains("Hall 1 ") && $0.contains("-41 dBm") && $0.contains("█░ near") })
    #expect(lines.last == "and 22 more")
  }
}

/// Keeps what a search shows, and answers its questions.
final class Recorder: KioskSearchDisplay {
  let answers = Mutex<[@Sendable ([NearbyKiosks.Kiosk]) -> KioskAnswer]>([])
  private let state = Mutex<[String]>([])
  private let change = Mutex<@Sendable (NearbyKiosks.Change) -> Void>({ _ in })

  var events: [String] { state.withLock { $0 } }
  var onChange: @Sendable (NearbyKiosks.Change) -> Void {
    get { change.withLock { $0 } }
    set { change.withLock { $0 = newValue } }
  }

  private func note(_ event: String) { state.withLock { $0.append(event) } }

  func began(at places: [Endpoint]) { note("began \(places.map(\.description).joined(separator: ", "))") }

  func changed(_ change: NearbyKiosks.Change) {
    let name =
      switch change {
      case .appeared: "appeared"
      case .renamed: "renamed"
      case .arrived: "arrived"
      case .left: "left"
      case .vanished: "vanished"
      }
    note("\(name) \(change.kiosk.label)")
    onChange(change)
  }

  func failed(_ place: Endpoint, _ error: TransportError) { note("failed \(place)") }
  func show(_ chooser: KioskChooser, after elapsed: Duration) {}

  func ask(_ kiosks: [NearbyKiosks.Kiosk]) async -> KioskAnswer {
    note("ask \(kiosks.map(\.label).joined(separator: ", "))")
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    return answer?(kiosks) ?? .nobody
  }

  func ended(with result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>) {
    switch result {
    case .success(let kiosk): note("ended \(kiosk?.label ?? "")")
    case .failure(let failure): note("ended \(failure.reason.rawValue)")
    }
  }
}
