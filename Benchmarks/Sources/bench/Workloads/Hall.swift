internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport

/// A kiosk and its attendees in one process, over the transport in memory.
struct Hall: Sendable {
  let meetup: Meetup
  private let kiosk: Kiosk
  private let doors: Doors
  private let registry: TransportRegistry
  private let lobby: Endpoint

  init(ledger: any Ledger) async throws {
    meetup = try Meetup()
    doors = Doors()
    registry = try TransportRegistry([InMemoryTransport()])
    lobby = try Endpoint("memory://lobby")
    var configuration = try meetup.kiosk(ledger: ledger, observer: doors)
    // Nobody looks at this screen.
    configuration.deskSettings.outcome = .milliseconds(1)
    configuration.deskSettings.outcomeWhenBusy = .milliseconds(1)
    kiosk = try await Kiosk(configuration)
  }

  /// Runs the kiosk as long as `body` takes.
  func open<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let run = Task { try await kiosk.run(on: [lobby], over: registry) }
    _ = try await doors.opened()
    do {
      let value = try await body()
      kiosk.beginGracefulShutdown()
      try await run.value
      return value
    } catch {
      run.cancel()
      throw error
    }
  }

  /// So many attendees that have not been here.
  func attendees(_ count: Int, named name: String) throws -> [AttendeeConfiguration] {
    try (0..<count).map { try meetup.attendee("\(name)-\($0)") }
  }

  /// Checks one in.
  func checkIn(_ attendee: AttendeeConfiguration) async throws {
    let outcome = try await Attendee(attendee).checkIn(at: lobby, over: registry)
    guard case .answered(let answer) = outcome, answer.reason == .admitted else {
      throw BenchmarkError("A check-in came to another end: \(outcome).")
    }
  }

  /// Checks all in, so many at once.
  func checkIn(_ attendees: [AttendeeConfiguration], atOnce: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<atOnce {
        group.addTask {
          for index in stride(from: worker, to: attendees.count, by: atOnce) { try await checkIn(attendees[index]) }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Says when a kiosk listens, and where.
final class Doors: KioskObserver {
  private let stream = AsyncStream.makeStream(of: Endpoint.self)

  func observe(_ report: KioskReport, at time: WallTime) {
    guard case .listening(let endpoint) = report else { return }
    stream.continuation.yield(endpoint)
    stream.continuation.finish()
  }

  /// Returns where, when it does.
  func opened() async throws -> Endpoint {
    for await endpoint in stream.stream { return endpoint }
    throw BenchmarkError("The kiosk does not listen.")
  }
}
