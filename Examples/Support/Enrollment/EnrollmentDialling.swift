internal import Certificates
package import CheckIn
package import CheckInCore
package import Enrollment
internal import EnrollmentCore
package import FileVault
internal import OpenSSLCryptography
package import PKCS12Container
package import SocketIO
internal import Synchronization
internal import TLSTransport

/// Connects to an enrollment server over TLS, with the built-in container or with the personal one of a vault.
package final class EnrollmentDialling: EnrollmentDialler {
  private struct Opened {
    let password: [UInt8]
    let container: Container
  }

  private let endpoint: Endpoint
  private let loops: EventLoopGroup
  private let issuer: IssuerFile
  private let installation: ContainerFile?
  private let vault: FileVault
  private let clock: any CheckInClock
  private let thread = WorkThread()
  /// The personal container that was opened last: opening takes most of a second.
  private let opened = Mutex<Opened?>(nil)
  private let installed = Mutex<TLSCredentials?>(nil)

  /// A dialler.
  ///
  /// - Parameter installation: the built-in container; nil: nobody registers here.
  package init(
    to endpoint: Endpoint, loops: EventLoopGroup, issuer: IssuerFile, installation: ContainerFile?, vault: FileVault,
    clock: any CheckInClock
  ) {
    self.endpoint = endpoint
    self.loops = loops
    self.issuer = issuer
    self.installation = installation
    self.vault = vault
    self.clock = clock
  }

  /// Opens a connection with that identity.
  package func dial(_ identity: EnrollmentIdentity) async throws(EnrollmentDialError) -> EnrollmentDialled {
    let credentials = try await thread.run { self.credentials(identity) }.get()
    do {
      let registry = try ExampleTransports.registry(
        loops: loops, tls: try TLSTransport(dialling: credentials, listening: nil))
      guard try registry.transport(for: endpoint).capabilities.contains(.secure) else {
        throw TransportError(.unsupported, "\(endpoint) proves nobody. Put tls+ in front of the address.")
      }
      let connection = try await registry.connect(to: endpoint, before: .now + .seconds(10))
      guard let der = connection.peerCertificate, let server = try? Certificate(der: der.span).publicKey else {
        connection.abort()
        throw TransportError(.certificateRefused, "\(endpoint) has shown no certificate.")
      }
      return EnrollmentDialled(
        connection: connection, key: try OpenSSLSigningKey(credentials.key), serverKey: server)
    } catch let error as TransportError {
      throw EnrollmentDialError(
        error.code == .certificateRefused ? .certificateRefused : .connection, error.message)
    } catch let error as CertificateError {
      throw EnrollmentDialError(.certificateRefused, error.message)
    } catch {
      throw EnrollmentDialError(.connection, "\(error)")
    }
  }

  /// The personal container, opened.
  ///
  /// - Throws: ``/EnrollmentCore/EnrollmentFailure/containerLocked`` when it does not open.
  package func personal(_ token: SecretBytes?) async throws(EnrollmentDialError) -> Container {
    try await thread.run { self.open(token) }.get()
  }

  private func credentials(_ identity: EnrollmentIdentity) -> Result<TLSCredentials, EnrollmentDialError> {
    do throws(EnrollmentDialError) {
      switch identity {
      case .installation: return .success(try installationCredentials())
      case .personal(let token):
        let container = try open(token).get()
        do throws(ExampleError) {
          return .success(
            try ContainerFile.credentials(container, issuer: issuer, peers: .enrollment, clock: clock))
        } catch {
          throw EnrollmentDialError(.certificateRefused, error.description)
        }
      }
    } catch {
      return .failure(error)
    }
  }

  private func installationCredentials() throws(EnrollmentDialError) -> TLSCredentials {
    if let known = installed.withLock({ $0 }) { return known }
    guard let installation else {
      throw EnrollmentDialError(.certificateRefused, "There is no built-in container: give --install-container FILE.")
    }
    do throws(ExampleError) {
      let made = try installation.credentials(
        as: nil, issuer: issuer, peers: .enrollment, clock: clock)
      installed.withLock { $0 = made }
      return made
    } catch {
      throw EnrollmentDialError(.certificateRefused, error.description)
    }
  }

  private func open(_ token: SecretBytes?) -> Result<Container, EnrollmentDialError> {
    do {
      guard let (bytes, password) = try vault.container(token: token) else {
        return .failure(
          EnrollmentDialError(
            .certificateRefused, "There is no personal container that could be opened. Register first."))
      }
      if let known = opened.withLock({ $0 }), known.password == password.bytes { return .success(known.container) }
      let container = try PKCS12Container.read(
        bytes, password: password, now: clock.now.wall.secondsSince1970)
      opened.withLock { $0 = Opened(password: password.bytes, container: container) }
      return .success(container)
    } catch let error as ContainerError {
      let failure: EnrollmentFailure = error.code == .wrongPassword ? .containerLocked : .certificateRefused
      return .failure(EnrollmentDialError(failure, "The personal container cannot be used: \(error.message)"))
    } catch {
      return .failure(EnrollmentDialError(.certificateRefused, "\(error)"))
    }
  }
}

extension FileVault {
  /// Writes a container anew under another password: what a vault needs for its first seal.
  package static func relocking(clock: any CheckInClock) -> FileVault.Relocking {
    let thread = WorkThread()
    return { bytes, password, new throws(EnrollmentVaultError) in
      try await thread.run { () -> Result<[UInt8], EnrollmentVaultError> in
        do throws(ContainerError) {
          let container = try PKCS12Container.read(
            bytes, password: password, now: clock.now.wall.secondsSince1970)
          return .success(try PKCS12Container.write(container, password: new))
        } catch {
          return .failure(EnrollmentVaultError("The personal container cannot be used: \(error.message)"))
        }
      }.get()
    }
  }
}
