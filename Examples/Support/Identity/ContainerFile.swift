package import Certificates
package import CheckIn
package import CheckInCore
package import PKCS12Container
package import TLSTransport

/// A container on disk, as one side of TLS uses it.
package struct ContainerFile: Sendable {
  /// The file that holds the key and the certificate for addresses with `tls+`.
  package static let argument = CommandLineArgument<String?>.option(
    "container", .file,
    "Key and certificate (PKCS#12) for addresses with tls+, made by “organizer”. Its password is asked for, unless one of "
      + "--password-file, --password-fd and --password-env says where it is.")

  /// Whether containers with ciphers of former times are opened.
  package static let outdatedArgument = CommandLineArgument<Bool>.flag(
    "allow-outdated-cipher", "Open a container that is encrypted with RC2, RC4, DES or 3DES too. Better convert it.")
  /// All that a command line may say of a container.
  package static let options: [any CommandLineDeclaration] =
    [argument, outdatedArgument] + PasswordSource.options

  private let path: String
  private let password: SecretBytes
  private let source: PasswordSource
  private let allowsOutdatedCipher: Bool

  /// The container that a command line names; nil when it names none.
  ///
  /// - Throws: when its password cannot be had.
  package init?(_ values: CommandLineValues, program: String) throws(ExampleError) {
    guard let path = values[Self.argument] else { return nil }
    self.path = path
    allowsOutdatedCipher = values[Self.outdatedArgument]
    source = try PasswordSource(values) ?? .prompt
    do throws(FileError) {
      password = try source.read(for: "container “\(path)”", isNew: false)
    } catch {
      throw ExampleError(error)
    }
    Self.warn(path, program)
  }

  /// The container at that path.
  ///
  /// - Parameter source: where its password is.
  /// - Throws: when its password cannot be had.
  package init(_ path: String, password source: PasswordSource, program: String) throws(ExampleError) {
    self.path = path
    allowsOutdatedCipher = false
    self.source = source
    do throws(FileError) {
      password = try source.read(for: "container “\(path)”", isNew: false)
    } catch {
      throw ExampleError(error)
    }
    Self.warn(path, program)
  }

  /// Says where others may read the key; of what is no container it says nothing.
  private static func warn(_ path: String, _ program: String) {
    // Every container is a SEQUENCE.
    guard (try? FileReading.read(path, what: "container", limit: PKCS12Container.largest))?.first == 0x30 else {
      return
    }
    FileReading.warn(ofSecret: path, program: program)
  }

  /// Where it is.
  package var place: String { path }

  /// Reads the file and makes of it what a side that meets peers of `role` proves itself with.
  ///
  /// A password that is in a file is read again each time, since a renewed container may have another.
  ///
  /// - Parameters:
  ///   - own: what this side is; a container of another role, event or issuer is refused. Nil: the peer judges it alone.
  ///   - issuer: the event's issuer.
  ///   - role: what the peers are.
  ///   - others: what they may be as well.
  ///   - takenBack: whom not to believe any more.
  ///   - clock: what time it is.
  package func credentials(
    as own: CertificateRole?, issuer: IssuerFile, peers role: CertificateRole, or others: [CertificateRole] = [],
    takenBack: RevocationList? = nil, clock: any CheckInClock
  ) throws(ExampleError) -> TLSCredentials {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileReading.read(path, what: "container", limit: PKCS12Container.largest)
    } catch {
      throw ExampleError(error)
    }
    let password: SecretBytes
    do throws(FileError) {
      if case .file = source {
        password = try source.read(for: "container “\(path)”", isNew: false)
      } else {
        password = self.password
      }
    } catch {
      throw ExampleError(error)
    }
    let container: Container
    do throws(ContainerError) {
      container = try PKCS12Container.read(
        bytes, password: password, now: clock.now.wall.secondsSince1970, allowsOutdatedCipher: allowsOutdatedCipher)
    } catch {
      let hint =
        error.code == .outdatedCipher && !allowsOutdatedCipher
        ? " Or open it as it is, with --allow-outdated-cipher." : ""
      throw ExampleError(.badData, "The container “\(path.printable)” cannot be used: \(error.message)\(hint)")
    }
    let chain = [container.certificate] + container.chain
    if let own,
      case .failure(let refusal)? = Self.policy(issuer: issuer, peers: own, takenBack: nil, clock: clock)?.judge(chain)
    {
      throw ExampleError(.badData, "The container “\(path.printable)” cannot be used here: \(refusal.message)")
    }
    return try Self.credentials(
      container, issuer: issuer, peers: role, or: others, takenBack: takenBack, clock: clock)
  }

  /// What a side that has this container and meets peers of `role` proves itself with.
  package static func credentials(
    _ container: Container, issuer: IssuerFile, peers role: CertificateRole, or others: [CertificateRole] = [],
    takenBack: RevocationList? = nil, clock: any CheckInClock
  ) throws(ExampleError) -> TLSCredentials {
    guard let policy = policy(issuer: issuer, peers: role, or: others, takenBack: takenBack, clock: clock) else {
      throw ExampleError(
        .badData,
        "The issuer file of “\(issuer.name.printable)” holds no certificate, so TLS cannot be judged by it. Fetch "
          + "issuer.pem from the organizer again.")
    }
    // The peer has the issuer's certificate, and believes no other copy of it.
    let chain = [container.certificate] + container.chain.filter { !$0.isAuthority }
    return TLSCredentials(key: container.key, chain: chain, policy: policy)
  }

  /// Whom a side believes that meets peers of `role`; nil where the issuer file has no certificate to judge by.
  package static func policy(
    issuer: IssuerFile, peers role: CertificateRole, or others: [CertificateRole] = [], takenBack: RevocationList?,
    clock: any CheckInClock
  ) -> CertificatePolicy? {
    guard let authority = issuer.certificate else { return nil }
    return CertificatePolicy(
      issuers: [authority], event: issuer.event, role: role, otherRoles: others,
      revokedSerials: Set(takenBack?.serials ?? []), revokedIDs: Set(takenBack?.attendees ?? []),
      now: { clock.now.wall.secondsSince1970 })
  }
}
