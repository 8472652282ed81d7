package import CheckIn
package import CheckInCore
internal import InMemoryTransport

/// A kiosk and its attendees in one process.
package struct Hall: Sendable {
  package let meetup: Meetup
  private let kiosk: Kiosk
  private let doors: Doors
  private let registry: TransportRegistry
  private let endpoints: [Endpoint]

  /// - Parameters:
  ///   - registry: with what is moved; in memory without.
  ///   - addresses: where the kiosk listens.
  ///   - sessions: how many others it has to hold.
  package init(
    ledger: any Ledger, over registry: TransportRegistry? = nil, at addresses: [String] = ["memory://lobby"],
    sessions: Int = 0
  ) async throws {
    meetup = try Meetup()
    doors = Doors()
    self.registry = try registry ?? TransportRegistry([InMemoryTransport()])
    endpoints = try addresses.map { try Endpoint($0) }
    var configuration = try meetup.kiosk(ledger: ledger, observer: doors)
    // Where it is not secure, it is on loopback.
    configuration.allowsInsecureTransports = true
    if sessions > 0 { configuration.holds(sessions + 100) }
    // Nobody looks at this screen.
    configuration.deskSettings.outcome = .zero
    configuration.deskSettings.outcomeWhenBusy = .zero
    kiosk = try await Kiosk(configuration)
  }

  /// Runs the kiosk as long as `body` takes, which is told where it listens.
  package func open<Value: Sendable>(
    _ body: @escaping @Sendable (_ places: [Endpoint]) async throws -> Value
  ) async throws -> Value {
    let run = Task { try await kiosk.run(on: endpoints, over: registry) }
    do {
      var places: [Endpoint] = []
      for _ in endpoints { places.append(try await doors.next()) }
      let value = try await body(places)
      kiosk.beginGracefulShutdown()
      try await run.value
      return value
    } catch {
      run.cancel()
      throw error
    }
  }

  /// So many attendees that have not been here.
  package func attendees(_ count: Int, named name: String) throws -> [AttendeeConfiguration] {
    try (0..<count).map { try meetup.attendee("\(name)-\($0)") }
  }

  /// Checks one in at a place where the kiosk listens.
  package func checkIn(_ attendee: AttendeeConfiguration, at place: Endpoint) async throws {
    let outcome = try await Attendee(attendee).checkIn(at: place, over: registry)
    guard case .answered(let answer) = outcome, answer.reason == .admitted else {
      throw BenchmarkError("A check-in came to another end: \(outcome).")
    }
  }

  /// Checks all in, so many at once.
  package func checkIn(_ attendees: [AttendeeConfiguration], atOnce: Int, at place: Endpoint) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<atOnce {
        group.addTask {
          for index in stride(from: worker, to: attendees.count, by: atOnce) {
            try await checkIn(attendees[index], at: place)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Says where a kiosk listens.
package final class Doors: KioskObserver {
  private let stream = AsyncStream.makeStream(of: Endpoint.self)

  /// One that waits for a kiosk.
  package init() {}

  /// Takes the reports of the kiosk.
  package func observe(_ report: KioskReport, at time: WallTime) {
    if case .listening(let endpoint) = report { stream.continuation.yield(endpoint) }
  }

  /// Waits for the next place.
  package func next() async throws -> Endpoint {
    for await endpoint in stream.stream { return endpoint }
    throw BenchmarkError("The kiosk does not listen.")
  }
}

extension KioskConfiguration {
  /// Makes the kiosk hold so many sessions that say nothing.
  package mutating func holds(_ sessions: Int) {
    sessionSettings.initialRequestWait = .seconds(600)
    deskSettings.openSessions = sessions
    deskSettings.halfOpenSessions = sessions
    deskSettings.halfOpenSessionsPerPeer = sessions
    deskSettings.sessionBurst = sessions
  }
}
