internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import ExampleSupport
internal import OpenSSLCryptography

/// Makes containers and tickets with the event's issuer, by the code that the organizer has.
struct EventIssuer: EnrollmentIssuer {
  let issuer: IssuerFile
  let key: OpenSSLSigningKey
  let ticketLifetime: Duration
  let clock: any CheckInClock
  /// Making a container takes most of a second.
  let thread = WorkThread()

  func container(
    account: String, name: String, token: SecretBytes
  ) async throws(EnrollmentIssuerError) -> IssuedContainer {
    try await thread.run { () -> Result<IssuedContainer, EnrollmentIssuerError> in
      do {
        let now = clock.now.wall
        let (bytes, certificate) = try ContainerIssuing(issuer: issuer, key: key).container(
          .attendee, id: account, name: name,
          validity: Validity(issuedAt: now, validFrom: nil, validUntil: nil, gates: []), key: try .generate(.ed25519),
          serial: nil, password: token.containerPassword, now: now)
        return .success(IssuedContainer(bytes: bytes, serial: certificate.serial))
      } catch let error as ExampleError {
        return .failure(EnrollmentIssuerError(error.description))
      } catch {
        return .failure(EnrollmentIssuerError("A container cannot be made: \(error)"))
      }
    }.get()
  }

  func ticket(account: String, name: String, key holder: PublicKey) async throws(EnrollmentIssuerError) -> [UInt8] {
    let now = clock.now.wall
    let credential = Credential(
      role: .attendee, event: issuer.event, eventName: issuer.name, subject: account, name: name, key: holder,
      serial: OpenSSLCryptography().randomBytes(16),
      validity: Validity(
        issuedAt: now, validFrom: nil, validUntil: now.advanced(by: ticketLifetime), gates: []))
    do throws(CredentialError) {
      return try credential.sign(by: key)
    } catch {
      throw EnrollmentIssuerError("A ticket cannot be made: \(error.message)")
    }
  }
}
