internal import CheckIn
internal import InMemoryTransport
internal import SocketIO
internal import TCPTransport
internal import Testing
internal import TransportConformance

/// A transport that is broken in one way.
struct Mutant: Sendable, CustomTestStringConvertible {
  enum Base: Sendable {
    case memory
    case tcp
  }

  /// The check that was written for it.
  let check: String
  /// What it does wrong: the rest of the sentence “A transport that …”.
  let fault: String
  let base: Base
  /// What it does wrong, as code. Made anew for each run, as it may have state.
  let hooks: @Sendable () -> Hooks
  /// What else its subject has.
  let adjust: @Sendable (inout ConformanceSubject, _ isBroken: Bool) -> Void
  /// The same without the fault, where that is more than the transport beneath.
  let unbroken: @Sendable () -> Hooks

  init(
    _ check: String, _ fault: String, base: Base = .memory, unbroken: @escaping @Sendable () -> Hooks = { Hooks() },
    adjust: @escaping @Sendable (inout ConformanceSubject, _ isBroken: Bool) -> Void = { _, _ in },
    hooks: @escaping @Sendable () -> Hooks
  ) {
    self.check = check
    self.fault = fault
    self.base = base
    self.hooks = hooks
    self.unbroken = unbroken
    self.adjust = adjust
  }

  /// One whose faults lie in its connections.
  init(
    _ check: String, _ fault: String, connection: @escaping @Sendable (any Connection, Bool) -> ConnectionHooks
  ) {
    self.init(check, fault) { Hooks(connection: connection) }
  }

  /// One whose faults lie in its listeners.
  init(_ check: String, _ fault: String, listener: @escaping @Sendable (any Listener) -> ListenerHooks) {
    self.init(check, fault) { Hooks(listener: listener) }
  }

  var testDescription: String { "a transport that \(fault)" }

  func subject(isBroken: Bool, timeFactor: Double) throws -> ConformanceSubject {
    let hooks = isBroken ? hooks() : unbroken()
    var subject: ConformanceSubject
    switch base {
    case .memory:
      let transport = HookedTransport(base: InMemoryTransport(), hooks: hooks)
      subject = ConformanceSubject(transport, addresses: .names(scheme: "memory"), queueBound: 300)
    case .tcp:
      let loops = try EventLoopGroup(count: 1)
      let transport = HookedTransport(base: TCPTransport(loops: loops, backlog: 64), hooks: hooks)
      subject = ConformanceSubject(
        transport, addresses: .hostAndPort(scheme: "tcp"), queueBound: 300, end: { await loops.shutdown() })
    }
    subject.timeFactor = timeFactor
    if let count = hooks.openResources { subject.openResources = count }
    adjust(&subject, isBroken)
    return subject
  }

  static let all =
    addressMutants + dialMutants + listenerMutants + acceptMutants + dataMutants + threadMutants + waitingMutants
    + cancellingMutants + halfCloseMutants + closeMutants + lossMutants + independenceMutants + channelMutants
}
