internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Where a transport does something else than the one beneath it. What is nil is passed on.
struct Hooks: Sendable {
  typealias Dial = @Sendable (any Transport, Endpoint, Deadline?) async throws(TransportError) -> any Connection
  typealias Listen = @Sendable (any Transport, Endpoint) async throws(TransportError) -> any Listener

  var scheme: String?
  var capabilities: TransportCapabilities?
  /// What it holds of the system, where that is counted apart from this process, which runs other tests at once.
  var openResources: (@Sendable () -> Int)?
  var connect: Dial?
  var listen: Listen?
  /// Made anew for each listener.
  var listener: (@Sendable (any Listener) -> ListenerHooks)?
  /// Made anew for each connection; true for the end that was accepted.
  var connection: (@Sendable (any Connection, Bool) -> ConnectionHooks)?
}

struct ListenerHooks: Sendable {
  var endpoint: (@Sendable (any Listener) -> Endpoint)?
  var accept: (@Sendable (any Listener) async throws(TransportError) -> any Connection)?
  var close: (@Sendable (any Listener) async -> Void)?
}

struct ConnectionHooks: Sendable {
  typealias Receive = @Sendable (any Connection, inout ByteQueue, Deadline?) async throws(TransportError) -> Reception
  typealias Send = @Sendable (any Connection, [UInt8], Deadline?) async throws(TransportError) -> Void

  var local: Endpoint?
  var remote: Endpoint?
  var channelBinding: [UInt8]?
  var receive: Receive?
  var send: Send?
  var sendAtOnce: (@Sendable (any Connection, [UInt8], Frame.Prefix?) throws(TransportError) -> Bool)?
  var finish: (@Sendable (any Connection) async throws(TransportError) -> Void)?
  var close: (@Sendable (any Connection) async -> Void)?
  var abort: (@Sendable (any Connection) -> Void)?
}

/// A transport over another one, with hooks.
struct HookedTransport: Transport {
  let base: any Transport
  let hooks: Hooks

  var scheme: String { hooks.scheme ?? base.scheme }
  var capabilities: TransportCapabilities { hooks.capabilities ?? base.capabilities }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    let connection =
      if let connect = hooks.connect { try await connect(base, endpoint, deadline) } else {
        try await base.connect(to: endpoint, before: deadline)
      }
    return wrap(connection, isAccepted: false)
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let listener =
      if let listen = hooks.listen { try await listen(base, endpoint) } else { try await base.listen(on: endpoint) }
    return HookedListener(base: listener, hooks: hooks.listener?(listener) ?? ListenerHooks(), transport: self)
  }

  func wrap(_ connection: any Connection, isAccepted: Bool) -> any Connection {
    // What a hook has wrapped already stays as it is.
    guard let hooks = hooks.connection, !(connection is HookedConnection) else { return connection }
    return HookedConnection(base: connection, hooks: hooks(connection, isAccepted))
  }
}

final class HookedListener: Listener {
  private let base: any Listener
  private let hooks: ListenerHooks
  private let transport: HookedTransport

  init(base: any Listener, hooks: ListenerHooks, transport: HookedTransport) {
    self.base = base
    self.hooks = hooks
    self.transport = transport
  }

  var endpoint: Endpoint { hooks.endpoint?(base) ?? base.endpoint }

  func accept() async throws(TransportError) -> any Connection {
    let connection = if let accept = hooks.accept { try await accept(base) } else { try await base.accept() }
    return transport.wrap(connection, isAccepted: true)
  }

  func close() async {
    if let close = hooks.close { await close(base) } else { await base.close() }
  }
}

final class HookedConnection: Connection {
  private let base: any Connection
  private let hooks: ConnectionHooks

  init(base: any Connection, hooks: ConnectionHooks) {
    self.base = base
    self.hooks = hooks
  }

  var local: Endpoint { hooks.local ?? base.local }
  var remote: Endpoint { hooks.remote ?? base.remote }
  var channelBinding: [UInt8]? { hooks.channelBinding ?? base.channelBinding }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    if let receive = hooks.receive { return try await receive(base, &queue, deadline) }
    return try await base.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    if let send = hooks.send {
      try await send(base, bytes, deadline)
    } else {
      try await base.send(bytes, before: deadline)
    }
  }

  func sendAtOnce(_ bytes: [UInt8], behind prefix: Frame.Prefix?) throws(TransportError) -> Bool {
    if let sendAtOnce = hooks.sendAtOnce { return try sendAtOnce(base, bytes, prefix) }
    return false
  }

  func finish() async throws(TransportError) {
    if let finish = hooks.finish { try await finish(base) } else { try await base.finish() }
  }

  func close() async {
    if let close = hooks.close { await close(base) } else { await base.close() }
  }

  func abort() {
    if let abort = hooks.abort { abort(base) } else { base.abort() }
  }
}

/// Something that several hooks change.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { value in body(&value) }
  }
}

extension Shared where Value == Int {
  /// Counts, from 1.
  func next() -> Int {
    change { count in
      count += 1
      return count
    }
  }
}

/// A call that hangs, until its task is cancelled.
func hang() async {
  try? await Task.sleep(for: .seconds(3600))
}

extension Error where Self == TransportError {
  static func broken(_ code: TransportError.Code) -> TransportError {
    TransportError(code, "This transport is broken on purpose.")
  }
}
