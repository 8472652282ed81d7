internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import FileVault
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import PKCS12Container
internal import SocketIO
internal import TLSTransport

/// Who somebody is who has enrolled: unlocks the data, and fetches a ticket from the enrollment server.
struct EnrolledIdentity {
  private let values: CommandLineValues
  private let folder: String
  private let issuer: IssuerFile
  private let loops: EventLoopGroup
  private let clock: SystemClock

  /// The identity in that folder.
  init(
    _ values: CommandLineValues, folder: String, issuer: IssuerFile, loops: EventLoopGroup, clock: SystemClock
  ) {
    self.values = values
    self.folder = folder
    self.issuer = issuer
    self.loops = loops
    self.clock = clock
  }

  /// Unlocks it, and answers with a fresh ticket and what TLS needs.
  func unlock(sensor: MockBiometricProver) async throws(ExampleError) -> (ticket: TicketFile, tls: TLSTransport?) {
    guard let endpoint = values[AttendeeCommand.server] else {
      throw ExampleError(.usage, "--enrollment-server URL is missing.")
    }
    guard FileReading.exists(folder) else {
      throw ExampleError(.noInput, "There is no folder “\(folder.printable)”. Enroll first, with: enroll --data DIR …")
    }
    let lock: FolderLock
    do throws(FileError) {
      lock = try FolderLock(folder, atMost: .seconds(2), against: "enroll")
    } catch {
      throw ExampleError(error)
    }
    let result: Result<(ticket: TicketFile, tls: TLSTransport?), ExampleError>
    do throws(ExampleError) {
      result = .success(try await unlock(at: endpoint, sensor))
    } catch {
      result = .failure(error)
    }
    _ = consume lock
    return try result.get()
  }

  private func unlock(
    at endpoint: Endpoint, _ sensor: MockBiometricProver
  ) async throws(ExampleError) -> (ticket: TicketFile, tls: TLSTransport?) {
    let vault = try VaultOptions.vault(
      folder, device: values[VaultOptions.device], biometrics: sensor, clock: clock)
    let token = try await release(vault)
    let dialler = EnrollmentDialling(
      to: endpoint, loops: loops, issuer: issuer, installation: nil, vault: vault, clock: clock)
    let visit = EnrolledVisit(vault: vault, dialler: dialler, cryptography: OpenSSLCryptography(), clock: clock)
    do {
      let answer = try await visit.ticket(token: token)
      let container = try await dialler.personal(token)
      let key = try OpenSSLSigningKey(container.key)
      let credential = try Credential(
        answer.ticket ?? [], issuedBy: issuer.key, cryptography: OpenSSLCryptography())
      guard credential.key == key.publicKey, credential.event == issuer.event else {
        throw ExampleError(.protocol, "The enrollment server gave a ticket that is not for this key or event.")
      }
      let credentials = try ContainerFile.credentials(container, issuer: issuer, peers: .kiosk, clock: clock)
      return (
        TicketFile(token: answer.ticket ?? [], credential: credential, key: key),
        try TLSTransport(dialling: credentials, listening: nil)
      )
    } catch let error as ExampleError {
      throw error
    } catch let error as EnrolledVisitError {
      throw EnrolledIdentity.failure(error)
    } catch let error as EnrollmentDialError {
      throw ExampleError(.badData, error.message)
    } catch let error as CredentialError {
      throw ExampleError(.protocol, "The enrollment server gave no ticket that can be used: \(error.message)")
    } catch {
      throw ExampleError(.internal, "\(error)")
    }
  }

  /// The token, by PIN or by the sensor.
  private func release(_ vault: FileVault) async throws(ExampleError) -> SecretBytes {
    do {
      guard case .sealed = try vault.progress() else {
        throw ExampleError(.badData, "The enrollment in “\(folder.printable)” is not finished. Go on with: enroll")
      }
      if values[AttendeeCommand.unlock] == .biometric {
        guard let token = try await vault.releaseByBiometrics() else {
          throw ExampleError(.refused, "The sensor did not recognise you. Use the PIN: --unlock pin")
        }
        return token
      }
      let typed = try (try PasswordSource(values) ?? .prompt).read(for: "enrollment (the PIN)", isNew: false)
      guard let pin = FourDigits(typed.bytes) else { throw ExampleError(.badData, "The PIN has four digits.") }
      return try await vault.unseal(pin)
    } catch let error as ExampleError {
      throw error
    } catch let error as FileError {
      throw ExampleError(error)
    } catch {
      throw ExampleError(.badData, "\(error)")
    }
  }

  private static func failure(_ error: EnrolledVisitError) -> ExampleError {
    switch error {
    case .refused(.wrongPIN, let left):
      ExampleError(.refused, "That PIN is not right.\(left.map { " Tries left: \($0)." } ?? "")")
    case .refused(let result, _): ExampleError(.refused, result.text)
    case .failed(.containerLocked, _): ExampleError(.refused, "That PIN is not right.")
    case .failed(_, let message): ExampleError(.unavailable, message)
    }
  }
}
