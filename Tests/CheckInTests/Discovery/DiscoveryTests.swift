import CheckIn
import CheckInCore
import FaultTransport
import InMemoryTransport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DiscoveryTests {
  private let room = InMemoryTransport(advertisingInterval: .milliseconds(1))

  @Test func `A registry knows where one can look, and says of the others that they have no discovery`() async throws {
    let registry = try TransportRegistry([ReadableTransport(), room], wrappers: [FaultTransport()])
    #expect(registry.browsingPlaces == [room.browsingPlace])
    #expect(room.capabilities.contains(.discovery))
    #expect(room.capabilities.names.contains("discovery"))
    for url in ["readable://x", "fault+memory://x", "nobody://x"] {
      await expectError(.unsupported) { try await registry.browse(at: try Endpoint(url)) }
    }
    let wrapped = try registry.transport(for: try Endpoint("fault+memory://x"))
    #expect(!wrapped.capabilities.contains(.discovery), "what is declared is there")
  }

  @Test func `A search hears of every place, tells of those that fail, and stops its browsers`() async throws {
    let registry = try TransportRegistry([ReadableTransport(), room])
    let listener = try await room.listen(on: try Endpoint("memory://a"))
    let advertiser = try await room.advertise(
      Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 1)), at: listener.endpoint)
    let places = [room.browsingPlace, try Endpoint("readable://x")]
    let seen = await KioskSearch.run(at: places, over: registry) { events in
      var seen: Set<String> = []
      for await event in events {
        switch event {
        case .began(let place, let now): seen.insert("began \(place) as \(now)")
        case .sighting(let sighting): seen.insert(sighting.endpoint.address)
        case .tick: seen.insert("tick")
        case .failed(let place, let error): seen.insert("\(place.scheme) \(error.code)")
        }
        if seen.count == 4 { break }
      }
      return seen
    }
    #expect(seen == ["began memory:// as memory://", "a", "tick", "readable unsupported"])
    await advertiser.stop()
    await listener.close()
  }

  @Test func `A search that is cancelled ends`() async throws {
    let registry = try TransportRegistry([room])
    let place = room.browsingPlace
    let search = Task {
      await KioskSearch.run(at: [place], over: registry) { events in
        for await _ in events {}
        return Task.isCancelled
      }
    }
    search.cancel()
    #expect(await search.value)
  }

  @Test func `A dial that fails is tried again as often as is said, and no more`() async throws {
    for (attempts, failures, isAdmitted) in [(1, 1, false), (3, 2, true), (3, 3, false)] {
      let hall = try Hall()
      let dials = Atomic(0)
      let log = RetryLog()
      let result = try await hall.open { _, endpoint in
        let registry = try TransportRegistry([
          FlakyTransport(try hall.registry.transport(for: endpoint), failures: failures) {
            dials.add(1, ordering: .relaxed)
          }
        ])
        var ada = try hall.attendee("ada")
        ada.connectAttempts = attempts
        ada.observer = log
        let attendee = try Attendee(ada)
        do throws(CheckInError) {
          return try await attendee.checkIn(at: endpoint, over: registry).isSuccess
        } catch {
          #expect((error.cause as? TransportError)?.code == .lost)
          return false
        }
      }
      #expect(result == isAdmitted)
      #expect(dials.load(ordering: .relaxed) == min(attempts, failures + 1))
      #expect(
        log.attempts == Array(2...max(2, min(attempts, failures + 1))).filter { $0 <= min(attempts, failures + 1) })
    }
  }

  @Test func `A kiosk that answers no dial costs a bounded time, however often it may be tried`() async throws {
    let hall = try Hall()
    let dials = Atomic(0)
    let took = try await hall.open { _, endpoint in
      let silent = SilentTransport(try hall.registry.transport(for: endpoint)) { dials.add(1, ordering: .relaxed) }
      var ada = try hall.attendee("ada")
      ada.connectAttempts = 1_000
      ada.firstRetry = .milliseconds(1)
      ada.connectBound = .milliseconds(150)
      ada.dialBound = .milliseconds(400)
      let attendee = try Attendee(ada)
      let start = ContinuousClock.now
      let error = await #expect(throws: CheckInError.self) {
        try await attendee.checkIn(at: endpoint, over: try TransportRegistry([silent]))
      }
      #expect((error?.cause as? TransportError)?.code == .timedOut)
      return ContinuousClock.now - start
    }
    // The first three have 150, 150 and what is left of 400 milliseconds.
    #expect(dials.load(ordering: .relaxed) <= 3)
    #expect(took >= .milliseconds(300))
  }
}

/// A transport that answers no dial.
private struct SilentTransport: Transport {
  private let inner: any Transport
  private let dialled: @Sendable () -> Void

  init(_ inner: any Transport, dialled: @escaping @Sendable () -> Void) {
    self.inner = inner
    self.dialled = dialled
  }

  var scheme: String { inner.scheme }
  var capabilities: TransportCapabilities { inner.capabilities }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    dialled()
    try? await Task.sleep(until: deadline ?? .now, clock: .continuous)
    throw TransportError(.timedOut, "Nobody answers.")
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    try await inner.listen(on: endpoint)
  }
}

/// A transport whose first dials are lost.
private final class FlakyTransport: Transport {
  private let inner: any Transport
  private let left: Mutex<Int>
  private let dialled: @Sendable () -> Void

  init(_ inner: any Transport, failures: Int, dialled: @escaping @Sendable () -> Void) {
    self.inner = inner
    left = Mutex(failures)
    self.dialled = dialled
  }

  var scheme: String { inner.scheme }
  var capabilities: TransportCapabilities { inner.capabilities }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    dialled()
    let fails = left.withLock { left in
      left -= 1
      return left >= 0
    }
    if fails { throw TransportError(.lost, "The link broke.") }
    return try await inner.connect(to: endpoint, before: deadline)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    try await inner.listen(on: endpoint)
  }
}

private final class RetryLog: AttendeeObserver {
  private let state = Mutex<[Int]>([])

  var attempts: [Int] { state.withLock { $0 } }

  func observe(_ report: AttendeeReport, at time: WallTime) {
    if case .retrying(let attempt, _, _) = report { state.withLock { $0.append(attempt) } }
  }
}
