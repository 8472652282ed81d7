internal import CheckIn
internal import Synchronization

/// A look-out with one controller, by bluetoothd where it runs, else by the kernel's management interface. When bluetoothd
/// begins anew, goes away or takes the controller over, it goes on in the way that is right then.
final class BlueZBrowser: Browser {
  let place: Endpoint

  private struct State {
    var isStopped = false
    var failure: TransportError?
    /// Nil while a task looks.
    var way: LookingWay?
    /// How to end what looks now.
    var closing: LookingWay.Closing
    /// What looks now, such as `hci0`.
    var controller: String
  }

  private let discovery: BlueZDiscovery
  private let state: Mutex<State>

  /// The way is the browser's from now on.
  init(place: Endpoint, way: LookingWay, discovery: BlueZDiscovery) {
    self.place = place
    self.discovery = discovery
    state = Mutex(State(way: way, closing: way.closing, controller: way.controllerName))
  }

  deinit {
    let closing = state.withLock { $0.isStopped ? nil : $0.closing }
    guard let closing else { return }
    Task { await closing.close() }
  }

  var placeNow: Endpoint { state.withLock { Endpoint(scheme: place.scheme, address: $0.controller) } }

  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    guard !Task.isCancelled else { throw .stoppedLooking(.cancelled) }
    let taken = state.withLock { state -> Result<LookingWay, TransportError> in
      if state.isStopped { return .failure(.stoppedLooking(.closed)) }
      if let failure = state.failure { return .failure(failure) }
      guard let way = state.way else { preconditionFailure("two tasks look with one browser at once") }
      state.way = nil
      return .success(way)
    }
    var way = try taken.get()
    let result: Result<Sighting, TransportError>
    do throws(TransportError) {
      result = .success(try await look(&way, before: deadline))
    } catch {
      result = .failure(error)
    }
    let isStopped = state.withLock { state in
      state.way = way
      if case .failure(let error) = result, error.code != .cancelled, error.code != .timedOut { state.failure = error }
      return state.isStopped
    }
    guard !isStopped else { throw .stoppedLooking(.closed) }
    return try result.get()
  }

  /// Looks, and goes on in another way where the one that was has ended for that reason alone.
  private func look(_ way: inout LookingWay, before deadline: Deadline?) async throws(TransportError) -> Sighting {
    while true {
      do throws(TransportError) {
        return try await way.next(before: deadline)
      } catch {
        guard let next = try await discovery.lookOn(after: way, error, at: place) else { throw error }
        if !next.hasConnection(of: way) { await way.closing.close() }
        way = next
        let (closing, controller) = (next.closing, next.controllerName)
        let isStopped = state.withLock { state in
          state.closing = closing
          state.controller = controller
          return state.isStopped
        }
        guard !isStopped else {
          await closing.close()
          throw .stoppedLooking(.closed)
        }
      }
    }
  }

  func stop() async {
    let closing = state.withLock { state -> LookingWay.Closing? in
      defer { state.isStopped = true }
      return state.isStopped ? nil : state.closing
    }
    guard let closing else { return }
    // In a task of its own, so that a cancelled one stops too.
    await Task { await closing.close() }.value
  }
}

/// Who looks: bluetoothd, or this program itself.
enum LookingWay: Sendable {
  case kernel(KernelLooking)
  case daemon(DaemonLooking)

  /// How to end it while another task looks.
  enum Closing: Sendable {
    case kernel(any Connection, Controller)
    case daemon(BluetoothDaemon)

    func close() async {
      switch self {
      case .kernel(let connection, let controller): await KernelLooking.close(connection, controller)
      case .daemon(let daemon): daemon.close()
      }
    }
  }

  var closing: Closing {
    switch self {
    case .kernel(let looking): .kernel(looking.socket.connection, looking.controller)
    case .daemon(let looking): .daemon(looking.daemon)
    }
  }

  /// Such as `hci0`.
  var controllerName: String {
    switch self {
    case .kernel(let looking): looking.controller.name
    case .daemon(let looking): looking.adapter.name
    }
  }

  /// Whether both talk to bluetoothd over the same connection.
  func hasConnection(of other: LookingWay) -> Bool {
    if case (.daemon(let one), .daemon(let other)) = (self, other) { one.daemon === other.daemon } else { false }
  }

  mutating func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    switch self {
    case .kernel(var looking):
      defer { self = .kernel(looking) }
      return try await looking.next(before: deadline)
    case .daemon(var looking):
      defer { self = .daemon(looking) }
      return try await looking.next(before: deadline)
    }
  }
}

extension TransportError {
  /// The error of a look-out that ended so.
  static func stoppedLooking(_ code: Code) -> TransportError {
    switch code {
    case .cancelled: TransportError(.cancelled, "Looking for kiosks was cancelled.")
    case .timedOut: TransportError(.timedOut, "Looking for kiosks did not end in time.")
    default: TransportError(.closed, "This side has stopped looking for kiosks.")
    }
  }
}
