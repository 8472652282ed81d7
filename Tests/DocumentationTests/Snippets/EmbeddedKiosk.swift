internal import CheckIn
internal import CheckInCore
internal import TicketTokens

/// EmbeddingTheCore.md: a whole kiosk, with the parts that its program has.
struct EmbeddedKiosk {
  let profile: KioskProfile
  let key: any SigningKey
  let issuer: PublicKey
  let verifiers: [any AuthenticatorVerifier]
  let ledger: any Ledger
  let cryptography: any Cryptography
  let log: any KioskObserver
  let screen: any KioskDisplay
  let registry: TransportRegistry

  func run() async throws {
    let tickets = TicketTokenVerifier(issuer: issuer, event: "swift-meetup", cryptography: cryptography)
    let kiosk = try await Kiosk(
      KioskConfiguration(
        profile: profile, key: key, tokens: tickets, authenticators: verifiers, ledger: ledger,
        cryptography: cryptography, observer: log, display: screen))
    try await kiosk.run(on: [Endpoint("memory://lobby")], over: registry)
  }
}
