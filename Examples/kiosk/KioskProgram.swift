internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Glibc
internal import InMemoryLedger
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import SQLiteLedger
internal import SocketIO
internal import TicketTokens
internal import TokenList

/// The kiosk program: puts the parts together as the command line says, and runs them.
struct KioskProgram {
  private let values: CommandLineValues
  private let clock = SystemClock()
  private let cryptography = OpenSSLCryptography()

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Runs the kiosk until someone asks it to end.
  func run() async throws(ExampleError) -> ExitStatus {
    // It uses 20 before the first phone comes; each phone takes one more.
    try DescriptorLimit.raise(toAtLeast: 64, for: "The kiosk")
    let issuer = try readIssuer()
    let takenBack = try TakenBack(values, issuer: issuer)
    let tls = try KioskTLS(values, issuer: issuer, takenBack: takenBack.list, clock: clock)
    let loops: EventLoopGroup
    let registry: TransportRegistry
    do throws(TransportError) {
      loops = try EventLoopGroup()
      registry = try ExampleTransports.registry(loops: loops, tls: tls.transport)
    } catch {
      throw ExampleError(error)
    }
    let ledger = try await openLedger()
    let status = await serve(over: registry, ledger: ledger, issuer: issuer, takenBack: takenBack, tls: tls)
    await ledger.close()
    await loops.shutdown()
    return try status.get()
  }

  private func readIssuer() throws(ExampleError) -> IssuerFile {
    do throws(FileError) {
      return try IssuerFile.read(values[KioskCommand.issuer])
    } catch {
      throw ExampleError(error)
    }
  }

  private func serve(
    over registry: TransportRegistry, ledger: any Ledger, issuer: IssuerFile, takenBack: TakenBack, tls: KioskTLS
  ) async -> Result<ExitStatus, ExampleError> {
    do throws(ExampleError) {
      try await takenBack.remember(in: ledger)
      let tokens = try Tokens(values, issuer: issuer, takenBack: takenBack.list, cryptography: cryptography)
      var configuration = try configuration(tokens: tokens, ledger: ledger)
      let screen = values[KioskCommand.json] ? nil : try openScreen()
      let terminal = screen.map { screen in
        KioskTerminal(
          profile: configuration.profile, clock: clock,
          eavesdroppers: { Eavesdroppers(at: $0, over: registry) }, screen: screen)
      }
      let keys = ScriptedKeys()
      configuration.display = terminal ?? keys
      let observer: any KioskObserver = terminal ?? KioskJSON()
      configuration.observer = observer
      tls.report(to: observer)
      let kiosk = try await open(configuration)
      defer { screen?.close() }
      let reloading = Reloading(
        tls: tls, takenBack: takenBack, tokens: tokens, ledger: ledger, observer: observer, clock: clock,
        saysOnStandardError: screen == nil || !TerminalCapabilities.of(STDERR_FILENO).isTerminal)
      reloading.announce()
      return .success(try await run(kiosk, over: registry, reloading: reloading, terminal: terminal, keys: keys))
    } catch {
      return .failure(error)
    }
  }

  private func openScreen() throws(ExampleError) -> TerminalScreen? {
    guard TerminalCapabilities.of(STDOUT_FILENO).hasScreen, TerminalCapabilities.of(STDIN_FILENO).isTerminal else {
      return nil
    }
    do throws(TerminalError) {
      return try TerminalScreen()
    } catch {
      throw ExampleError(.inputOutput, error.description)
    }
  }

  private func openLedger() async throws(ExampleError) -> any Ledger {
    guard let path = values[KioskCommand.ledger] else { return InMemoryLedger() }
    do throws(LedgerError) {
      return try await SQLiteLedger(path: path)
    } catch {
      throw ExampleError(error)
    }
  }

  private func open(_ configuration: KioskConfiguration) async throws(ExampleError) -> Kiosk {
    do throws(CheckInError) {
      return try await Kiosk(configuration)
    } catch {
      throw ExampleError(error)
    }
  }

  private func configuration(
    tokens: Tokens, ledger: any Ledger
  ) throws(ExampleError) -> KioskConfiguration {
    let identity: KioskFile
    do throws(FileError) {
      identity = try KioskFile.read(values[KioskCommand.identity], issuer: tokens.issuer)
      FileReading.warn(ofSecret: values[KioskCommand.identity], program: "kiosk")
    } catch {
      throw ExampleError(error)
    }
    let gates = identity.credential.validity.gates
    let gate = values[KioskCommand.gate] ?? gates.first ?? identity.credential.name
    guard gates.isEmpty || gates.contains(gate) else {
      throw ExampleError(
        .usage, "This kiosk's identity is not for gate “\(gate)”. It may stand at \(gates.inWords).")
    }
    let known: [any AuthenticatorVerifier] = [MockBiometricVerifier(), PINVerifier()]
    let accepted = values[KioskCommand.authenticators].compactMap { name in known.first { $0.name == name } }
    var configuration = KioskConfiguration(
      profile: KioskProfile(
        event: identity.credential.eventName, kiosk: identity.credential.name, gate: gate,
        credential: identity.bytes, authenticators: accepted.map { .init(name: $0.name, place: $0.place) }),
      key: identity.key, tokens: tokens, authenticators: accepted, ledger: ledger, cryptography: cryptography)
    configuration.clock = clock
    configuration.allowsInsecureTransports = values[KioskCommand.insecure]
    if values[KioskCommand.advertise] {
      let event = ShortEventID(of: identity.credential.event, cryptography: cryptography)
      configuration.advertisement = Advertisement(kiosk: identity.credential.name, event: event)
    }
    configuration.deskSettings.openSessions = values[KioskCommand.openSessions]
    configuration.deskSettings.halfOpenSessions = max(64, values[KioskCommand.openSessions] / 4)
    configuration.deskSettings.halfOpenSessionsPerPeer = configuration.deskSettings.halfOpenSessions / 4 * 3
    configuration.deskSettings.sessionsPerSecond = values[KioskCommand.perSecond]
    configuration.deskSettings.sessionBurst = max(200, values[KioskCommand.perSecond])
    return configuration
  }

  private func run(
    _ kiosk: Kiosk, over registry: TransportRegistry, reloading: Reloading, terminal: KioskTerminal?, keys: ScriptedKeys
  ) async throws(ExampleError) -> ExitStatus {
    let result = await withTaskGroup(of: Ending.self, returning: Result<ExitStatus, ExampleError>.self) { group in
      group.addTask {
        do throws(CheckInError) {
          try await kiosk.run(on: values[KioskCommand.listen], over: registry)
          return .served(.success(.success))
        } catch {
          return .served(.failure(ExampleError(error)))
        }
      }
      group.addTask {
        if let terminal { return .asked(await terminal.run(kiosk, reload: reloading.ask)) }
        return .asked(await keys.run(kiosk, reload: reloading.ask))
      }
      group.addTask {
        await reloading.run()
        return .watched
      }
      var status = ExitStatus.success
      for await ending in group {
        switch ending {
        case .served(let result):
          group.cancelAll()
          return result.map { _ in status }
        case .asked(let event):
          if event == .hangup { status = .inputOutput }
          kiosk.beginGracefulShutdown()
        case .watched: break
        }
      }
      return .success(status)
    }
    return try result.get()
  }

  private enum Ending: Sendable {
    case served(Result<ExitStatus, ExampleError>)
    case asked(TerminalEvent)
    case watched
  }
}
