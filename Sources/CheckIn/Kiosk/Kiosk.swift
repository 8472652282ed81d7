public import CheckInCore
internal import Synchronization

/// A kiosk: serves phones over any transports, one screen and one ledger for all of them.
///
/// ``run(on:over:)`` serves until ``beginGracefulShutdown()`` is called or its task is cancelled. The first lets
/// sessions end in good order; the second ends them at once. Either way nothing that was told "true" is lost (R22).
public final class Kiosk: Sendable {
  typealias Session = KioskSession<AnyCryptography, AnySigningKey>

  private let configuration: KioskConfiguration
  private let authenticators: AuthenticatorRegistry
  private let desk: KioskDeskRunner
  private let timers: TimerQueue
  private let shutdown = AsyncStream.makeStream(of: Void.self)
  private let refusals = Mutex(RefusalReports())

  /// A kiosk from its parts. Reads the ledger's recent failures, so that they go on counting (R3).
  ///
  /// - Throws: ``CheckInError/Code/ledger`` when the ledger cannot be read; ``CheckInError/Code/configuration`` when
  ///   the profile offers an authenticator that has no verifier.
  public init(_ configuration: KioskConfiguration) async throws(CheckInError) {
    do throws(AuthenticatorRegistryError) {
      authenticators = try AuthenticatorRegistry(configuration.authenticators)
    } catch {
      throw CheckInError(.configuration, error.message, cause: error)
    }
    for offered in configuration.profile.authenticators
    where authenticators.verifier(named: offered.name)?.place != offered.place {
      throw CheckInError(
        .configuration, "The kiosk offers the authenticator “\(offered.name)” and has no verifier for it.")
    }
    let now = configuration.clock.now
    let failures: [LedgerFailure]
    do throws(LedgerError) {
      let settings = configuration.deskSettings
      let memory = max(settings.tokenDelay.memory, settings.keypadDelay.memory)
      failures = try await configuration.ledger.failures(since: now.wall.advanced(by: .zero - memory))
    } catch {
      throw CheckInError(.ledger, error.message, cause: error)
    }
    self.configuration = configuration
    timers = TimerQueue(clock: configuration.clock)
    desk = KioskDeskRunner(configuration: configuration, failures: failures, timers: timers, now: now)
  }

  /// Listens at every endpoint and serves until told to stop.
  ///
  /// - Throws: ``CheckInError/Code/insecureTransport`` (R7) and ``CheckInError/Code/transport`` before anything is
  ///   served, also where it shall advertise and cannot on principle; ``CheckInError/Code/transport`` when the last
  ///   listener has failed by itself.
  public func run(on endpoints: [Endpoint], over registry: TransportRegistry) async throws(CheckInError) {
    let allowed = configuration.allowsInsecureTransports
    let listeners = try await ListenerGroup(at: endpoints, clock: configuration.clock) {
      endpoint throws(CheckInError) in try registry.secureTransport(for: endpoint, allowsInsecure: allowed)
    }
    let advertising: KioskAdvertising?
    do throws(CheckInError) {
      advertising = try await advertise(listeners, over: registry)
    } catch {
      await listeners.close()
      throw error
    }
    desk.showFirstView()
    // First, so that whoever waits for a listener finds it advertised.
    advertising?.reportBegun()
    for endpoint in listeners.endpoints {
      report(.listening(endpoint))
    }
    let failure = await withTaskGroup(of: Void.self, returning: TransportError?.self) { group in
      group.addTask { await self.timers.run() }
      group.addTask {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await advertising?.run() }
          for await _ in self.shutdown.stream {
            // First of all, so that nobody else comes.
            group.cancelAll()
            await listeners.close()
            self.desk.stopSessions()
          }
        }
      }
      let failure = await listeners.run(report: self.reportTrouble) { await self.serve($0) }
      group.cancelAll()
      return failure
    }
    await listeners.close()
    if let failure { throw .transport(failure) }
  }

  /// Stops listening, and lets every session end in good order: those that the ledger is busy with get their answer,
  /// the others are told ``/CheckInCore/Reason/cancelled``. ``run(on:over:)`` returns when the last is over.
  public func beginGracefulShutdown() {
    shutdown.continuation.yield()
  }

  /// Whether what was typed, or confirmed on the phone, is being decided. Until it is, keys do nothing; then the display
  /// gets a view. A person waits by looking at the screen; a program that types can wait by this.
  public var isChecking: Bool { desk.isChecking }

  /// Takes a key of the keypad.
  public func press(_ key: KeypadKey) {
    desk.press(key)
  }

  /// Begins to advertise, where that is wanted.
  private func advertise(
    _ listeners: ListenerGroup, over registry: TransportRegistry
  ) async throws(CheckInError) -> KioskAdvertising? {
    guard let advertisement = configuration.advertisement else { return nil }
    let advertising = KioskAdvertising(advertisement, clock: configuration.clock, registry: registry) { report in
      self.report(report)
    }
    do throws(TransportError) {
      try await advertising.begin(at: listeners.endpoints)
    } catch {
      throw .transport(error)
    }
    return advertising
  }

  private func serve(_ connection: any Connection) async {
    let (runner, id) = session(over: connection)
    switch desk.admit(runner, id, peer: connection.peerAddress) {
    case .accept: await runner.run(start: .start(isBusy: false))
    case .acceptBusy: await runner.run(start: .start(isBusy: true))
    case .refuse(let why):
      connection.abort()
      refused(connection.remote, why)
      return
    }
    desk.forget(id)
  }

  /// A new session, which has not begun. Apart, so that a task that serves one keeps no second copy of it.
  private func session(over connection: any Connection) -> (SessionRunner<Session>, SessionID) {
    let session = Session(
      profile: configuration.profile, settings: configuration.sessionSettings,
      channelBinding: connection.channelBinding, cryptography: AnyCryptography(configuration.cryptography),
      key: AnySigningKey(configuration.key))
    let id = session.id
    let runner = SessionRunner(
      machine: session, channel: MessageChannel(connection), clock: configuration.clock, timers: timers
    ) { action, runner in
      await self.perform(action, for: id, runner)
    }
    return (runner, id)
  }

  private func refused(_ peer: Endpoint, _ why: DeskAdmission.Refusal) {
    let (reports, earlier) = refusals.withLock { $0.count(at: configuration.clock.now.monotonic) }
    if earlier > 0 { report(.refusalsSuppressed(count: earlier)) }
    if reports { report(.connectionRefused(from: peer, why)) }
  }

  private func reportTrouble(_ trouble: ListenerGroup.Trouble) {
    switch trouble {
    case .acceptFailed(let endpoint, let error): report(.acceptFailed(endpoint, error))
    case .listenerFailed(let endpoint, let error): report(.listenerFailed(endpoint, error))
    }
  }

  private func report(_ report: KioskReport) {
    configuration.observer?.observe(report, at: configuration.clock.now.wall)
  }

  private func perform(_ action: KioskAction, for id: SessionID, _ runner: SessionRunner<Session>) async -> KioskInput?
  {
    switch action {
    case .send(let body):
      do throws(TransportError) {
        try await runner.channel.send(body, before: .now + configuration.sendBound)
        return nil
      } catch {
        return .peerLost
      }
    case .judgeToken(let token):
      return .tokenJudged(await configuration.tokens.judge(token))
    case .judgeEvidence(let evidence, let name, let context):
      guard let verifier = authenticators.verifier(named: name) else {
        return .evidenceJudged(false)
      }
      return .evidenceJudged(await verifier.accepts(evidence, for: context))
    case .consultLedger(let attendee, let token, let request):
      return await askLedger { ledger throws(LedgerError) in
        .standing(try await ledger.standing(ofAttendee: attendee, token: token, request: request))
      }
    case .admit(let entry):
      return await askLedger { ledger throws(LedgerError) in .stored(try await ledger.admit(entry)) }
    case .refuse(let entry, let answer):
      return await askLedger { ledger throws(LedgerError) in .stored(try await ledger.refuse(entry, answer: answer)) }
    case .recordFailure(let failure):
      return await askLedger { ledger throws(LedgerError) in
        try await ledger.record(failure)
        return .failureRecorded
      }
    case .desk(let request):
      desk.handle(request, from: id)
    case .startTimer(let timer, let duration):
      runner.startTimer(timer, duration)
    case .stopTimer(let timer):
      runner.stopTimer(timer)
    case .report(let event):
      report(.session(event))
    case .close:
      await runner.channel.close()
    case .abort:
      runner.channel.abort()
    }
    return nil
  }

  private func askLedger(
    _ question: (any Ledger) async throws(LedgerError) -> KioskInput
  ) async -> KioskInput {
    do throws(LedgerError) {
      return try await question(configuration.ledger)
    } catch {
      report(.ledgerFailed(error))
      return .ledgerFailed
    }
  }
}
