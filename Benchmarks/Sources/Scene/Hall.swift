package import CheckIn
package import CheckInCore
internal import InMemoryTransport

/// A kiosk and its attendees in one process.
package struct Hall: Sendable {
  package let meetup: Meetup
  private let kiosk: Kiosk
  private let doors: Doors
  private let registry: TransportRegistry
  private let place: Endpoint

  /// A hall whose kiosk listens there; in memory unless said otherwise.
  package init(
    ledger: any Ledger, over transport: any Transport = InMemoryTransport(), at place: String = "memory://lobby"
  ) async throws {
    meetup = try Meetup()
    doors = Doors()
    registry = try TransportRegistry([transport])
    self.place = try Endpoint(place)
    var configuration = try meetup.kiosk(ledger: ledger, observer: doors)
    // Nobody looks at this screen.
    configuration.deskSettings.outcome = .milliseconds(1)
    configuration.deskSettings.outcomeWhenBusy = .milliseconds(1)
    // Where it is not secure, it is on loopback.
    configuration.allowsInsecureTransports = true
    kiosk = try await Kiosk(configuration)
  }

  /// Runs the kiosk as long as `body` takes, which is told where it is.
  package func open<Value: Sendable>(_ body: @escaping @Sendable (_ lobby: Endpoint) async throws -> Value) async throws
    -> Value
  {
    let run = Task { try await kiosk.run(on: [place], over: registry) }
    let lobby = try await doors.opened()
    do {
      let value = try await body(lobby)
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

  /// Checks one in.
  package func checkIn(_ attendee: AttendeeConfiguration, at lobby: Endpoint) async throws {
    let outcome = try await Attendee(attendee).checkIn(at: lobby, over: registry)
    guard case .answered(let answer) = outcome, answer.reason == .admitted else {
      throw BenchmarkError("A check-in came to another end: \(outcome).")
    }
  }

  /// Checks all in, so many at once.
  package func checkIn(_ attendees: [AttendeeConfiguration], atOnce: Int, at lobby: Endpoint) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<atOnce {
        group.addTask {
          for index in stride(from: worker, to: attendees.count, by: atOnce) {
            try await checkIn(attendees[index], at: lobby)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Says when a kiosk listens, and where.
package final class Doors: KioskObserver {
  private let stream = AsyncStream.makeStream(of: Endpoint.self)

  /// One that waits for a kiosk.
  package init() {}

  /// Waits for the one report that it passes on.
  package func observe(_ report: KioskReport, at time: WallTime) {
    guard case .listening(let endpoint) = report else { return }
    stream.continuation.yield(endpoint)
    stream.continuation.finish()
  }

  /// Returns where, when it does.
  package func opened() async throws -> Endpoint {
    for await endpoint in stream.stream { return endpoint }
    throw BenchmarkError("The kiosk does not listen.")
  }
}
