internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import FileVault
internal import Glibc
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import SocketIO

/// The enrollment program: puts the parts together as the command line says, and runs them to the end.
struct EnrollProgram {
  private let values: CommandLineValues
  private let clock = SystemClock()

  /// A program for that command line.
  init(_ values: CommandLineValues) {
    self.values = values
  }

  /// Registers or logs in, and answers what to tell the shell.
  func run() async throws(ExampleError) -> ExitStatus {
    let issuer: IssuerFile
    do throws(FileError) {
      issuer = try IssuerFile.read(values[EnrollCommand.issuer])
    } catch {
      throw ExampleError(error)
    }
    // Before the folder is made.
    guard values[EnrollCommand.task] != .login || FileReading.exists(values[EnrollCommand.data]) else { throw nobody }
    let vault = try VaultOptions.vault(
      values[EnrollCommand.data], device: values[VaultOptions.device],
      version: values[EnrollCommand.seal] == 0 ? .literal : .scrypt, biometrics: sensor, clock: clock)
    try checkTask(vault)
    try checkAddress()
    let lock: FolderLock
    do throws(FileError) {
      lock = try FolderLock(values[EnrollCommand.data], atMost: .seconds(2), against: "enroll")
    } catch {
      throw ExampleError(error)
    }
    let installation = try values[EnrollCommand.installation].map { path throws(ExampleError) in
      try ContainerFile(path, password: try PasswordSource(values) ?? .prompt, program: "enroll")
    }
    let loops: EventLoopGroup
    do throws(TransportError) {
      loops = try EventLoopGroup(count: 1)
    } catch {
      throw ExampleError(error)
    }
    let dialler = EnrollmentDialling(
      to: values[EnrollCommand.connect], loops: loops, issuer: issuer, installation: installation, vault: vault,
      clock: clock)
    let result = await enroll(vault, dialler)
    await loops.shutdown()
    _ = consume lock
    return try result.get()
  }

  private var sensor: MockBiometricProver? {
    switch values[EnrollCommand.biometric] {
    case .accept: MockBiometricProver(.accept)
    case .reject: MockBiometricProver(.reject)
    case .none: nil
    }
  }

  /// Whether there is something to log in to, or to register.
  private func checkTask(_ vault: FileVault) throws(ExampleError) {
    let progress: EnrollmentProgress
    do throws(EnrollmentVaultError) {
      progress = try vault.progress()
    } catch {
      throw ExampleError(.badData, error.message)
    }
    guard values[EnrollCommand.task] == .login else { return }
    guard case .sealed = progress else { throw nobody }
  }

  private var nobody: ExampleError {
    ExampleError(
      .badData,
      "Nobody has set a PIN in “\(values[EnrollCommand.data].printable)” yet. Start without “login” to register.")
  }

  /// Whether the address is one at which both sides prove who they are.
  private func checkAddress() throws(ExampleError) {
    let endpoint = values[EnrollCommand.connect]
    guard endpoint.scheme.split(separator: "+").contains("tls") else {
      throw ExampleError(
        .usage,
        "\(endpoint) proves nobody: an enrollment needs certificates on both sides. Put tls+ in front of the address.")
    }
  }

  private func enroll(
    _ vault: FileVault, _ dialler: EnrollmentDialling
  ) async -> Result<ExitStatus, ExampleError> {
    do throws(ExampleError) {
      let screen = values[EnrollCommand.json] ? nil : try openScreen()
      defer { screen?.close() }
      let displays = EnrollDisplays(screen: screen, smsFrom: values[EnrollCommand.sms])
      let outcome = try await run(vault, dialler, displays)
      screen?.close()
      if screen != nil {
        LineOutput.standardOutput.say(outcome.sentence)
        // The screen is gone, and with it what was said at its foot.
        if outcome == .certificateRefused, let why = displays.lastProblem {
          LineOutput.standardOutput.say(why)
        }
      }
      return .success(outcome.exitStatus)
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

  private func run(
    _ vault: FileVault, _ dialler: EnrollmentDialling, _ displays: EnrollDisplays
  ) async throws(ExampleError) -> EnrollmentOutcome {
    let camera = PictureFiles(
      values[EnrollCommand.camera], frame: values[EnrollCommand.frame].map { .rectangle($0) }
    ) { displays.say($0) }
    var configuration = EnrollmentClientConfiguration(
      vault: vault, dialler: dialler, camera: camera, display: displays, cryptography: OpenSSLCryptography(),
      observer: displays)
    configuration.clock = clock
    let client = EnrollmentClient(configuration)
    displays.connect { client.post($0) }
    let listening = Task { await displays.listen() }
    let result: Result<EnrollmentOutcome, EnrollmentVaultError>
    do throws(EnrollmentVaultError) {
      result = .success(try await client.run())
    } catch {
      result = .failure(error)
    }
    listening.cancel()
    displays.stop()
    await listening.value
    do throws(EnrollmentVaultError) {
      return try result.get()
    } catch {
      throw ExampleError(.inputOutput, error.message)
    }
  }
}

extension EnrollmentOutcome {
  /// The end in words.
  fileprivate var sentence: String {
    switch self {
    case .loggedIn(let name): "\(name ?? "You"): enrolled and logged in."
    case .stopped: "Stopped. The next start goes on from here."
    case .locked: "The account is locked. Please ask the organizer."
    case .unknownStatus(let status): "The server answered with the unknown status \(status.rawValue)."
    case .certificateRefused: "A certificate was refused. Is the container right, and is it this event’s server?"
    case .fault(let fault): fault.text
    }
  }
}
