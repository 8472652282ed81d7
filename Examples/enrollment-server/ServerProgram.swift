internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import PictureFolder
internal import SMSOutbox
internal import SQLiteEnrollmentStore
internal import SocketIO
internal import TLSTransport

/// The server: puts the parts together as the command line says, and runs them.
struct ServerProgram {
  private let values: CommandLineValues
  private let clock = SystemClock()
  private let cryptography = OpenSSLCryptography()

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Serves until someone asks it to end.
  func run() async throws(ExampleError) -> ExitStatus {
    try DescriptorLimit.raise(toAtLeast: 64, for: "The server")
    let observer = ServerJSON(isJSON: values[ServerCommand.json])
    let issuer: IssuerFile
    do throws(FileError) {
      issuer = try IssuerFile.read(values[ServerCommand.issuer])
    } catch {
      throw ExampleError(error)
    }
    guard let container = try ContainerFile(values, program: "enrollment-server") else {
      throw ExampleError(
        .usage, "--container FILE is missing: the server proves itself with it. Make it with: organizer enrollment DIR")
    }
    let credentials = try container.credentials(
      as: .enrollment, issuer: issuer, peers: .attendee, or: [.installation], clock: clock)
    let lock = try lockData()
    let server = EnrollmentServer(try await configuration(issuer, credentials, observer))
    let loops: EventLoopGroup
    let registry: TransportRegistry
    do {
      loops = try EventLoopGroup()
      let tls = try TLSTransport(dialling: nil, listening: credentials) {
        observer.observe(turnedAway: $0.peer, $0.error)
      }
      registry = try ExampleTransports.registry(loops: loops, tls: tls)
    } catch let error as TransportError {
      throw ExampleError(error)
    } catch {
      throw ExampleError(.badData, "The container cannot be used: \(error)")
    }
    let result = await serve(server, over: registry)
    await loops.shutdown()
    _ = consume lock
    return try result.get()
  }

  /// Keeps another server out of the folder: two would mix up the pieces of pictures.
  private func lockData() throws(ExampleError) -> FolderLock {
    let folder = values[ServerCommand.data]
    do throws(FileError) {
      try AtomicFile.makeDirectory(folder, what: "folder for data")
      return try FolderLock(folder, atMost: .seconds(2), against: "enrollment-server")
    } catch {
      throw ExampleError(error)
    }
  }

  private func serve(_ server: EnrollmentServer, over registry: TransportRegistry) async -> Result<
    ExitStatus, ExampleError
  > {
    let listening = try? ProcessSignals.requestsToEnd()
    let ending = Task {
      guard let requests = listening?.1 else { return }
      for await _ in requests { server.beginGracefulShutdown() }
    }
    defer {
      listening?.0.stop()
      ending.cancel()
    }
    do throws(CheckInError) {
      try await server.run(on: values[ServerCommand.listen], over: registry)
      return .success(.success)
    } catch {
      return .failure(ExampleError(error))
    }
  }

  private func configuration(
    _ issuer: IssuerFile, _ credentials: TLSCredentials, _ observer: ServerJSON
  ) async throws(ExampleError) -> EnrollmentServerConfiguration {
    let folder = values[ServerCommand.data]
    do {
      let review: any PictureReview =
        values[ServerCommand.review] == .people
        ? ReviewByPeople() : AutomaticReview(after: .seconds(values[ServerCommand.delay]))
      var configuration = EnrollmentServerConfiguration(
        name: values[ServerCommand.name], key: try OpenSSLSigningKey(credentials.key), identify: ServerProgram.identify,
        store: try await SQLiteEnrollmentStore(path: Records.path(folder)),
        pictures: try PictureFolder(Records.pictures(folder)),
        review: review, sms: try SMSOutbox(values[ServerCommand.outbox]),
        issuer: EventIssuer(
          issuer: issuer, key: try .issuerKey(values[ServerCommand.issuerKey], of: issuer),
          ticketLifetime: .seconds(values[ServerCommand.ticketHours] * 3600), clock: clock),
        cryptography: cryptography, observer: observer)
      configuration.clock = clock
      configuration.rules.smsPause = .seconds(values[ServerCommand.pause])
      configuration.rules.smsLimit = values[ServerCommand.messages]
      configuration.rules.smsPeerLimit = values[ServerCommand.peerMessages]
      configuration.rules.smsTotalLimit = values[ServerCommand.allMessages]
      configuration.logKey = try logKey("\(folder)/log.key")
      return configuration
    } catch let error as ExampleError {
      throw error
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as EnrollmentStoreError {
      throw ExampleError(.inputOutput, error.message)
    } catch let error as PictureStoreError {
      throw ExampleError(.cannotCreate, error.message)
    } catch let error as SMSError {
      throw ExampleError(.cannotCreate, error.message)
    } catch {
      throw ExampleError(.internal, "\(error)")
    }
  }

  /// The key for hashes of phone numbers in logs: the same from start to start, so that lines can be put together.
  private func logKey(_ path: String) throws(FileError) -> SecretBytes {
    if FileReading.exists(path) {
      let key = try FileReading.read(path, what: "key for logs", limit: 64)
      guard key.count == 32 else {
        throw FileError(
          .badData, "The key for logs “\(path.printable)” is damaged. Remove it: the next start makes another.")
      }
      return SecretBytes(key)
    }
    let key = cryptography.randomBytes(32)
    try AtomicFile.write(key, to: path, what: "key for logs", access: .secret, replacing: false)
    return SecretBytes(key)
  }

  /// Who has a certificate, by its role.
  private static func identify(_ der: [UInt8]) -> EnrollmentCertificateHolder? {
    guard let certificate = try? Certificate(der: der.span), let key = certificate.publicKey else { return nil }
    switch certificate.role {
    case .installation?: return EnrollmentCertificateHolder(peer: .installation, key: key)
    case .attendee?:
      guard let id = certificate.id else { return nil }
      return EnrollmentCertificateHolder(peer: .personal(account: id, serial: certificate.serial), key: key)
    default: return nil
    }
  }
}
