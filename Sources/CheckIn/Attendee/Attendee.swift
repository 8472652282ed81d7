public import CheckInCore
internal import Synchronization

/// An attendee's phone: checks in at a kiosk over any transport.
public final class Attendee: Sendable {
  typealias Session = AttendeeSession<AnyCryptography, AnySigningKey>

  private struct State {
    var runner: SessionRunner<Session>?
    var isCancelled = false
  }

  private let configuration: AttendeeConfiguration
  private let state = Mutex(State())

  /// An attendee from its parts.
  ///
  /// - Throws: ``CheckInError/Code/configuration`` when the profile names an authenticator that is not among the parts.
  public init(_ configuration: AttendeeConfiguration) throws(CheckInError) {
    for name in configuration.profile.authenticators
    where !configuration.authenticators.contains(where: { $0.name == name }) {
      throw CheckInError(.configuration, "The phone claims the authenticator “\(name)” and does not have it.")
    }
    self.configuration = configuration
  }

  /// Connects, and checks in once. A request whose answer was lost, or whose answer was that the kiosk is busy or has a
  /// problem, is made again on a new connection, as often as the configuration says: once it is decided the kiosk gives
  /// it the same answer for ever (R18). Where the last connection cannot be made, that is the outcome:
  /// ``/CheckInCore/NoAnswer/unreachable``; ``AttendeeReport/unreachable(_:_:wasReached:)`` has the cause.
  ///
  /// A cancelled task ends it at once, with ``/CheckInCore/AttendeeOutcome/cancelled``.
  ///
  /// - Throws: ``CheckInError/Code/insecureTransport`` (R7); ``CheckInError/Code/transport`` when no first connection
  ///   can be made, in as many attempts and as much time as the configuration says.
  public func checkIn(at endpoint: Endpoint, over registry: TransportRegistry) async throws(CheckInError)
    -> AttendeeOutcome
  {
    let transport = try registry.secureTransport(
      for: endpoint, allowsInsecure: configuration.allowsInsecureTransports)
    let request = RequestID(Bytes16(random: configuration.cryptography))
    var wait = configuration.firstRetry
    var wasReached = false
    var attempt = 1
    /// When connecting has to be done; nil while there is a connection.
    var end: Deadline?
    while true {
      let outcome: AttendeeOutcome
      var failure: TransportError?
      let last = end ?? .now + configuration.dialBound
      end = last
      do throws(TransportError) {
        let connection = try await transport.connect(
          to: endpoint, before: min(.now + configuration.connectBound, last))
        wasReached = true
        end = nil
        outcome = await run(request, over: connection)
        guard outcome.isRetryable else { return outcome }
      } catch {
        guard error.code != .cancelled else { return .cancelled }
        outcome = .noAnswer(.unreachable)
        failure = error
      }
      // What will not pass is not tried again: a certificate that was refused once is refused again (R23).
      let attempts = wasReached ? configuration.attempts : configuration.connectAttempts
      let isTooLate = failure != nil && .now + wait >= last
      guard attempt < attempts, failure?.mayPass ?? true, !isTooLate, !isCancelled else {
        if let failure {
          report(.unreachable(endpoint, failure, wasReached: wasReached))
          guard wasReached else { throw .transport(failure) }
          configuration.display?.show(.outcome(outcome))
        }
        return outcome
      }
      attempt += 1
      let (problem, asked) = Attendee.problem(outcome)
      let pause = max(wait, asked)
      report(.retrying(attempt: attempt, after: pause, because: failure?.message ?? problem))
      do throws(CancellationError) {
        try await configuration.clock.sleep(until: configuration.clock.now.monotonic + pause)
      } catch {
        return .cancelled
      }
      wait += wait
    }
  }

  /// Why an attempt is made again, for people, and how long the kiosk asked to wait.
  private static func problem(_ outcome: AttendeeOutcome) -> (String, Duration) {
    switch outcome {
    case .answered(let answer): (answer.reason.text, answer.retryAfter ?? .zero)
    case .noAnswer(let why): (why.text, .zero)
    default: ("", .zero)
    }
  }

  /// Gives up: tells the kiosk where that is possible, and ends soon. An answer that comes all the same still counts.
  public func cancel() {
    let runner = state.withLock { state in
      state.isCancelled = true
      return state.runner
    }
    runner?.post(.cancel)
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run(_ request: RequestID, over connection: any Connection) async -> AttendeeOutcome {
    report(.connected(local: connection.local, remote: connection.remote))
    let timers = TimerQueue(clock: configuration.clock)
    let attempt = AttendeeAttempt(configuration: configuration)
    let runner = SessionRunner(
      machine: Session(
        profile: configuration.profile, settings: configuration.settings, request: request,
        channelBinding: connection.channelBinding, cryptography: AnyCryptography(configuration.cryptography),
        key: AnySigningKey(configuration.key)),
      channel: MessageChannel(connection), clock: configuration.clock, timers: timers
    ) { action, runner in
      await attempt.perform(action, runner)
    }
    let wasCancelled = state.withLock { state in
      state.runner = runner
      return state.isCancelled
    }
    if wasCancelled { runner.post(.cancel) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await timers.run() }
      group.addTask(executorPreference: connection.executor) { await runner.run(start: .start) }
      // The timers never end by themselves, so the first to end is the session.
      await group.next()
      group.cancelAll()
    }
    await attempt.stopAsking()
    state.withLock { $0.runner = nil }
    return attempt.outcome
  }

  private func report(_ report: AttendeeReport) {
    configuration.observer?.observe(report, at: configuration.clock.now.wall)
  }
}

extension TransportError {
  /// Whether the same dial may succeed a moment later.
  fileprivate var mayPass: Bool {
    [.lost, .refused, .timedOut, .unreachable, .resourcesExhausted].contains(code)
  }
}
