internal import CheckInCore
internal import OpenSSLCryptography

/// The event of the documents, with its issuer.
struct Meetup: Sendable {
  let cryptography = OpenSSLCryptography()
  private let issuerKey: OpenSSLSigningKey

  init() throws {
    issuerKey = try .generate(.ed25519)
  }

  var issuer: PublicKey { issuerKey.publicKey }

  /// A kiosk's credential and its key.
  func kiosk() throws -> (credential: [UInt8], key: OpenSSLSigningKey) {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    return (try sign(.kiosk, "hall-a", "Hall A", key.publicKey), key)
  }

  /// Somebody's ticket, for a phone that has these authenticators, and its key.
  func attendee(
    _ name: String, authenticators: [String]
  ) throws -> (profile: AttendeeProfile, key: OpenSSLSigningKey) {
    let key = try OpenSSLSigningKey.generate(.es256)
    let token = try sign(.attendee, name.lowercased(), name, key.publicKey)
    return (
      AttendeeProfile(token: token, issuer: issuer, event: "swift-meetup", authenticators: authenticators), key
    )
  }

  private func sign(_ role: Credential.Role, _ id: String, _ name: String, _ key: PublicKey) throws -> [UInt8] {
    let credential = Credential(
      role: role, event: "swift-meetup", eventName: "Swift Meetup", subject: id, name: name, key: key,
      serial: cryptography.randomBytes(16),
      validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: []))
    return try credential.sign(by: issuerKey)
  }
}
