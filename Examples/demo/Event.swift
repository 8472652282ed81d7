internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// The event of the story: an issuer, and what it signs. The organizer program does the same with files.
struct Event {
  let id = "demo-day"
  let name = "Demo Day"
  private let issuerKey: OpenSSLSigningKey

  /// An event with a fresh key.
  init() throws(ExampleError) {
    issuerKey = try Event.freshKey(.ed25519)
  }

  /// The key that everyone trusts.
  var issuer: PublicKey { issuerKey.publicKey }

  /// A new key.
  static func freshKey(_ algorithm: SignatureAlgorithm) throws(ExampleError) -> OpenSSLSigningKey {
    do throws(OpenSSLError) {
      return try OpenSSLSigningKey.generate(algorithm)
    } catch {
      throw ExampleError(.internal, error.message)
    }
  }

  /// A credential for that key, signed by this event's issuer.
  func sign(
    _ role: Credential.Role, id subject: String, name: String, key: PublicKey
  ) throws(ExampleError) -> [UInt8] {
    let now = Timestamp.wallTime
    let credential = Credential(
      role: role, event: id, eventName: self.name, subject: subject, name: name, key: key,
      serial: OpenSSLCryptography().randomBytes(16),
      validity: Validity(issuedAt: now, validFrom: now, validUntil: now.advanced(by: .seconds(86_400)), gates: []))
    do throws(CredentialError) {
      return try credential.sign(by: issuerKey)
    } catch {
      throw ExampleError(.internal, "The credential of \(name) could not be signed.")
    }
  }
}
