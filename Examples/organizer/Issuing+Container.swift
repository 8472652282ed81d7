internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import PKCS12Container

extension Issuing {
  /// How far certificates are dated back, for programs that allow no difference between clocks.
  static let dateBack: Int64 = 300

  /// A container for a key that has a ticket or a kiosk's credential: the same holder, times and serial. Gates stand in the
  /// ticket alone.
  func container(
    _ role: CertificateRole, id: String, name: String, validity: Validity, identity: IssuedIdentity,
    password: SecretBytes, now: WallTime
  ) throws(ExampleError) -> [UInt8] {
    guard let certificate = issuer.certificate else {
      throw ExampleError(
        .badData,
        "The event’s issuer.pem has no certificate in it, so no container can be made. It is of an older organizer: "
          + "events that “organizer init” makes now have one.")
    }
    do {
      let authority = try CertificateAuthority(key: PrivateKey(issuerKey), certificate: certificate)
      let from = (validity.validFrom ?? now).secondsSince1970 - Issuing.dateBack
      // A ticket's end is the first second that is not valid; a certificate's is the last that is.
      let until = validity.validUntil.map { $0.secondsSince1970 - 1 } ?? certificate.notAfter
      let holder = try authority.issue(
        role, id: id, name: name, publicKey: identity.key.publicKey, notBefore: max(from, certificate.notBefore),
        notAfter: min(until, certificate.notAfter), serial: identity.serial)
      return try PKCS12Container.write(
        Container(key: PrivateKey(identity.key), certificate: holder, chain: [certificate]), password: password)
    } catch let error as CertificateError {
      throw ExampleError(error.code == .library ? .internal : .badData, error.message)
    } catch let error as ContainerError {
      throw ExampleError(error.code == .library ? .internal : .badData, error.message)
    } catch let error as FileError {
      throw ExampleError(error)
    } catch {
      throw ExampleError(.internal, "The container of “\(name)” cannot be made.")
    }
  }

  /// Writes a container, and says so.
  func write(
    _ container: [UInt8], to path: String, of name: String, replacing: Bool
  ) throws(ExampleError) {
    try EventFolder.write(container, to: path, what: "container", access: .secret, replacing: replacing)
    LineOutput.standardOutput.writeLine("\(path): the container of \(name), under the password.")
  }
}
