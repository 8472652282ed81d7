internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import InMemoryTransport
internal import TLSTransport

/// TLS over memory with both ends in this process: a kiosk that listens, and attendees.
struct Hall {
  private let transport: any Transport
  let listener: any Listener

  init() async throws {
    let now = Int64(time(nil))
    let authority = try CertificateAuthority.make(
      event: "summer", eventName: "Summer Meeting", key: .generate(.ed25519), notBefore: now - 60, notAfter: now + 3_600
    )
    func credentials(_ role: CertificateRole, _ id: String, believing other: CertificateRole) throws -> TLSCredentials {
      let key = try PrivateKey.generate(.ed25519)
      let certificate = try authority.issue(
        role, id: id, name: id, publicKey: key.publicKey, notBefore: now - 60, notAfter: now + 3_600)
      return TLSCredentials(
        key: key, chain: [certificate],
        policy: CertificatePolicy(
          issuers: [authority.certificate], event: "summer", role: other, now: { Int64(time(nil)) }))
    }
    transport = try TLSTransport(
      dialling: credentials(.attendee, "ada", believing: .kiosk),
      listening: credentials(.kiosk, "hall-a", believing: .attendee)
    ).wrap(InMemoryTransport())
    listener = try await transport.listen(on: Endpoint("tls+memory://0"))
  }

  /// A new connection: both ends.
  func open() async throws -> (near: any Connection, far: any Connection) {
    let near = try await transport.connect(to: listener.endpoint, before: .now + .seconds(30))
    return (near, try await listener.accept())
  }

  /// Sends one byte and receives it.
  static func exchange(_ byte: UInt8, from: any Connection, to: any Connection) async throws -> Bool {
    try await from.send([byte], before: .now + .seconds(30))
    var queue = ByteQueue()
    _ = try await to.receive(into: &queue, before: .now + .seconds(30))
    return queue.take(queue.count) == [byte]
  }
}
