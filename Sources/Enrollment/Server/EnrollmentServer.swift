public import CheckIn
internal import CheckInCore
package import EnrollmentCore
internal import Synchronization

/// An enrollment server: serves clients over any transport that proves who they are.
///
/// ``run(on:over:)`` serves until ``beginGracefulShutdown()`` is called or its task is cancelled. The first lets what is being
/// worked at get its answer; the second ends everything at once.
public final class EnrollmentServer: Sendable {
  typealias Session = EnrollmentServerSession<AnyCryptography, AnySigningKey>
  typealias Runner = SessionRunner<Session>

  private struct State {
    var runners: [Int: Runner] = [:]
    var peers: [String: Int] = [:]
    var next = 0
    var isStopping = false
  }

  private let configuration: EnrollmentServerConfiguration
  private let work: EnrollmentWork
  private let timers: TimerQueue
  private let shutdown = AsyncStream.makeStream(of: Void.self)
  private let state = Mutex(State())

  /// A server from its parts.
  public init(_ configuration: EnrollmentServerConfiguration) {
    self.configuration = configuration
    work = EnrollmentWork(configuration)
    timers = TimerQueue(clock: configuration.clock)
  }

  /// Listens at every endpoint and serves until told to stop.
  ///
  /// - Throws: ``/CheckIn/CheckInError/Code/insecureTransport`` for a transport that is not both encrypted and sure of who is
  ///   at the other end, ``/CheckIn/CheckInError/Code/transport`` where one cannot listen, or the last listener has failed.
  public func run(on endpoints: [Endpoint], over registry: TransportRegistry) async throws(CheckInError) {
    let listeners = try await ListenerGroup(at: endpoints, clock: configuration.clock) {
      endpoint throws(CheckInError) in
      try EnrollmentServer.transport(for: endpoint, in: registry)
    }
    await work.tidy()
    for endpoint in listeners.endpoints { report(.listening(endpoint)) }
    let failure = await withTaskGroup(of: Void.self, returning: TransportError?.self) { group in
      group.addTask { await self.timers.run() }
      group.addTask { await self.work.forgetRegularly() }
      group.addTask {
        for await _ in self.shutdown.stream {
          await listeners.close()
          self.stopSessions()
        }
      }
      let failure = await listeners.run(report: self.reportTrouble) { await self.serve($0) }
      group.cancelAll()
      return failure
    }
    await listeners.close()
    if let failure { throw .transport(failure) }
  }

  /// Stops listening, and lets every session end in good order. ``run(on:over:)`` returns when the last is over.
  public func beginGracefulShutdown() {
    shutdown.continuation.yield()
  }

  private static func transport(
    for endpoint: Endpoint, in registry: TransportRegistry
  ) throws(CheckInError) -> any Transport {
    let transport: any Transport
    do throws(TransportError) {
      transport = try registry.transport(for: endpoint)
    } catch {
      throw .transport(error)
    }
    guard transport.capabilities.contains(.secure) else {
      throw CheckInError(
        .insecureTransport,
        "\(endpoint) proves nobody: an enrollment needs certificates on both sides. Put tls+ in front of the address.")
    }
    return transport
  }

  private func serve(_ connection: any Connection) async {
    guard let holder = connection.peerCertificate.flatMap(configuration.identify) else {
      report(.refused(from: connection.remote, reason: "Its certificate opens nothing here."))
      return connection.abort()
    }
    let peer = connection.peerAddress
    let runner = Runner(
      machine: Session(
        name: configuration.name, peer: holder.peer, peerKey: holder.key, settings: configuration.settings,
        channelBinding: connection.channelBinding, cryptography: AnyCryptography(configuration.cryptography),
        key: AnySigningKey(configuration.key)),
      channel: MessageChannel(connection), clock: configuration.clock, timers: timers
    ) { action, runner in
      await self.perform(action, for: holder, from: peer, runner)
    }
    guard let number = admit(runner, peer: peer) else {
      report(.refused(from: connection.remote, reason: "Too many connections are open."))
      return connection.abort()
    }
    await runner.run(start: .start)
    forget(number, peer: peer)
  }

  private func admit(_ runner: Runner, peer: String?) -> Int? {
    state.withLock { state in
      let ofPeer = peer.map { state.peers[$0, default: 0] } ?? 0
      guard !state.isStopping, state.runners.count < configuration.openSessions,
        ofPeer < configuration.openSessionsPerPeer
      else { return nil }
      state.next += 1
      state.runners[state.next] = runner
      if let peer { state.peers[peer] = ofPeer + 1 }
      return state.next
    }
  }

  private func forget(_ number: Int, peer: String?) {
    state.withLock { state in
      state.runners[number] = nil
      guard let peer, let count = state.peers[peer] else { return }
      state.peers[peer] = count > 1 ? count - 1 : nil
    }
  }

  private func stopSessions() {
    let runners = state.withLock { state in
      state.isStopping = true
      return Array(state.runners.values)
    }
    for runner in runners { runner.post(.stop) }
  }

  private func perform(
    _ action: EnrollmentServerAction, for holder: EnrollmentCertificateHolder, from peer: String?, _ runner: Runner
  ) async -> EnrollmentServerInput? {
    switch action {
    case .send(let body):
      do throws(TransportError) {
        try await runner.channel.send(body, before: .now + configuration.sendBound)
      } catch {
        return .peerLost
      }
    case .perform(let order):
      return .answered(await work.answer(order, key: holder.key, from: peer))
    case .startTimer(let timer, let duration): runner.startTimer(timer, duration)
    case .stopTimer(let timer): runner.stopTimer(timer)
    case .report(let event): report(.session(from: runner.channel.remote, event))
    case .close: await runner.channel.close()
    case .abort: runner.channel.abort()
    }
    return nil
  }

  private func reportTrouble(_ trouble: ListenerGroup.Trouble) {
    switch trouble {
    case .acceptFailed(let endpoint, let error): report(.acceptFailed(endpoint, error))
    case .listenerFailed(let endpoint, let error): report(.listenerFailed(endpoint, error))
    }
  }

  private func report(_ report: EnrollmentServerReport) {
    configuration.observer?.observe(report, at: configuration.clock.now.wall)
  }
}

extension EnrollmentServerSession: SessionMachine {
  package static func input(_ event: ConnectionEvent) -> EnrollmentServerInput {
    switch event {
    case .received(let body): .received(body)
    case .framingFailed: .framingFailed
    case .finished: .peerFinished
    case .lost: .peerLost
    }
  }

  package static func input(fired timer: EnrollmentServerTimer) -> EnrollmentServerInput { .timerFired(timer) }
}
