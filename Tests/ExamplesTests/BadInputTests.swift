internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import TestSupport
internal import Testing

@Suite("A kiosk whose port gets what no phone sends")
struct BadInputTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// What the log has to say of it; nil: only that the session is over.
    let fault: String?
    /// How soon the kiosk ends the connection.
    let within: Duration

    init(_ description: String, _ bytes: [UInt8], _ fault: String?, within: Duration) {
      testDescription = description
      self.bytes = bytes
      self.fault = fault
      self.within = within
    }
  }

  static let cases = [
    Case("a length of zero", [0, 0, 0, 0], "framing", within: .seconds(4)),
    Case("a length above the limit", [0, 1, 0, 1], "framing", within: .seconds(4)),
    Case("the largest length", [255, 255, 255, 255], "framing", within: .seconds(4)),
    Case("a request of the web", Array("GET / HTTP/1.1\r\nHost: kiosk\r\n\r\n".utf8), "framing", within: .seconds(4)),
    Case("a body of garbage", [0, 0, 0, 5, 1, 2, 3, 4, 5], "malformed", within: .seconds(8)),
    Case("an envelope of nothing", [0, 0, 0, 2, 0xd2, 0x84], "malformed", within: .seconds(8)),
    Case("deep nesting", [0, 0, 1, 0] + [UInt8](repeating: 0x81, count: 256), "malformed", within: .seconds(8)),
    Case(
      "an array that claims four thousand million items", [0, 0, 0, 6, 0xd2, 0x9a, 255, 255, 255, 255], "malformed",
      within: .seconds(8)),
    Case("half a frame, and nothing more", [0, 0, 1, 0, 0xd2], nil, within: .seconds(14)),
    Case("half a length, and nothing more", [0, 0], nil, within: .seconds(14)),
    Case("nothing at all", [], nil, within: .seconds(14)),
  ]

  @Test("ends that connection, says why, tells nothing, and goes on", .bounded, arguments: cases)
  func bad(_ bad: Case) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        async let answer = aside {
          let peer = try RawPeer(endpoint)
          _ = peer.readFrame()
          peer.send(bad.bytes)
          return peer.readToEnd(atMost: bad.within)
        }
        // Meanwhile the others are served.
        let visit = try await ChildProcess.visit(event, ada, at: endpoint)
        #expect(visit.exit == .status(0))
        #expect(try await answer == [], "the connection ends in time, and nothing is said before")
        try await kiosk.event("session_ended", 2, atMost: .seconds(5))
        #expect(kiosk.events("protocol_error").map { $0["fault"] } == (bad.fault.map { [$0] } ?? []))
        #expect(kiosk.ended == nil)
      }
    }
  }

  @Test("R19: bytes that begin with any value end no kiosk", .bounded)
  func anyFirstByte() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let generous = ["--open-sessions", "2000", "--sessions-per-second", "10000"]
      try await ChildProcess.kiosk(event, generous) { kiosk in
        let endpoint = try kiosk.endpoint()
        try await aside {
          var random = SystemRandomNumberGenerator()
          for first in UInt8.min...UInt8.max {
            let peer = try RawPeer(endpoint)
            peer.send([first] + (0..<63).map { _ in random.next() })
            peer.finish()
            _ = peer.readToEnd(atMost: .milliseconds(20))
          }
        }
        let visit = try await ChildProcess.visit(event, ada, at: endpoint)
        #expect(visit.exit == .status(0))
        try await kiosk.event("session_ended", 257)
        #expect(kiosk.events("checked_in").count == 1)
      }
    }
  }

  @Test("R9: a recorded initial request is worth nothing on another connection", .bounded)
  func replayed() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        let recorded = try await RecordingProxy.run(to: endpoint) { proxy in
          let visit = try await ChildProcess.visit(event, ada, at: proxy.endpoint)
          #expect(visit.exit == .status(0))
          return proxy.messages
        }
        let frame = try Frame.encode(#require(recorded.first { $0.side == .attendee }).body)
        let answer = try await aside {
          let peer = try RawPeer(endpoint)
          _ = peer.readFrame()
          peer.send(frame)
          return peer.readToEnd(atMost: .seconds(9))
        }
        #expect(answer == [], "silence, and the end")
        let line = try await kiosk.event("invalid_token")
        #expect(line["reason"] == "bad_signature")
        #expect(kiosk.events("initial_request").count == 1)
      }
    }
  }

  @Test("R10: a request for a version that was not offered ends the session", .bounded)
  func wrongVersion() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.read(event.ticket())
      try await ChildProcess.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        let issuer = try IssuerFile.read(event.issuerFile).key
        let answer = try await aside {
          let peer = try RawPeer(endpoint)
          let cryptography = OpenSSLCryptography()
          let hello = try UnverifiedHello(peer.readFrame() ?? [])
          let credential = try Credential(hello.hello.credential, issuedBy: issuer, cryptography: cryptography)
          let handshake = try AttendeeHandshake(hello: hello, signedBy: credential.key, cryptography: cryptography)
          let request = Message.InitialRequest(
            version: 2, request: RequestID(Bytes16(random: cryptography)), nonce: Nonce(Bytes16(random: cryptography)),
            token: ada.token, time: Timestamp.wallTime)
          peer.send(try Frame.encode(handshake.seal(request, key: ada.key, cryptography: cryptography).body))
          return peer.readToEnd(atMost: .seconds(9))
        }
        #expect(answer == [])
        let line = try await kiosk.event("protocol_error")
        #expect(line["fault"] == "wrong_version")
        #expect(kiosk.events("initial_request").isEmpty)
      }
    }
  }
}
