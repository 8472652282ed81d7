package import CheckIn
package import CheckInCore
internal import MockBiometricAuthenticator
package import OpenSSLCryptography
internal import PINAuthenticator
internal import TicketTokens

/// An event with its issuer, a kiosk, and as many attendees as one likes. Every key is Ed25519.
package struct Meetup: Sendable {
  package static let event = "summer-meeting"
  package let issuer: OpenSSLSigningKey
  package let kioskKey: OpenSSLSigningKey
  package let cryptography = OpenSSLCryptography()

  /// An event with new keys.
  package init() throws {
    issuer = try .generate(.ed25519)
    kioskKey = try .generate(.ed25519)
  }

  /// What the issuer says of somebody's key.
  package func credential(_ role: Credential.Role, _ id: String, _ key: PublicKey) throws -> [UInt8] {
    try Credential(
      role: role, event: Self.event, eventName: "Summer Meeting", subject: id, name: "Ada Lovelace", key: key,
      serial: cryptography.randomBytes(16),
      validity: Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: [])
    ).sign(by: issuer)
  }

  /// A kiosk at which phones confirm.
  package func kiosk(ledger: any Ledger, observer: (any KioskObserver)? = nil) throws -> KioskConfiguration {
    KioskConfiguration(
      profile: KioskProfile(
        event: "Summer Meeting", kiosk: "Hall A", gate: "North",
        credential: try credential(.kiosk, "hall-a", kioskKey.publicKey),
        authenticators: [.init(name: "mock-biometric", place: .phone), .init(name: "pin", place: .keypad)]),
      key: kioskKey,
      tokens: TicketTokenVerifier(issuer: issuer.publicKey, event: Self.event, cryptography: cryptography),
      authenticators: [MockBiometricVerifier(), PINVerifier()], ledger: ledger, cryptography: cryptography,
      observer: observer)
  }

  /// An attendee whose phone confirms at once.
  package func attendee(_ id: String) throws -> AttendeeConfiguration {
    let key = try OpenSSLSigningKey.generate(.ed25519)
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: try credential(.attendee, id, key.publicKey), issuer: issuer.publicKey, event: Self.event,
        authenticators: ["mock-biometric"]),
      key: key, authenticators: [MockBiometricProver(.accept)], cryptography: cryptography)
    // Where it is not secure, it is on loopback.
    configuration.allowsInsecureTransports = true
    return configuration
  }

  /// The body of a request as a phone sends it first, with a ticket in it.
  package func requestBody() throws -> [UInt8] {
    func random() -> Bytes16 { Bytes16(random: cryptography) }
    let time = WallTime(secondsSince1970: 1_800_000_000)
    let hello = try KioskHandshake(
      hello: Message.Hello(
        versions: [1], session: SessionID(random()), nonce: Nonce(random()),
        credential: try credential(.kiosk, "hall-a", kioskKey.publicKey), authenticators: ["mock-biometric", "pin"],
        gate: "North", time: time),
      key: kioskKey, cryptography: cryptography)
    let key = try OpenSSLSigningKey.generate(.ed25519)
    return try AttendeeHandshake(
      hello: UnverifiedHello(hello.body), signedBy: kioskKey.publicKey, cryptography: cryptography
    ).seal(
      Message.InitialRequest(
        version: 1, request: RequestID(random()), nonce: Nonce(random()),
        token: try credential(.attendee, "ada-lovelace", key.publicKey), time: time),
      key: key, cryptography: cryptography
    ).body
  }
}
