internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Glibc
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import SocketIO
internal import TLSTransport

/// The attendee program: puts the parts together as the command line says, and checks in once.
struct AttendeeProgram {
  private let values: CommandLineValues
  private let clock = SystemClock()
  private let capabilities = TerminalCapabilities.of(STDOUT_FILENO)

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  private var isJSON: Bool { values[AttendeeCommand.json] || !capabilities.isTerminal }

  /// Checks in, and answers what to tell the shell.
  func run() async throws(ExampleError) -> ExitStatus {
    try checkPlace()
    try checkIdentity()
    let issuer = try readIssuer()
    let loops: EventLoopGroup
    do throws(TransportError) {
      loops = try EventLoopGroup(count: 1)
    } catch {
      throw ExampleError(error)
    }
    let result: Result<ExitStatus, ExampleError>
    do throws(ExampleError) {
      let identity = try await identity(issuer, loops: loops)
      let registry: TransportRegistry
      do throws(TransportError) {
        registry = try ExampleTransports.registry(loops: loops, tls: identity.tls)
      } catch {
        throw ExampleError(error)
      }
      let attendee = try makeAttendee(issuer, identity.ticket, over: registry)
      result = await checkIn(attendee, to: issuer.event, over: registry, insideTLS: identity.tls != nil)
    } catch {
      result = .failure(error)
    }
    await loops.shutdown()
    return try result.get()
  }

  /// Exactly one of --ticket and --enrolled has to be there, and what belongs to the second only with it.
  private func checkIdentity() throws(ExampleError) {
    let isEnrolled = values[AttendeeCommand.enrolled] != nil
    guard isEnrolled != (values[AttendeeCommand.ticket] != nil) else {
      throw ExampleError(
        .usage,
        isEnrolled ? "--ticket and --enrolled exclude each other." : "--ticket FILE is missing, or --enrolled DIR.")
    }
    guard isEnrolled == (values[AttendeeCommand.server] != nil) else {
      throw ExampleError(.usage, "--enrolled and --enrollment-server go together.")
    }
    guard !isEnrolled || values[ContainerFile.argument] == nil else {
      throw ExampleError(.usage, "--enrolled has a container of its own: leave --container out.")
    }
  }

  /// What the attendee proves itself with: from files of the organizer's, or from an enrollment.
  private func identity(
    _ issuer: IssuerFile, loops: EventLoopGroup
  ) async throws(ExampleError) -> (ticket: TicketFile, tls: TLSTransport?) {
    if let folder = values[AttendeeCommand.enrolled] {
      let identity = EnrolledIdentity(values, folder: folder, issuer: issuer, loops: loops, clock: clock)
      return try await identity.unlock(sensor: MockBiometricProver(behaviour))
    }
    return (try readTicket(issuer), try makeTLS(issuer))
  }

  /// Checks in; a signal to end gives up, so that the kiosk is told.
  private func checkIn(
    _ attendee: Attendee, to event: String, over registry: TransportRegistry, insideTLS: Bool
  ) async -> Result<ExitStatus, ExampleError> {
    let search = Task { await place(of: event, over: registry, insideTLS: insideTLS) }
    let listening = try? ProcessSignals.requestsToEnd()
    let givingUp = Task {
      guard let requests = listening?.1 else { return }
      for await _ in requests {
        search.cancel()
        attendee.cancel()
      }
    }
    defer {
      listening?.0.stop()
      givingUp.cancel()
    }
    let endpoint: Endpoint
    switch await search.value {
    case .failure(let error): return .failure(error)
    case .success(nil): return .success(.refused)
    case .success(.some(let found)): endpoint = found
    }
    do throws(CheckInError) {
      let outcome = try await attendee.checkIn(at: endpoint, over: registry)
      return .success(outcome.exitStatus)
    } catch {
      return .failure(ExampleError(error))
    }
  }

  /// Exactly one of --connect and --discover has to be there, and what belongs to the second only with it.
  private func checkPlace() throws(ExampleError) {
    let discovers = values[AttendeeCommand.discover]
    guard discovers != (values[AttendeeCommand.connect] != nil) else {
      throw ExampleError(
        .usage,
        discovers ? "--connect and --discover exclude each other." : "--connect URL is missing, or --discover.")
    }
    guard discovers || (values[AttendeeCommand.near] == nil && values[AttendeeCommand.discoverAt].isEmpty) else {
      throw ExampleError(.usage, "--near and --discover-at go with --discover.")
    }
    // Before anybody looks for what may not be dialled.
    let speaksTLS = values[ContainerFile.argument] != nil || values[AttendeeCommand.enrolled] != nil
    guard !discovers || speaksTLS || values[AttendeeCommand.insecure] else {
      throw ExampleError(
        .usage,
        "Without a certificate only kiosks without TLS can be dialled, and others could read the PIN there. Say "
          + "--container and its file, or that you accept this: --insecure-plaintext.")
    }
  }

  /// Where the kiosk is: as the command line says, or found; nil when the person gives up.
  private func place(
    of event: String, over registry: TransportRegistry, insideTLS: Bool
  ) async -> Result<Endpoint?, ExampleError> {
    if let endpoint = values[AttendeeCommand.connect] { return .success(endpoint) }
    do throws(ExampleError) {
      let event = ShortEventID(of: event, cryptography: OpenSSLCryptography())
      let near = values[AttendeeCommand.near].map { SignalStrength(decibelMilliwatts: $0) }
      let display: any KioskSearchDisplay =
        isJSON
        ? KioskSearchJSON(event: event, near: near) : KioskSearchTerminal(capabilities: capabilities, near: near)
      let finder = KioskFinder(
        registry: registry, places: searchPlaces(registry), insideTLS: insideTLS, event: event, near: near,
        bound: .seconds(values[AttendeeCommand.discoverFor]), display: display)
      return .success(try await finder.find()?.endpoint)
    } catch {
      return .failure(error)
    }
  }

  /// Where to look: as the command line says, or wherever a kiosk of another process can be.
  private func searchPlaces(_ registry: TransportRegistry) -> [Endpoint] {
    let named = values[AttendeeCommand.discoverAt]
    guard named.isEmpty else { return named }
    return registry.browsingPlaces.filter { place in
      (try? registry.transport(for: place))?.capabilities.contains(.insideProcess) == false
    }
  }

  private func readIssuer() throws(ExampleError) -> IssuerFile {
    do throws(FileError) {
      return try IssuerFile.read(values[AttendeeCommand.issuer])
    } catch {
      throw ExampleError(error)
    }
  }

  /// What the phone proves itself with to a kiosk at an address with `tls+`; nil without a container.
  private func makeTLS(_ issuer: IssuerFile) throws(ExampleError) -> TLSTransport? {
    guard let container = try ContainerFile(values, program: "attendee") else { return nil }
    let credentials = try container.credentials(as: .attendee, issuer: issuer, peers: .kiosk, clock: clock)
    do throws(CertificateError) {
      return try TLSTransport(dialling: credentials, listening: nil)
    } catch {
      throw ExampleError(.badData, error.message)
    }
  }

  private func readTicket(_ issuer: IssuerFile) throws(ExampleError) -> TicketFile {
    let path = values[AttendeeCommand.ticket] ?? ""
    do throws(FileError) {
      let ticket = try TicketFile.read(path, issuer: issuer)
      FileReading.warn(ofSecret: path, program: "attendee")
      return ticket
    } catch {
      throw ExampleError(error)
    }
  }

  private func makeAttendee(
    _ issuer: IssuerFile, _ ticket: TicketFile, over registry: TransportRegistry
  ) throws(ExampleError) -> Attendee {
    var authenticators: [any AuthenticatorProver] = [PINProver()]
    if values[AttendeeCommand.authenticator] == "mock-biometric" {
      authenticators.insert(MockBiometricProver(behaviour), at: 0)
    }
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: ticket.token, issuer: issuer.key, event: issuer.event, authenticators: authenticators.map(\.name),
        name: ticket.credential?.name),
      key: ticket.key, authenticators: authenticators, cryptography: OpenSSLCryptography())
    configuration.clock = clock
    configuration.allowsInsecureTransports = values[AttendeeCommand.insecure]
    // Radio: about one dial in twenty fails for no reason of anyone's, and soon. One that is silent is not waited for so often.
    if values[AttendeeCommand.discover] { configuration.connectAttempts = 5 }
    if isJSON {
      configuration.observer = AttendeeJSON()
      configuration.display = AttendeeJSON()
    } else {
      let terminal = AttendeeTerminal(
        capabilities: capabilities, clock: clock, eavesdroppers: { Eavesdroppers(at: $0, over: registry) })
      configuration.observer = terminal
      configuration.display = terminal
    }
    do throws(CheckInError) {
      return try Attendee(configuration)
    } catch {
      throw ExampleError(error)
    }
  }

  private var behaviour: MockBiometricProver.Behaviour {
    switch values[AttendeeCommand.biometric] ?? (isJSON ? .accept : .ask) {
    case .accept: .accept
    case .reject: .reject
    case .unavailable: .unavailable
    case .ask: .ask { [isJSON] context in await BiometricQuestion(isJSON: isJSON).ask(context) }
    }
  }
}
