internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import TLSTransport

/// An issuer, and what a kiosk and an attendee of its event prove themselves with.
struct TLSHall {
  let authority: CertificateAuthority
  let kiosk: TLSCredentials
  let attendee: TLSCredentials

  static var now: Int64 { Int64(time(nil)) }

  init(event: String = "summer", algorithm: SignatureAlgorithm = .ed25519) throws {
    let now = Self.now
    authority = try CertificateAuthority.make(
      event: event, eventName: "Summer Meeting", key: .generate(algorithm), notBefore: now - 86_400,
      notAfter: now + 86_400)
    kiosk = try Self.credentials(authority, .kiosk, "hall-a", event, algorithm)
    attendee = try Self.credentials(authority, .attendee, "ada", event, algorithm)
  }

  /// A certificate of that role, which believes the other role.
  static func credentials(
    _ authority: CertificateAuthority, _ role: CertificateRole, _ id: String, _ event: String,
    _ algorithm: SignatureAlgorithm = .ed25519, from: Int64 = -300, to: Int64 = 3_600, serial: [UInt8]? = nil,
    trusting issuers: [Certificate]? = nil, revoked: Set<[UInt8]> = []
  ) throws -> TLSCredentials {
    let key = try PrivateKey.generate(algorithm)
    let certificate = try authority.issue(
      role, id: id, name: id, publicKey: key.publicKey, notBefore: now + from, notAfter: now + to, serial: serial)
    let policy = CertificatePolicy(
      issuers: issuers ?? [authority.certificate], event: event, role: role == .kiosk ? .attendee : .kiosk,
      revokedSerials: revoked, now: { Self.now })
    return TLSCredentials(key: key, chain: [certificate], policy: policy)
  }

  /// A transport whose dialling side is the attendee, and whose listening side is the kiosk.
  func transport(
    limits: TLSLimits = TLSLimits(), refused: @escaping @Sendable (TLSRefusal) -> Void = { _ in }
  ) throws -> TLSTransport {
    try TLSTransport(dialling: attendee, listening: kiosk, limits: limits, refused: refused)
  }
}

/// Two ends of a connection.
struct TLSPair {
  let near: any Connection
  let far: any Connection
  let listener: any Listener

  init(_ transport: any Transport, at endpoint: Endpoint) async throws {
    listener = try await transport.listen(on: endpoint)
    near = try await transport.connect(to: listener.endpoint, before: nil)
    far = try await listener.accept()
  }
}
