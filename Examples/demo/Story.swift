internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import InMemoryLedger
internal import InMemoryTransport
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import SocketIO
internal import TicketTokens

/// The story: one kiosk, four visits, one process.
struct Story {
  struct Visit {
    let who: String
    let how: String
    let outcome: AttendeeOutcome
  }

  private let values: CommandLineValues
  private let narrator: Narrator
  private let cryptography = OpenSSLCryptography()
  private let event: Event
  /// The world of `memory://`.
  private let room = InMemoryTransport()

  /// A story that is told as the command line says.
  init(_ values: CommandLineValues) throws(ExampleError) {
    self.values = values
    narrator = Narrator()
    event = try Event()
  }

  /// Tells it, and answers whether it went as told.
  func tell() async throws(ExampleError) -> ExitStatus {
    let loops: EventLoopGroup
    let registry: TransportRegistry
    do throws(TransportError) {
      loops = try EventLoopGroup()
      registry = try ExampleTransports.registry(loops: loops, memory: room)
    } catch {
      throw ExampleError(error)
    }
    let result = await tell(over: registry)
    await loops.shutdown()
    return try result.get()
  }

  private func tell(over registry: TransportRegistry) async -> Result<ExitStatus, ExampleError> {
    do throws(CheckInError) {
      // Before a word of the story is told.
      _ = try registry.secureTransport(for: values[DemoCommand.transport], allowsInsecure: values[DemoCommand.insecure])
    } catch {
      return .failure(ExampleError(error))
    }
    do throws(ExampleError) {
      narrator.chapter("A check-in, told by the kiosk and the phones")
      narrator.say(
        "An organizer signs a ticket for each attendee. At the door a kiosk shows a greeting and sends a PIN of five "
          + "digits to the phone; the person confirms on the phone, or types the PIN on the kiosk's keypad.")
      let (kiosk, endpoint) = try await makeKiosk()
      return await run(kiosk, endpoint, over: registry)
    } catch {
      return .failure(error)
    }
  }

  private func run(
    _ kiosk: Kiosk, _ listening: ListeningPlace, over registry: TransportRegistry
  ) async -> Result<ExitStatus, ExampleError> {
    await withTaskGroup(of: Result<ExitStatus, ExampleError>?.self) { group in
      group.addTask {
        do throws(CheckInError) {
          try await kiosk.run(on: [values[DemoCommand.transport]], over: registry)
          return nil
        } catch {
          listening.fail()
          return .failure(ExampleError(error))
        }
      }
      group.addTask {
        guard let endpoint = await listening.endpoint() else { return nil }
        let result = await visits(to: kiosk, at: endpoint, over: registry)
        kiosk.beginGracefulShutdown()
        return result
      }
      var last: Result<ExitStatus, ExampleError> = .failure(ExampleError(.internal, "The story did not begin."))
      for await result in group {
        if let result { last = result }
      }
      return last
    }
  }

  private func makeKiosk() async throws(ExampleError) -> (Kiosk, ListeningPlace) {
    let key = try Event.freshKey(.ed25519)
    let verifiers: [any AuthenticatorVerifier] = [MockBiometricVerifier(), PINVerifier()]
    let listening = ListeningPlace(then: narrator)
    var configuration = KioskConfiguration(
      profile: KioskProfile(
        event: event.name, kiosk: "Hall A", gate: "Hall A",
        credential: try event.sign(.kiosk, id: "hall-a", name: "Hall A", key: key.publicKey),
        authenticators: verifiers.map { .init(name: $0.name, place: $0.place) }),
      key: key,
      tokens: TicketTokenVerifier(issuer: event.issuer, event: event.id, cryptography: cryptography),
      authenticators: verifiers, ledger: InMemoryLedger(), cryptography: cryptography, observer: listening,
      display: narrator)
    configuration.allowsInsecureTransports = values[DemoCommand.insecure]
    if isFound { configuration.advertisement = Advertisement(kiosk: "Hall A", event: shortEvent) }
    // The story should not stand still for as long as a real kiosk does.
    configuration.sessionSettings.silence = .seconds(1)
    configuration.deskSettings.outcome = .milliseconds(100)
    do throws(CheckInError) {
      return (try await Kiosk(configuration), listening)
    } catch {
      throw ExampleError(error)
    }
  }

  private func visits(
    to kiosk: Kiosk, at endpoint: Endpoint, over registry: TransportRegistry
  ) async -> Result<ExitStatus, ExampleError> {
    do throws(ExampleError) {
      let ada = try person("Ada", "Ada Lovelace", .es256, signedBy: event)
      let grace = try person("Grace", "Grace Hopper", .ed25519, signedBy: event)
      let mallory = try person("Mallory", "Ada Lovelace", .ed25519, signedBy: try Event())
      var endpoint = endpoint
      if isFound {
        narrator.chapter("Ada walks to the kiosk, and her phone finds it")
        endpoint = try await Approach(room: room, registry: registry, event: shortEvent, narrator: narrator)
          .walk(to: endpoint)
      }
      let visit = Visitors(kiosk: kiosk, endpoint: endpoint, registry: registry, story: self)
      var visits: [Visit] = []

      await narrator.untilWelcome()
      narrator.chapter("1. Ada confirms with her fingerprint")
      visits.append(
        Visit(who: "Ada", how: "fingerprint (mock)", outcome: try await visit.come(ada, saying: .confirm)))

      await narrator.untilWelcome()
      narrator.chapter("2. Grace declines, and types her PIN on the keypad")
      visits.append(
        Visit(who: "Grace", how: "keypad, one digit taken back", outcome: try await visit.come(grace, saying: .decline))
      )

      await narrator.untilWelcome()
      narrator.chapter("3. Mallory shows a ticket that the organizer did not sign")
      visits.append(
        Visit(who: "Mallory", how: "forged ticket", outcome: try await visit.come(mallory, saying: .confirm)))

      narrator.chapter("4. Ada comes again")
      visits.append(Visit(who: "Ada", how: "again", outcome: try await visit.come(ada, saying: .confirm)))

      return .success(conclude(visits))
    } catch {
      return .failure(error)
    }
  }

  /// Whether the kiosk is found, and not dialled by its address.
  private var isFound: Bool { values[DemoCommand.transport].scheme == room.scheme }
  private var shortEvent: ShortEventID { ShortEventID(of: event.id, cryptography: cryptography) }

  private func person(
    _ name: String, _ fullName: String, _ algorithm: SignatureAlgorithm, signedBy issuer: Event
  ) throws(ExampleError) -> Person {
    let key = try Event.freshKey(algorithm)
    let token = try issuer.sign(.attendee, id: name.lowercased(), name: fullName, key: key.publicKey)
    return Person(name: name, token: token, key: key)
  }

  /// The parts of a phone.
  func phone(of person: Person, saying choice: MockBiometricProver.Choice, pins: AsyncStream<PIN>.Continuation)
    -> AttendeeConfiguration
  {
    let provers: [any AuthenticatorProver] = [MockBiometricProver(.ask { _ in choice }), PINProver()]
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: person.token, issuer: event.issuer, event: event.id, authenticators: provers.map(\.name)),
      key: person.key, authenticators: provers, cryptography: cryptography,
      display: Phone(owner: person.name, narrator: narrator, isProof: isFound, pins: pins))
    configuration.allowsInsecureTransports = values[DemoCommand.insecure]
    // This story's kiosk keeps silent for a second only.
    configuration.settings.shortestSilence = .milliseconds(500)
    return configuration
  }

  /// The person at the keypad makes a mistake, sees it, and takes it back.
  func type(_ pin: PIN, at kiosk: Kiosk, as name: String) {
    let digits = pin.digits.map { $0 - 48 }
    narrator.say("\(name) types two digits, then a wrong one, takes it back, and types the rest.")
    kiosk.press(.digit(digits[0]))
    kiosk.press(.digit(digits[1]))
    kiosk.press(.digit((digits[2] + 1) % 10))
    kiosk.press(.backspace)
    for digit in digits[2...] {
      kiosk.press(.digit(digit))
    }
  }

  private func conclude(_ visits: [Visit]) -> ExitStatus {
    narrator.chapter("What happened")
    var table = TextTable("Who", "How", "Told", "Reason")
    for visit in visits {
      table.add([visit.who, visit.how, visit.told, visit.reason])
    }
    narrator.show(table)
    let reasons = visits.map(\.reason)
    let isAsTold =
      reasons == ["admitted", "admitted", "silence", "already_admitted"] && narrator.invalidTokens.count == 1
    narrator.say(isAsTold ? "" : "The story went another way than it should.")
    return isAsTold ? .success : .internal
  }
}

extension Story.Visit {
  fileprivate var told: String {
    if case .answered(let answer) = outcome { answer.isSuccess ? "true" : "false" } else { "nothing" }
  }

  fileprivate var reason: String {
    switch outcome {
    case .answered(let answer): answer.reason.name
    case .noAnswer(let why): why.rawValue
    case .refusedKiosk(let why): why.rawValue
    case .protocolError(let fault): fault.name
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
