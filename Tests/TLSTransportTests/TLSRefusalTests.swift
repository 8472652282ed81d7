internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Synchronization
internal import TLSTransport
internal import TestSupport
internal import Testing

@Suite("Who is turned away by TLS", .timeLimit(.minutes(1)))
struct TLSRefusalTests {
  /// What is wrong with one side, as the other side sees it.
  enum Fault: String, CaseIterable, CustomTestStringConvertible {
    case otherIssuer, expired, notYetValid, wrongRole, wrongEvent, revoked

    var testDescription: String { rawValue }

    var code: CertificateRefusal.Code {
      switch self {
      case .otherIssuer: .otherIssuer
      case .expired: .expired
      case .notYetValid: .notYetValid
      case .wrongRole: .wrongRole
      case .wrongEvent: .wrongEvent
      case .revoked: .revoked
      }
    }

    /// Credentials of that role with this fault; they themselves believe the hall.
    func credentials(_ role: CertificateRole, in hall: TLSHall) throws -> TLSCredentials {
      let trusted = [hall.authority.certificate]
      var bad: TLSCredentials
      switch self {
      case .otherIssuer: bad = try TLSHall.credentials(TLSHall().authority, role, "eve", "summer")
      case .expired: bad = try TLSHall.credentials(hall.authority, role, "eve", "summer", from: -7_200, to: -3_600)
      case .notYetValid: bad = try TLSHall.credentials(hall.authority, role, "eve", "summer", from: 3_600, to: 7_200)
      case .wrongRole:
        bad = try TLSHall.credentials(hall.authority, role == .kiosk ? .attendee : .kiosk, "eve", "summer")
      case .wrongEvent: bad = try TLSHall.credentials(TLSHall(event: "winter").authority, role, "eve", "winter")
      case .revoked: bad = try TLSHall.credentials(hall.authority, role, "eve", "summer", serial: [7, 7, 7])
      }
      bad.policy = CertificatePolicy(
        issuers: trusted, event: "summer", role: role == .kiosk ? .attendee : .kiosk, now: { TLSHall.now })
      return bad
    }

    /// The other side, which has to know an issuer of another event to see that the event is the fault.
    func judging(_ good: TLSCredentials, _ bad: TLSCredentials, in hall: TLSHall) throws -> TLSCredentials {
      var good = good
      good.policy = CertificatePolicy(
        issuers: [hall.authority.certificate], event: "summer", role: good.policy.role,
        revokedSerials: self == .revoked ? [[7, 7, 7]] : [], now: { TLSHall.now })
      return good
    }
  }

  @Test(
    "R23: an attendee whose certificate is refused learns so from the dial; the kiosk knows why",
    arguments: Fault.allCases)
  func refusesAttendee(fault: Fault) async throws {
    #expect(try await RefusalCheck.attendee.complaints(about: fault) == [])
  }

  @Test(
    "R23: a kiosk whose certificate is refused gets no connection, and the dial says why", arguments: Fault.allCases)
  func refusesKiosk(fault: Fault) async throws {
    #expect(try await RefusalCheck.kiosk.complaints(about: fault) == [])
  }

  @Test("one event's issuer that also signs for another is no way in: the event decides")
  func judgesTheEvent() async throws {
    let hall = try TLSHall()
    let winter = try TLSHall(event: "winter")
    var kiosk = hall.kiosk
    kiosk.policy = CertificatePolicy(
      issuers: [hall.authority.certificate, winter.authority.certificate], event: "summer", role: .attendee,
      now: { TLSHall.now })
    var guest = winter.attendee
    guest.policy = hall.attendee.policy
    let (refusals, isRefused) = AsyncStream<TLSRefusal>.makeStream()
    let tls = try TLSTransport(dialling: guest, listening: kiosk, refused: { isRefused.yield($0) })
      .wrap(InMemoryTransport())
    let listener = try await tls.listen(on: Endpoint("tls+memory://0"))
    await expectError(.certificateRefused) { try await tls.connect(to: listener.endpoint, before: nil) }
    let refusal = try #require(await refusals.first { _ in true })
    #expect((refusal.error.cause as? CertificateRefusal)?.code == .wrongEvent)
    await listener.close()
  }

  @Test("a side without a certificate neither dials nor listens, and says what is missing")
  func needsCredentials() async throws {
    let tls = TLSTransport().wrap(InMemoryTransport())
    await expectError(.unsupported) { try await tls.listen(on: Endpoint("tls+memory://0")) }
    await expectError(.unsupported) { try await tls.connect(to: Endpoint("tls+memory://a"), before: nil) }
  }

  @Test("a key that is not the certificate's is refused at once")
  func needsTheRightKey() throws {
    let hall = try TLSHall()
    var mixed = hall.kiosk
    mixed.key = hall.attendee.key
    #expect(throws: CertificateError.self) { try TLSTransport(dialling: nil, listening: mixed) }
  }
}
