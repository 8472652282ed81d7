internal import Glibc
internal import TestSupport
internal import Testing

/// The other ways over the kernel's Bluetooth: under TLS, and with Bluetooth Classic.
extension BluetoothLabTests {
  @Test(
    "a check-in under TLS, with containers that the organizer wrote, shows nobody its PIN and needs no leave to do so",
    .bounded)
  func underTLS() async throws {
    let event = try await EventWithContainers()
    // It is not advertised, and a phone can connect to a controller that advertises alone.
    try await Lab.controller("advertise", 0)
    try await ChildProcess.run("kiosk", ["--listen", "tls+l2cap://hci0?psm=0"] + event.kiosk) { kiosk in
      let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
      #expect(endpoint.hasPrefix("tls+l2cap://\(Lab.addresses[0])?psm=0x00"))
      let visit = try await ChildProcess.finish("attendee", ["--connect", "\(endpoint)&device=hci1"] + event.ada)
      #expect(visit.exit == .status(0), "\(visit.output)\(visit.errors)")
      #expect(visit.reason == "admitted")
      try await kiosk.event("session_ended")
      #expect(kiosk.events("checked_in").map { $0["name"] } == ["Ada Lovelace"])
    }
  }

  @Test("a check-in with Bluetooth Classic, which has no advertisement", .bounded)
  func withClassic() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      // A Low Energy link that an earlier test has left for two seconds would be in the way: the kernel dials one or the other.
      for what in ["off", "on"] { try await Lab.controller(what, 1) }
      try await ChildProcess.kiosk(event, listen: ["l2cap+bredr://hci0?psm=0"]) { kiosk in
        let endpoint = try kiosk.endpoint()
        #expect(endpoint.hasPrefix("l2cap+bredr://\(Lab.addresses[0])?psm=0x1"), "the real PSM, and not 0")
        for reason in ["admitted", "already_admitted"] {
          let visit = try await ChildProcess.visit(event, ada, at: "\(endpoint)&device=hci1")
          #expect(visit.reason == reason, "\(visit.output)\(visit.errors)")
        }
        try await kiosk.event("session_ended", 2)
        #expect(kiosk.events("checked_in").count == 1)
      }
    }
  }
}
