import CheckIn
import CheckInCore
import InMemoryTransport
import Synchronization
import TestSupport
import Testing

/// A kiosk that advertises, and phones that look for it, in one room.
@Suite(.timeLimit(.minutes(1)))
struct KioskAdvertisingTests {
  private let room = InMemoryTransport(advertisingInterval: .milliseconds(1))
  private let advertisement = Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 7))

  /// Runs a kiosk of these transports beside `body`, and ends it in good order.
  private func open(
    _ transports: [any Transport], at url: String = "memory://lobby",
    _ body: @Sendable @escaping (Log) async throws -> Void
  ) async throws {
    let hall = try Hall()
    var configuration = hall.kioskConfiguration
    configuration.advertisement = advertisement
    configuration.allowsInsecureTransports = true
    let kiosk = try await Kiosk(configuration)
    let registry = try TransportRegistry(transports)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await kiosk.run(on: [try Endpoint(url)], over: registry) }
      group.addTask {
        defer { kiosk.beginGracefulShutdown() }
        // A kiosk that never listens ends this by cancellation.
        while !hall.log.reports.contains(where: { if case .listening = $0 { true } else { false } }) {
          try await Task.sleep(for: .milliseconds(1))
        }
        try await body(hall.log)
      }
      while try await group.next() != nil {}
    }
  }

  @Test func `A kiosk that is to advertise is found, and is not any more when it has stopped`() async throws {
    let browser = try await room.browse(at: room.browsingPlace)
    try await open([room]) { _ in
      let sighting = try await browser.next(before: .now + .seconds(20))
      #expect(sighting.kiosk == "Hall A")
      #expect(sighting.event == ShortEventID(rawValue: 7))
    }
    await expectError(.timedOut) { while true { _ = try await browser.next(before: .now + .milliseconds(30)) } }
    await browser.stop()
  }

  @Test func `A kiosk that may advertise nowhere says so before it serves`() async throws {
    await #expect(throws: CheckInError.self) {
      try await open([ReadableTransport()], at: "readable://x") { _ in Issue.record("it serves") }
    }
    let refusing = StubbornTransport(room, failures: [.permissionDenied])
    let error = await #expect(throws: CheckInError.self) { try await open([refusing]) { _ in } }
    #expect((error?.cause as? TransportError)?.code == .permissionDenied)
    // The listener was closed again.
    let listener = try await room.listen(on: try Endpoint("memory://lobby"))
    await listener.close()
  }

  @Test func `A controller that is off at first does not keep the kiosk from serving, and is tried again`() async throws
  {
    let stubborn = StubbornTransport(room, failures: [.addressUnavailable, .addressUnavailable])
    let browser = try await room.browse(at: room.browsingPlace)
    try await open([stubborn]) { log in
      _ = try await browser.next(before: .now + .seconds(30))
      let failed = log.reports.count { if case .advertisingFailed = $0 { true } else { false } }
      #expect(failed == 2)
    }
    await browser.stop()
  }

  @Test func `An advertisement that ends by itself is reported and put out again`() async throws {
    let stubborn = StubbornTransport(room, failures: [])
    let browser = try await room.browse(at: room.browsingPlace)
    try await open([stubborn]) { log in
      _ = try await browser.next(before: .now + .seconds(30))
      stubborn.breakAll()
      while !log.reports.contains(where: { if case .advertisingFailed = $0 { true } else { false } }) {
        try await Task.sleep(for: .milliseconds(1))
      }
      // What was heard before the break is all gone by the second time that the new one is heard.
      while stubborn.count < 2 { _ = try await browser.next(before: .now + .seconds(30)) }
    }
    await browser.stop()
  }
}

/// A room whose advertisements fail at first, or break when a test says so.
private final class StubbornTransport: DiscoverableTransport {
  private struct State {
    var failures: [TransportError.Code]
    var bells: [EndBell] = []
  }

  private let room: InMemoryTransport
  private let state: Mutex<State>

  init(_ room: InMemoryTransport, failures: [TransportError.Code]) {
    self.room = room
    state = Mutex(State(failures: failures))
  }

  var count: Int { state.withLock { $0.bells.count } }

  func breakAll() {
    for bell in state.withLock({ $0.bells }) { bell.ring(TransportError(.addressUnavailable, "It was unplugged.")) }
  }

  var scheme: String { room.scheme }
  var capabilities: TransportCapabilities { room.capabilities }
  var browsingPlace: Endpoint { room.browsingPlace }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    try await room.connect(to: endpoint, before: deadline)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    try await room.listen(on: endpoint)
  }

  func browse(at place: Endpoint) async throws(TransportError) -> any Browser { try await room.browse(at: place) }

  func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    if let failure { throw TransportError(failure, "It is off.") }
    let bell = EndBell()
    state.withLock { $0.bells.append(bell) }
    return StubbornAdvertiser(try await room.advertise(advertisement, at: endpoint), bell)
  }
}

private final class StubbornAdvertiser: Advertiser {
  private let inner: any Advertiser
  private let bell: EndBell

  init(_ inner: any Advertiser, _ bell: EndBell) {
    self.inner = inner
    self.bell = bell
  }

  var endpoint: Endpoint { inner.endpoint }

  func ended() async throws(TransportError) { try await bell.wait() }

  func stop() async {
    await inner.stop()
    bell.ring()
  }
}
