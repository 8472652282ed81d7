internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import InMemoryTransport

/// Somebody walks up to the kiosk with a phone that looks for it. In memory, where distance is a number that the story sets.
struct Approach {
  /// The strength of the signal, step by step.
  private static let way = [-84, -76, -68, -60, -52, -46]
  private static let step = Duration.milliseconds(250)
  /// From which strength on the phone dials.
  private static let near = SignalStrength(decibelMilliwatts: -60)

  let room: InMemoryTransport
  let registry: TransportRegistry
  let event: ShortEventID
  let narrator: Narrator

  /// Walks until the phone finds the kiosk near, and answers what the phone dials then.
  func walk(to kiosk: Endpoint) async throws(ExampleError) -> Endpoint {
    let finder = KioskFinder(
      registry: registry, places: [room.browsingPlace], event: event, near: Approach.near, bound: .seconds(30),
      display: ApproachDisplay(narrator: narrator))
    let result = await withTaskGroup(
      of: Result<Endpoint?, ExampleError>?.self, returning: Result<Endpoint?, ExampleError>.self
    ) { group in
      group.addTask {
        for strength in Approach.way {
          try? room.setSignal(.strength(SignalStrength(decibelMilliwatts: strength)), of: kiosk)
          guard (try? await Task.sleep(for: Approach.step)) != nil else { break }
        }
        return nil
      }
      group.addTask {
        do throws(ExampleError) {
          return .success(try await finder.find()?.endpoint)
        } catch {
          return .failure(error)
        }
      }
      for await ended in group {
        guard let ended else { continue }
        group.cancelAll()
        return ended
      }
      return .success(nil)
    }
    guard let found = try result.get() else {
      throw ExampleError(.internal, "The phone stopped looking for the kiosk.")
    }
    return found
  }
}

/// Tells what the phone hears.
private struct ApproachDisplay: KioskSearchDisplay {
  let narrator: Narrator
  private let who = "Ada’s phone"

  init(narrator: Narrator) {
    self.narrator = narrator
  }

  func began(at places: [Endpoint]) {}

  func changed(_ change: NearbyKiosks.Change) {
    switch change {
    case .appeared(let kiosk): narrator.says(who, "hears \(kiosk.label), \(strength(kiosk)): too far to be meant")
    case .arrived(let kiosk): narrator.says(who, "hears \(kiosk.label), \(strength(kiosk)): near enough")
    case .renamed, .left, .vanished: break
    }
  }

  func failed(_ place: Endpoint, _ error: TransportError) {}
  func show(_ chooser: KioskChooser, after elapsed: Duration) {}
  func ask(_ kiosks: [NearbyKiosks.Kiosk]) async -> KioskAnswer { .nobody }

  func ended(with result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>) {
    if case .success(.some(let kiosk)) = result { narrator.says(who, "dials \(kiosk.endpoint)") }
  }

  /// The first strength is heard before there is a smoothed one.
  private func strength(_ kiosk: NearbyKiosks.Kiosk) -> String {
    kiosk.signal.map { "\($0.decibelMilliwatts) dBm" } ?? "faintly"
  }
}
