internal import CheckIn
internal import Synchronization

/// Where the program really listens, once that is known.
final class RealEndpoint: Sendable {
  private let state: Mutex<Endpoint>

  init(_ endpoint: Endpoint) {
    state = Mutex(endpoint)
  }

  var endpoint: Endpoint {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
