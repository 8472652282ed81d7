internal import CheckInCore
internal import Testing

@Suite("Proximity")
struct ProximityFilterTests {
  private static let settings = ProximityFilter.Settings(arrive: strength(-60), leave: strength(-70))

  private static func strength(_ value: Int) -> SignalStrength { SignalStrength(decibelMilliwatts: value) }

  /// Hears the strengths, one each 100 ms, and says what changed and when.
  private static func hear(
    _ strengths: [Int], _ filter: inout ProximityFilter, from start: Int = 0
  ) -> [(index: Int, change: ProximityFilter.Change)] {
    strengths.enumerated().compactMap { index, value in
      let time = MonotonicTime(sinceStart: .milliseconds(start + index * 100))
      return filter.hear(strength(value), at: time).map { (index, $0) }
    }
  }

  @Test("arrives after three strong signals, and not before")
  func arrives() {
    var filter = ProximityFilter(Self.settings)
    let changes = Self.hear([-50, -50, -50, -50], &filter)
    #expect(changes.map(\.index) == [2])
    #expect(changes.map(\.change) == [.arrived])
    #expect(filter.isNear)
    #expect(filter.strength == Self.strength(-50))
  }

  @Test("arrives at its threshold, and not one decibel below", arguments: [-60, -61])
  func threshold(value: Int) {
    var filter = ProximityFilter(Self.settings)
    _ = Self.hear([value, value, value, value], &filter)
    #expect(filter.isNear == (value >= -60))
  }

  @Test("stays between the thresholds, and leaves below the lower one")
  func hysteresis() {
    var filter = ProximityFilter(Self.settings)
    _ = Self.hear([-50, -50, -50], &filter)
    #expect(Self.hear(Array(repeating: -70, count: 200), &filter, from: 300).isEmpty)
    #expect(filter.isNear)
    let changes = Self.hear(Array(repeating: -74, count: 100), &filter, from: 20_300)
    #expect(changes.map(\.change) == [.left])
    #expect(Self.hear(Array(repeating: -61, count: 100), &filter, from: 30_300).isEmpty)
    #expect(!filter.isNear)
    #expect(Self.hear(Array(repeating: -58, count: 100), &filter, from: 40_300).map(\.change) == [.arrived])
  }

  @Test("one strong signal among weak ones is no arrival, and one weak among strong ones no leave")
  func spikes() {
    var filter = ProximityFilter(Self.settings)
    #expect(Self.hear([-80, -80, -80, -30, -80, -80], &filter).isEmpty)
    var near = ProximityFilter(Self.settings)
    _ = Self.hear([-50, -50, -50], &near)
    #expect(Self.hear([-95, -50, -95, -50, -50], &near, from: 300).isEmpty)
  }

  @Test("follows a jump by about two thirds within its time")
  func smoothing() {
    var filter = ProximityFilter(Self.settings)
    _ = Self.hear(Array(repeating: -90, count: 50), &filter)
    _ = Self.hear(Array(repeating: -60, count: 15), &filter, from: 5_000)
    let value = filter.strength?.decibelMilliwatts ?? 0
    #expect((-74...(-69)).contains(value), "\(value)")
  }

  @Test("someone who walks to the kiosk with a jittery signal arrives once and leaves once")
  func walk() {
    var filter = ProximityFilter(Self.settings)
    var changes: [ProximityFilter.Change] = []
    var random = SplitMix64(seed: 11)
    for step in 0..<600 {
      let way = step < 300 ? -90 + step / 6 : -40 - (step - 300) / 6
      let value = way + Int(random.next() % 13) - 6
      let time = MonotonicTime(sinceStart: .milliseconds(step * 100))
      if let change = filter.hear(Self.strength(value), at: time) { changes.append(change) }
    }
    #expect(changes == [.arrived, .left])
  }

  @Test("silence forgets: a near kiosk leaves, and its old strengths do not count when it is back")
  func silence() {
    var filter = ProximityFilter(Self.settings)
    _ = Self.hear([-50, -50, -50], &filter)
    #expect(filter.advance(to: MonotonicTime(sinceStart: .milliseconds(10_200))) == nil)
    #expect(filter.isNear)
    #expect(filter.advance(to: MonotonicTime(sinceStart: .milliseconds(10_201))) == .left)
    #expect(filter.strength == nil)
    #expect(filter.advance(to: MonotonicTime(sinceStart: .seconds(60))) == nil)

    var late = ProximityFilter(Self.settings)
    _ = Self.hear([-50, -50, -50], &late)
    #expect(late.hear(Self.strength(-55), at: MonotonicTime(sinceStart: .seconds(60))) == .left)
    #expect(late.strength == Self.strength(-55))
    #expect(!late.isNear, "one signal after a silence is one signal")
  }

  @Test("times that go back, and the ends of all ranges, do no harm")
  func extremes() {
    var filter = ProximityFilter(Self.settings)
    for value in [Int.min, 127, -128, Int.max] {
      for seconds in [5, 1, 0, 9] as [Int64] {
        _ = filter.hear(Self.strength(value), at: MonotonicTime(sinceStart: .seconds(seconds)))
        #expect(filter.strength != nil)
      }
    }
  }

  @Test("thresholds that would flutter are our own mistake")
  func preconditions() async {
    await #expect(processExitsWith: .failure) {
      _ = ProximityFilter.Settings(
        arrive: SignalStrength(decibelMilliwatts: -60), leave: SignalStrength(decibelMilliwatts: -59))
    }
  }
}
