import CheckIn
import CheckInCore
import Testing

struct NearbyKiosksTests {
  private let start = ContinuousClock.now
  private let event = ShortEventID(rawValue: 7)

  private func kiosks() -> NearbyKiosks {
    NearbyKiosks(.init(arrive: SignalStrength(decibelMilliwatts: -60)), start: start)
  }

  private func sighting(
    _ address: String, _ name: String? = nil, _ strength: Int? = nil, after milliseconds: Int = 0
  ) -> Sighting {
    Sighting(
      endpoint: Endpoint(scheme: "memory", address: address), kiosk: name, event: event,
      signal: strength.map { SignalStrength(decibelMilliwatts: $0) }, time: start + .milliseconds(milliseconds))
  }

  /// The changes by name, with the kiosk's address.
  private func names(_ changes: [NearbyKiosks.Change]) -> [String] {
    changes.map { change in
      switch change {
      case .appeared(let kiosk): "appeared \(kiosk.endpoint.address)"
      case .renamed(let kiosk): "renamed \(kiosk.endpoint.address) \(kiosk.name ?? "")"
      case .arrived(let kiosk): "arrived \(kiosk.endpoint.address)"
      case .left(let kiosk): "left \(kiosk.endpoint.address)"
      case .vanished(let kiosk): "vanished \(kiosk.endpoint.address)"
      }
    }
  }

  @Test func `A kiosk appears once, gets its name when that is heard, arrives, and vanishes after a silence`() {
    var kiosks = kiosks()
    #expect(names(kiosks.see(sighting("a", nil, -50))) == ["appeared a"])
    #expect(names(kiosks.see(sighting("a", "Hall A", -50, after: 100))) == ["renamed a Hall A"])
    #expect(names(kiosks.see(sighting("a", nil, -50, after: 200))) == ["arrived a"])
    #expect(kiosks.all.map(\.name) == ["Hall A"])
    #expect(names(kiosks.advance(to: start + .milliseconds(10_200))) == [])
    #expect(names(kiosks.advance(to: start + .milliseconds(10_201))) == ["left a", "vanished a"])
    #expect(kiosks.all.isEmpty)
  }

  @Test func `The strongest stands first, and those without a strength last`() {
    var kiosks = kiosks()
    _ = kiosks.see(sighting("unknown", "B"))
    _ = kiosks.see(sighting("also", "A"))
    _ = kiosks.see(sighting("weak", "C", -90))
    _ = kiosks.see(sighting("strong", "D", -40))
    #expect(kiosks.all.map(\.endpoint.address) == ["strong", "weak", "also", "unknown"])
  }

  @Test func `A kiosk without a strength is never near`() {
    var kiosks = kiosks()
    for moment in 0..<20 { _ = kiosks.see(sighting("a", "A", after: moment * 100)) }
    #expect(kiosks.all.first?.isNear == false)
    #expect(kiosks.all.first?.signal == nil)
  }

  @Test func `A thousand false kiosks take no more room than the capacity, and the one that goes on stays`() {
    var kiosks = kiosks()
    for number in 0..<1_000 {
      _ = kiosks.see(sighting("real", "Hall A", -50, after: number))
      _ = kiosks.see(sighting("false-\(number)", "Hall A", -40, after: number))
    }
    #expect(kiosks.all.count == NearbyKiosks.capacity)
    #expect(kiosks.all.contains { $0.endpoint.address == "real" })
  }
}
