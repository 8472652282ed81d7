internal import CheckIn
internal import CheckInCore

/// EmbeddingTheCore.md: a whole phone, with the parts that its program has.
struct EmbeddedAttendee {
  let profile: AttendeeProfile
  let key: any SigningKey
  let provers: [any AuthenticatorProver]
  let cryptography: any Cryptography
  let screen: any AttendeeDisplay
  let registry: TransportRegistry
  let print: @Sendable (String) -> Void

  func run() async throws {
    let attendee = try Attendee(
      AttendeeConfiguration(
        profile: profile, key: key, authenticators: provers, cryptography: cryptography, display: screen))
    let outcome = try await attendee.checkIn(at: Endpoint("memory://lobby"), over: registry)
    print(outcome.isSuccess ? "You are in." : "You are not in.")
  }
}
