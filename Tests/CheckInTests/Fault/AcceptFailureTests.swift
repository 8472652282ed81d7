import CheckIn
import CheckInCore
import FaultTransport
import InMemoryTransport
import TestSupport
import Testing

/// A listener that fails to accept.
@Suite(.timeLimit(.minutes(1)))
struct AcceptFailureTests {
  private let clock = ManualClock(wall: SystemClock().now.wall)
  private let hall: Hall
  private let registry: TransportRegistry

  init() throws {
    var hall = try Hall()
    hall.kioskConfiguration.clock = clock
    self.hall = hall
    registry = try TransportRegistry([InMemoryTransport()], wrappers: [FaultTransport()])
  }

  private var failures: Int {
    hall.log.reports.count { if case .acceptFailed = $0 { true } else { false } }
  }

  /// Lets the pauses pass, until there were so many failures.
  private func pass(until count: Int) async {
    while failures < count {
      // One sleeper is the kiosk's timers; a second one is a pause.
      if clock.sleeperCount > 1 { clock.advance(by: .seconds(1)) }
      await Task.yield()
    }
    while clock.sleeperCount <= 1, failures < count + 1 { await Task.yield() }
    clock.advance(by: .seconds(1))
  }

  @Test func `A kiosk whose listener fails some times goes on with the next connection`() async throws {
    let gate = try Endpoint("fault+memory://gate?fail-accept=1&first=5")
    let (hall, registry) = (hall, registry)
    let kiosk = try await Kiosk(hall.kioskConfiguration)
    let running = Task { try await kiosk.run(on: [gate], over: registry) }
    await pass(until: 5)
    let outcome = try await Attendee(hall.attendee("ada")).checkIn(
      at: Endpoint("fault+memory://gate"), over: registry)
    #expect(outcome.isSuccess)
    #expect(failures == 5)
    #expect(!hall.log.reports.contains { if case .listenerFailed = $0 { true } else { false } })
    kiosk.beginGracefulShutdown()
    try await running.value
  }

  @Test func `A listener that only fails is given up, and the kiosk says so`() async throws {
    let gate = try Endpoint("fault+memory://gate?fail-accept=1")
    let (hall, registry) = (hall, registry)
    let kiosk = try await Kiosk(hall.kioskConfiguration)
    let running = Task { () async -> CheckInError? in
      do throws(CheckInError) {
        try await kiosk.run(on: [gate], over: registry)
        return nil
      } catch {
        return error
      }
    }
    await pass(until: 11)
    let error = await running.value
    #expect(error?.code == .transport)
    #expect((error?.cause as? TransportError)?.code == .resourcesExhausted)
    #expect(hall.log.reports.contains { if case .listenerFailed(gate, _) = $0 { true } else { false } })
  }
}
