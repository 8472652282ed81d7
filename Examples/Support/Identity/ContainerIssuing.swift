package import Certificates
internal import CheckIn
package import CheckInCore
package import OpenSSLCryptography
internal import PKCS12Container

/// Makes containers with an event's issuer: for the organizer, and for the enrollment server.
package struct ContainerIssuing: Sendable {
  /// How far certificates are dated back, for programs that allow no difference between clocks.
  package static let dateBack: Int64 = 300

  private let issuer: IssuerFile
  private let key: OpenSSLSigningKey

  /// An issuer with its key.
  package init(issuer: IssuerFile, key: OpenSSLSigningKey) {
    self.issuer = issuer
    self.key = key
  }

  /// A certificate for a key, and both in a container, with the issuer's certificate.
  ///
  /// - Parameters:
  ///   - serial: the certificate's; nil: a random one.
  ///   - now: from when it is valid, where the validity names no time.
  package func container(
    _ role: CertificateRole, id: String, name: String, validity: Validity, key holder: PrivateKey, serial: [UInt8]?,
    password: SecretBytes, now: WallTime
  ) throws(ExampleError) -> (bytes: [UInt8], certificate: Certificate) {
    guard let certificate = issuer.certificate else {
      throw ExampleError(
        .badData,
        "The event’s issuer.pem has no certificate in it, so no container can be made. It is of an older organizer: "
          + "events that “organizer init” makes now have one.")
    }
    do {
      let authority = try CertificateAuthority(key: PrivateKey(key), certificate: certificate)
      let from = (validity.validFrom ?? now).secondsSince1970 - ContainerIssuing.dateBack
      // A ticket's end is the first second that is not valid; a certificate's is the last that is.
      let until = validity.validUntil.map { $0.secondsSince1970 - 1 } ?? certificate.notAfter
      let (begin, end) = (max(from, certificate.notBefore), min(until, certificate.notAfter))
      guard begin <= end else {
        let (first, last) = (
          WallTime(secondsSince1970: certificate.notBefore), WallTime(secondsSince1970: certificate.notAfter)
        )
        throw ExampleError(
          .badData,
          "The container of “\(name)” would never be valid: its time lies outside of the issuer’s, \(first.rfc3339) to "
            + "\(last.rfc3339), or is over already. Give another time, or none.")
      }
      let issued = try authority.issue(
        role, id: id, name: name, publicKey: holder.publicKey, notBefore: begin, notAfter: end, serial: serial)
      let bytes = try PKCS12Container.write(
        Container(key: holder, certificate: issued, chain: [certificate]), password: password)
      return (bytes, issued)
    } catch let error as ExampleError {
      throw error
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
}

extension OpenSSLSigningKey {
  /// The same key for messages and tickets.
  package init(_ key: PrivateKey) throws(ExampleError) {
    do {
      var pem = TextBlock("PRIVATE KEY", try key.pkcs8()).text
      defer { SecretBytes.wipe(&pem) }
      try self.init(pem: pem)
    } catch {
      throw ExampleError(.internal, "The key of a certificate cannot be used to sign messages.")
    }
  }

  /// An issuer's key from its file, which must belong to the issuer.
  package static func issuerKey(_ path: String, of issuer: IssuerFile) throws(ExampleError) -> OpenSSLSigningKey {
    if let warning = FileReading.warning(forSecret: path) { LineOutput.standardError.say(warning) }
    do {
      var pem = try FileReading.read(path, what: "issuer’s key")
      defer { SecretBytes.wipe(&pem) }
      let key = try OpenSSLSigningKey(pem: pem)
      guard key.publicKey == issuer.key else {
        throw FileError(
          .badData, "“\(path.printable)” does not belong to issuer.pem beside it; two events were mixed up.")
      }
      return key
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as OpenSSLError {
      throw ExampleError(.badData, "“\(path)” cannot be used: \(error.message)")
    } catch {
      throw ExampleError(.internal, "“\(path)” cannot be read.")
    }
  }
}
