public import CheckIn
internal import Synchronization

/// Connections inside one process: `memory://lobby`.
///
/// Each instance is a world of its own: what listens in one cannot be dialled from another. An address is a name of
/// letters, digits, `.`, `_` and `-`; `memory://0` at listen gets a fresh one. There are no parameters. Listeners can be
/// advertised, and are found by whoever looks in the same world.
public final class InMemoryTransport: Transport {
  /// How many connections wait for ``Listener/accept()`` before a further dial has to wait.
  public static let backlog = 128
  /// How long a dial without a deadline waits for a place among those that wait to be accepted.
  public static let connectTimeout = Duration.seconds(10)

  private struct State {
    var listeners: [String: MemoryListenerCore] = [:]
    var lastName = 0
    var lastConnection = 0
  }

  private let executor: (any TaskExecutor)?
  private let capacity: Int
  private let state = Mutex(State())
  let air: MemoryAir

  /// A world in which nobody listens yet.
  ///
  /// - Parameters:
  ///   - executor: what its connections offer as ``Connection/executor``.
  ///   - capacity: how many bytes each direction of a connection holds before the sender has to wait.
  ///   - advertisingInterval: how often a browser hears each advertised listener.
  /// - Precondition: `capacity` is at least 1, and `advertisingInterval` is longer than nothing.
  public init(
    executor: (any TaskExecutor)? = nil, capacity: Int = 65_536, advertisingInterval: Duration = .milliseconds(100)
  ) {
    precondition(capacity > 0, "a pipe that holds no bytes moves none")
    precondition(advertisingInterval > .zero, "a browser that always hears something never waits")
    air = MemoryAir(interval: advertisingInterval)
    self.executor = executor
    self.capacity = capacity
  }

  /// `memory`.
  public var scheme: String { "memory" }

  /// Everything but encryption, which inside one process protects nothing.
  public var capabilities: TransportCapabilities {
    [.halfClose, .insideProcess, .ephemeralAddress, .tellsAbort, .discovery]
  }

  /// Opens a connection to the listener of that name. It may be used before it is accepted.
  public func connect(
    to endpoint: Endpoint, before deadline: Deadline?
  ) async throws(TransportError) -> any Connection {
    let name = try name(of: endpoint)
    guard name != "0" else {
      throw TransportError(.addressMalformed, "memory://0 asks for a fresh name when listening; it cannot be dialled.")
    }
    guard !Task.isCancelled else { throw .cancelled("Dialling \(endpoint)") }
    let (listener, number) = state.withLock { state in
      state.lastConnection += 1
      return (state.listeners[name], state.lastConnection)
    }
    guard let listener else { throw .refused(endpoint) }
    if let deadline, deadline <= .now { throw .timedOut("Connecting") }
    // A colon cannot stand in a name, so nobody can listen at a dialler's own address.
    let dialler = Endpoint(scheme: scheme, address: "\(name):\(number)")
    let there = MemoryPipe(capacity: capacity)
    let back = MemoryPipe(capacity: capacity)
    let accepted = MemoryConnection(
      local: endpoint, remote: dialler, incoming: there, outgoing: back, executor: executor)
    try await listener.queue(accepted, before: deadline ?? .now + Self.connectTimeout)
    return MemoryConnection(local: dialler, remote: endpoint, incoming: back, outgoing: there, executor: executor)
  }

  /// Listens under that name, or under a fresh one for `0`.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let wanted = try name(of: endpoint)
    let listener: MemoryListener? = state.withLock { state in
      var name = wanted
      while name == "0" || (wanted == "0" && state.listeners[name] != nil) {
        state.lastName += 1
        name = "fresh-\(state.lastName)"
      }
      guard state.listeners[name] == nil else { return nil }
      let core = MemoryListenerCore(endpoint: Endpoint(scheme: scheme, address: name))
      state.listeners[name] = core
      return MemoryListener(core: core, transport: self)
    }
    guard let listener else {
      throw TransportError(.addressInUse, "\(endpoint) has a listener already. Close it, or take another name.")
    }
    return listener
  }

  /// Frees the name, if it is still this listener's.
  func remove(_ listener: MemoryListenerCore) {
    let isGone = state.withLock { state in
      let name = listener.endpoint.address
      guard state.listeners[name] === listener else { return false }
      state.listeners[name] = nil
      return true
    }
    if isGone { air.silence(listener.endpoint) }
  }

  /// Whether somebody listens under that name.
  func hasListener(_ name: String) -> Bool {
    state.withLock { $0.listeners[name] != nil }
  }

  func name(of endpoint: Endpoint) throws(TransportError) -> String {
    guard endpoint.scheme == scheme else {
      throw TransportError(.unsupported, "The in-memory transport serves memory://, not \(endpoint.scheme)://.")
    }
    if let parameter = endpoint.parameters.first {
      throw TransportError(
        .addressMalformed, "memory:// has no parameter “\(parameter.name)”; it has none at all. Leave it out.")
    }
    let allowed = endpoint.address.utf8.allSatisfy { byte in
      (97...122).contains(byte) || (65...90).contains(byte) || (45...46).contains(byte) || (48...57).contains(byte)
        || byte == 95
    }
    guard allowed, (1...128).contains(endpoint.address.utf8.count) else {
      throw TransportError(
        .addressMalformed,
        "“\(endpoint.address.prefix(80))” is no name: use 1 to 128 letters, digits, full stops, minuses and underscores."
      )
    }
    return endpoint.address
  }
}
