internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import Glibc
internal import OpenSSLCryptography
internal import SocketIO
internal import Synchronization
internal import TestSupport
internal import Testing

/// Kiosks that are found and speak TLS, and strangers who say of others, or of themselves, what is not so.
extension BluetoothLabTests {
  @Test(
    "a phone with a container discovers a kiosk that speaks TLS and checks in, with no leave for plaintext on either side",
    .bounded)
  func discoversUnderTLS() async throws {
    let event = try await EventWithContainers()
    try await ChildProcess.run(
      "kiosk", ["--listen", "tls+l2cap://hci0?psm=0", "--advertise"] + event.kiosk
    ) { kiosk in
      let endpoint = try #require(try await kiosk.event("advertising")["endpoint"])
      #expect(endpoint.hasPrefix("tls+l2cap://\(Lab.addresses[0])?psm=0x00"))
      // A phone without a container dials nobody here, and may not be told to.
      let bare = try await discover(event.adaWithoutContainer + ["--insecure-plaintext"], seconds: 8)
      #expect(bare.exit == .status(69), "\(bare.output)\(bare.errors)")
      #expect(bare.errors.contains("--container"))
      #expect(kiosk.events("connected").isEmpty)
      let visit = try await discover(event.ada, seconds: 60)
      #expect(visit.exit == .status(0), "\(visit.output)\(visit.errors)")
      #expect(visit.reason == "admitted")
      #expect(visit.events("kiosk_chosen").first?["endpoint"]?.hasPrefix(endpoint) == true, "\(visit.output)")
      try await kiosk.event("session_ended")
      #expect(kiosk.events("checked_in").map { $0["name"] } == ["Ada Lovelace"])
      kiosk.signal(SIGTERM)
      _ = try await kiosk.finished()
    }
  }

  @Test("R7: a stranger who advertises a kiosk without TLS is dialled by no phone that has a container", .bounded)
  func clearedFlag() async throws {
    let event = try await EventWithContainers()
    try await stranger(of: event, saysTLS: false) { heard in
      for more in [[], ["--insecure-plaintext"]] {
        let visit = try await discover(event.ada + more, seconds: 8)
        #expect(visit.exit == .status(69), "\(visit.output)\(visit.errors)")
        #expect(visit.events("kiosk_found").isEmpty, "\(visit.output)")
      }
      // And one without a container does not look unless it is told that it may dial.
      let bare = try await discover(event.adaWithoutContainer, seconds: 60)
      #expect(bare.exit == .status(64))
      #expect(bare.errors.contains("--insecure-plaintext"), "\(bare.output)\(bare.errors)")
      #expect(heard() == [], "nobody connected")
    }
  }

  @Test("R7: a stranger who says that it speaks TLS and does not gets a handshake, and no ticket", .bounded)
  func setFlag() async throws {
    let event = try await EventWithContainers()
    try await stranger(of: event, saysTLS: true) { heard in
      let visit = try await discover(event.ada + ["--insecure-plaintext"], seconds: 60)
      #expect(visit.exit != .status(0), "\(visit.output)\(visit.errors)")
      #expect(visit.events("kiosk_found").first?["endpoint"]?.hasPrefix("tls+l2cap://") == true, "\(visit.output)")
      // It connected, and all that it said is a record of the type handshake, and in it a ClientHello.
      #expect(!heard().isEmpty)
      for bytes in heard() { #expect(bytes.first == 22 && bytes.dropFirst(5).first == 1, "\(bytes)") }
    }
  }

  @Test("a stranger who says that it speaks TLS and then says nothing costs a phone some 20 seconds", .bounded)
  func silent() async throws {
    let event = try await EventWithContainers()
    try await stranger(of: event, saysTLS: true, closes: false) { heard in
      let start = ContinuousClock.now
      let visit = try await discover(event.ada, seconds: 60)
      #expect(visit.exit == .status(69), "\(visit.output)\(visit.errors)")
      #expect(visit.events.last?.name == "unreachable" && visit.events.last?["code"] == "timed_out", "\(visit.output)")
      #expect(visit.events("retrying").count == 1, "\(visit.output)")
      // The search and the program’s start are in it.
      #expect(ContinuousClock.now - start < .seconds(35))
    }
  }

  private func discover(_ options: [String], seconds: Int) async throws -> FinishedProcess {
    try await ChildProcess.finish(
      "attendee", ["--discover", "--discover-at", "l2cap://hci1", "--discover-for", "\(seconds)"] + options,
      atMost: .seconds(seconds + 60))
  }

  /// Advertises a listener that is nobody's kiosk, for the time of `body`, which is given what each peer has said first.
  ///
  /// - Parameter closes: whether it ends the connection of who has said something.
  private func stranger(
    of event: EventWithContainers, saysTLS: Bool, closes: Bool = true,
    _ body: (_ heard: () -> [[UInt8]]) async throws -> Void
  ) async throws {
    let loops = try EventLoopGroup(count: 1)
    let registry = try ExampleTransports.registry(loops: loops)
    let listener = try await registry.listen(on: try Endpoint("l2cap://hci0?psm=0"))
    let id = ShortEventID(of: try IssuerFile.read(event.issuerFile).event, cryptography: OpenSSLCryptography())
    let advertiser = try await registry.advertise(
      Advertisement(kiosk: "Hall A", event: id, carriesTLS: saysTLS), at: listener.endpoint)
    let heard = Mutex<[[UInt8]]>([])
    let accepting = Task {
      var open: [any Connection] = []
      while let connection = try? await listener.accept() {
        open.append(connection)
        var bytes = ByteQueue()
        _ = try? await connection.receive(into: &bytes, before: .now + .seconds(10))
        heard.withLock { $0.append(bytes.take(bytes.count)) }
        if closes { await connection.close() }
      }
      for connection in open { connection.abort() }
    }
    do {
      try await body { heard.withLock { $0 } }
    } catch {
      Issue.record(error)
    }
    await advertiser.stop()
    await listener.close()
    await accepting.value
    await loops.shutdown()
  }
}
