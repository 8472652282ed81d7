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

  /// How many failures to accept, one after the other, end a listener.
  private static let acceptAttempts = 12

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
    let listeners = try await listen(on: endpoints, over: registry)
    for listener in listeners { report(.listening(listener.endpoint)) }
    let failure = await withTaskGroup(of: Void.self, returning: TransportError?.self) { group in
      group.addTask { await self.timers.run() }
      group.addTask {
        for await _ in self.shutdown.stream {
          await EnrollmentServer.close(listeners)
          self.stopSessions()
        }
      }
      let failure = await self.serve(listeners)
      group.cancelAll()
      return failure
    }
    await EnrollmentServer.close(listeners)
    if let failure { throw .transport(failure) }
  }

  /// Stops listening, and lets every session end in good order. ``run(on:over:)`` returns when the last is over.
  public func beginGracefulShutdown() {
    shutdown.continuation.yield()
  }

  private func listen(
    on endpoints: [Endpoint], over registry: TransportRegistry
  ) async throws(CheckInError) -> [any Listener] {
    var listeners: [any Listener] = []
    do throws(TransportError) {
      for endpoint in endpoints {
        let transport = try registry.transport(for: endpoint)
        guard transport.capabilities.contains(.secure) else {
          await EnrollmentServer.close(listeners)
          throw TransportError(
            .unsupported,
            "\(endpoint) proves nobody: an enrollment needs certificates on both sides. Put tls+ in front of the address."
          )
        }
        listeners.append(try await transport.listen(on: endpoint))
      }
      return listeners
    } catch {
      await EnrollmentServer.close(listeners)
      throw .transport(error)
    }
  }

  private static func close(_ listeners: [any Listener]) async {
    for listener in listeners { await listener.close() }
  }

  private func serve(_ listeners: [any Listener]) async -> TransportError? {
    await withTaskGroup(of: TransportError?.self) { group in
      for listener in listeners { group.addTask { await self.serve(listener) } }
      var failures: [TransportError] = []
      for await failure in group {
        if let failure { failures.append(failure) }
      }
      return failures.count == listeners.count ? failures.last : nil
    }
  }

  /// Serves a listener until it is closed. One failure to accept does not end it; many in a row do.
  private func serve(_ listener: any Listener) async -> TransportError? {
    await withDiscardingTaskGroup { sessions in
      var failures = 0
      while true {
        do throws(TransportError) {
          let connection = try await listener.accept()
          failures = 0
          sessions.addTask(executorPreference: connection.executor) { await self.serve(connection) }
        } catch {
          guard error.code != .closed, error.code != .cancelled else { return nil }
          failures += 1
          guard failures < EnrollmentServer.acceptAttempts else {
            report(.listenerFailed(listener.endpoint, error))
            return error
          }
          report(.acceptFailed(listener.endpoint, error))
          do throws(CancellationError) {
            let pause = Duration.milliseconds(min(1000, 5 << failures))
            try await configuration.clock.sleep(until: configuration.clock.now.monotonic + pause)
          } catch {
            return nil
          }
        }
      }
    }
  }

  private func serve(_ connection: any Connection) async {
    guard let holder = connection.peerCertificate.flatMap(configuration.identify) else {
      report(.refused(from: connection.remote, reason: "Its certificate opens nothing here."))
      return connection.abort()
    }
    let runner = Runner(
      machine: Session(
        name: configuration.name, peer: holder.peer, peerKey: holder.key, settings: configuration.settings,
        channelBinding: connection.channelBinding, cryptography: AnyCryptography(configuration.cryptography),
        key: AnySigningKey(configuration.key)),
      channel: MessageChannel(connection), clock: configuration.clock, timers: timers
    ) { action, runner in
      await self.perform(action, for: holder, runner)
    }
    guard let number = admit(runner, peer: connection.peerAddress) else {
      report(.refused(from: connection.remote, reason: "Too many connections are open."))
      return connection.abort()
    }
    await runner.run(start: .start)
    forget(number, peer: connection.peerAddress)
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
    _ action: EnrollmentServerAction, for holder: EnrollmentCertificateHolder, _ runner: Runner
  ) async -> EnrollmentServerInput? {
    switch action {
    case .send(let body):
      do throws(TransportError) {
        try await runner.channel.send(body, before: .now + configuration.sendBound)
      } catch {
        return .peerLost
      }
    case .perform(let order): return .answered(await work.answer(order, key: holder.key))
    case .startTimer(let timer, let duration): runner.startTimer(timer, duration)
    case .stopTimer(let timer): runner.stopTimer(timer)
    case .report(let event): report(.session(from: runner.channel.remote, event))
    case .close: await runner.channel.close()
    case .abort: runner.channel.abort()
    }
    return nil
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
