// README.md: a kiosk in your program.

internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import InMemoryTransport
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import TicketTokens

func runKiosk(
  key: any SigningKey, credential: [UInt8], issuer: PublicKey, screen: any KioskDisplay
) async throws {
  let cryptography = OpenSSLCryptography()
  let profile = KioskProfile(
    event: "Swift Meetup", kiosk: "Hall A", gate: "North", credential: credential,
    authenticators: [.init(name: "pin", place: .keypad)])
  let tickets = TicketTokenVerifier(issuer: issuer, event: "swift-meetup", cryptography: cryptography)
  let kiosk = try await Kiosk(
    KioskConfiguration(
      profile: profile, key: key, tokens: tickets, authenticators: [PINVerifier()],
      ledger: InMemoryLedger(), cryptography: cryptography, display: screen))
  try await kiosk.run(on: [Endpoint("memory://lobby")], over: TransportRegistry([InMemoryTransport()]))
}
