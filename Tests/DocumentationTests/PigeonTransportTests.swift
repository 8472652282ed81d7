internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import OpenSSLCryptography
internal import PINAuthenticator
internal import SocketIO
internal import TestSupport
internal import Testing
internal import TicketTokens

@Suite("Article: writing a transport")
struct PigeonTransportTests {
  @Test("a registry finds it by its scheme", .timeLimit(.minutes(1)))
  func registered() async throws {
    let loops = try EventLoopGroup(count: 1)
    let (listener, connection) = try await connectToALoft(loops)
    let accepted = try await listener.accept()
    try await connection.send(Array("coo".utf8), before: nil)
    #expect(try await accepted.receive(exactly: 3) == Array("coo".utf8))
    connection.abort()
    accepted.abort()
    await listener.close()
    await loops.shutdown()
  }

  @Test("somebody checks in over it, once plain text is meant", .timeLimit(.minutes(1)), arguments: [true, false])
  func checksIn(isMeant: Bool) async throws {
    let loops = try EventLoopGroup(count: 1)
    let registry = try TransportRegistry([PigeonTransport(loops: loops)])
    let meetup = try Meetup()
    let (credential, kioskKey) = try meetup.kiosk()
    let log = ListeningLog()
    let kioskScreen = KioskScreen()
    var configuration = KioskConfiguration(
      profile: footstepProfile(credential), key: kioskKey,
      tokens: TicketTokenVerifier(issuer: meetup.issuer, event: "swift-meetup", cryptography: meetup.cryptography),
      authenticators: [
        FootstepVerifier(sensors: [], cryptography: meetup.cryptography), PINVerifier(),
      ], ledger: InMemoryLedger(), cryptography: meetup.cryptography, observer: log,
      display: kioskScreen)
    configuration.allowsInsecureTransports = isMeant
    let kiosk = try await Kiosk(configuration)
    let running = Task { try await kiosk.run(on: [Endpoint("pigeon://0")], over: registry) }
    defer { running.cancel() }
    guard isMeant else {
      let error = await #expect(throws: CheckInError.self) { try await running.value }
      #expect(error?.code == .insecureTransport)
      await loops.shutdown()
      return
    }
    let endpoint = try #require(await log.endpoint())
    let screen = PhoneScreen()
    let (profile, key) = try meetup.attendee("Grace", authenticators: ["pin"])
    var phone = AttendeeConfiguration(
      profile: profile, key: key, authenticators: [PINProver()], cryptography: meetup.cryptography, display: screen)
    phone.allowsInsecureTransports = true
    let grace = try Attendee(phone)
    async let outcome = grace.checkIn(at: endpoint, over: registry)
    for await view in screen.views {
      guard case .pin(let shown) = view else { continue }
      await kioskScreen.type(shown.pin, of: "Grace", at: kiosk)
    }
    #expect(try await outcome.isSuccess)
    kiosk.beginGracefulShutdown()
    try await running.value
    await loops.shutdown()
  }
}
