internal import Certificates
internal import CheckInCore
internal import ExampleSupport
internal import TLSTransport

/// An event of one run's own: with it both ends of a connection in this process can prove themselves to each other.
enum ConformanceHall {
  /// The wrapper for addresses with `tls+`, with certificates that nobody else has.
  static func transport() throws(ExampleError) -> TLSTransport {
    do throws(CertificateError) {
      let now = Timestamp.wallTime.secondsSince1970
      let (from, to) = (now - 3_600, now + 7 * 86_400)
      let authority = try CertificateAuthority.make(
        event: "conformance", eventName: "Conformance", key: .generate(.ed25519), notBefore: from, notAfter: to)
      func credentials(_ role: CertificateRole, peers: CertificateRole) throws(CertificateError) -> TLSCredentials {
        let key = try PrivateKey.generate(.ed25519)
        let certificate = try authority.issue(
          role, id: role.rawValue, name: role.rawValue, publicKey: key.publicKey, notBefore: from, notAfter: to)
        let policy = CertificatePolicy(
          issuers: [authority.certificate], event: "conformance", role: peers,
          now: { Timestamp.wallTime.secondsSince1970 })
        return TLSCredentials(key: key, chain: [certificate], policy: policy)
      }
      return try TLSTransport(
        dialling: credentials(.attendee, peers: .kiosk), listening: credentials(.kiosk, peers: .attendee))
    } catch {
      throw ExampleError(.internal, "Certificates for the tests cannot be made: \(error.message)")
    }
  }
}
