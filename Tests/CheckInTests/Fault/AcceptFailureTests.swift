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

  /// Lets every pause pass at once, as long as `body` takes. Before anybody has come, nothing else sleeps.
  private func withoutPauses<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    let passing = Task {
      var passed = 0
      while !Task.isCancelled {
        if passed < failures, clock.sleeperCount > 0 {
          clock.advance(by: .seconds(60))
          passed += 1
        }
        await Task.yield()
      }
    }
    defer { passing.cancel() }
    return try await body()
  }

  @Test func `A kiosk whose listener fails some times goes on with the next connection`() async throws {
    let gate = try Endpoint("fault+memory://gate?fail-accept=1&first=5")
    let (hall, registry) = (hall, registry)
    let kiosk = try await Kiosk(hall.kioskConfiguration)
    let running = Task { try await kiosk.run(on: [gate], over: registry) }
    await hall.log.untilListening()
    let outcome = try await withoutPauses {
      try await Attendee(hall.attendee("ada")).checkIn(at: Endpoint("fault+memory://gate"), over: registry)
    }
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
    let error = await withoutPauses { await running.value }
    #expect(error?.code == .transport)
    #expect((error?.cause as? TransportError)?.code == .resourcesExhausted)
    #expect(hall.log.reports.contains { if case .listenerFailed(gate, _) = $0 { true } else { false } })
  }
}
