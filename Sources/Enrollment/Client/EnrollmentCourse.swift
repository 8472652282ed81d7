internal import CheckIn
internal import CheckInCore
internal import EnrollmentCore
internal import Synchronization

/// Carries out the actions of one session.
final class EnrollmentCourse: Sendable {
  private struct State {
    var timers: [EnrollmentTimer: Task<Void, Never>] = [:]
    var request: Task<Void, Never>?
    var tasks: [Task<Void, Never>] = []
    /// The token, where it is at hand: a personal container that is kept as it came opens with it alone.
    var token: SecretBytes?
    /// Whether the open connection is another client's by now: it has said who it is, and all that was forgotten.
    var isStale = false
    var failure: EnrollmentVaultError?
  }

  private let configuration: EnrollmentClientConfiguration
  private let post: @Sendable (EnrollmentInput) -> Void
  private let line: EnrollmentLine
  private let state = Mutex(State())

  init(_ configuration: EnrollmentClientConfiguration, post: @escaping @Sendable (EnrollmentInput) -> Void) {
    self.configuration = configuration
    self.post = post
    line = EnrollmentLine(
      vault: configuration.vault, dialler: configuration.dialler, cryptography: configuration.cryptography,
      clock: configuration.clock, answerWait: configuration.settings.answerWait
    ) { report in
      configuration.observer?.observe(report, at: configuration.clock.now.wall)
    }
  }

  /// Carries out actions in their order; answers with how the session ended, once it has.
  func carryOut(_ actions: [EnrollmentAction]) throws(EnrollmentVaultError) -> EnrollmentOutcome? {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    for action in actions {
      if case .finish(let outcome) = action {
        report(.finished(outcome))
        return outcome
      }
      try carryOut(action)
    }
    return nil
  }

  /// Stops everything and closes the connection.
  func end() async {
    let running = state.withLock { state in
      defer { state = State() }
      return Array(state.timers.values) + state.tasks + (state.request.map { [$0] } ?? [])
    }
    for task in running { task.cancel() }
    for task in running { await task.value }
    await line.close()
  }

  private func carryOut(_ action: EnrollmentAction) throws(EnrollmentVaultError) {
    let vault = configuration.vault
    switch action {
    case .show(let screen): configuration.display.show(screen)
    case .ask(let dialog): configuration.display.ask(dialog)
    case .request(let request): ask(request)
    case .abandonRequest: abandon()
    case .save(let progress): try vault.save(progress)
    case .saveContainer(let container, let token):
      try vault.saveContainer(container, token: token)
      state.withLock { $0.token = token }
    case .forget:
      abandon()
      try vault.forget()
      state.withLock { state in
        state.token = nil
        state.isStale = true
      }
    case .takePicture(let kind):
      run { [configuration, post] in
        switch await configuration.camera.take(kind) {
        case nil: post(.cancel)
        case .success(let picture)?: post(.picture(picture))
        case .failure(let why)?: post(.pictureRefused(why))
        }
      }
    case .seal(let pin):
      release { vault throws(EnrollmentVaultError) in try await vault.seal(pin) }
    case .unseal(let pin):
      release { vault throws(EnrollmentVaultError) in try await vault.unseal(pin) }
    case .askBiometrics:
      release { vault throws(EnrollmentVaultError) in try await vault.releaseByBiometrics() }
    case .startTimer(let timer, let duration): start(timer, duration)
    case .stopTimer(let timer): state.withLock { $0.timers.removeValue(forKey: timer) }?.cancel()
    case .report(let event): report(.session(event))
    case .finish: break
    }
  }

  private func report(_ report: EnrollmentReport) {
    configuration.observer?.observe(report, at: configuration.clock.now.wall)
  }

  private func ask(_ request: EnrollmentRequest) {
    let identity: EnrollmentIdentity =
      request.operation.isRegistration ? .installation : .personal(token: token(for: request))
    let (line, post) = (line, post)
    // One that was abandoned drops its connection before the next begins.
    let (previous, isStale) = state.withLock { state in
      defer { state.isStale = false }
      return (state.request, state.isStale)
    }
    let task = Task {
      await previous?.value
      if isStale { await line.close() }
      let result = await line.ask(request, as: identity)
      guard !Task.isCancelled else { return }
      switch result {
      case .success(let answer): post(.answered(answer))
      case .failure(let failure): post(.failed(failure))
      }
    }
    state.withLock { $0.request = task }
  }

  /// The token for a request. A new one opens the container anew: another may have been tried before.
  private func token(for request: EnrollmentRequest) -> SecretBytes? {
    guard case .logIn(let token) = request else { return state.withLock { $0.token } }
    state.withLock { $0.token = token }
    return token
  }

  private func abandon() {
    state.withLock { $0.request }?.cancel()
  }

  /// Lets the vault find a token, and hands it in; nil means that the person was not recognised.
  private func release(
    _ body: @escaping @Sendable (any EnrollmentVault) async throws(EnrollmentVaultError) -> SecretBytes?
  ) {
    run { [self] in
      do throws(EnrollmentVaultError) {
        if let token = try await body(configuration.vault) { post(.token(token)) } else { post(.biometricsFailed) }
      } catch {
        state.withLock { $0.failure = error }
        // Any input lets the session's owner see the failure.
        post(.cancel)
      }
    }
  }

  private func run(_ body: @escaping @Sendable () async -> Void) {
    let task = Task { await body() }
    state.withLock { state in
      // Those of before have ended, or soon will: the session waits for one at a time.
      if state.tasks.count > 8 { state.tasks.removeFirst(4) }
      state.tasks.append(task)
    }
  }

  private func start(_ timer: EnrollmentTimer, _ duration: Duration) {
    let (clock, post) = (configuration.clock, post)
    let task = Task {
      do throws(CancellationError) {
        try await clock.sleep(until: clock.now.monotonic + duration)
        post(.timerFired(timer))
      } catch {}
    }
    let old = state.withLock { state in
      let old = state.timers[timer]
      state.timers[timer] = task
      return old
    }
    old?.cancel()
  }
}
