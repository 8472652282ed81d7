internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import Glibc
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import SocketIO
internal import TestSupport
internal import Testing

/// Where there are Bluetooth controllers for tests: in the lab (Tests/BluetoothLab), which says so.
enum Lab {
  static let addresses = (0..<8).compactMap { ProcessInfo.processInfo.environment["BT\($0)_ADDRESS"] }
  static let isHere = addresses.count >= 3

  /// Runs a kiosk that advertises, for JSON, for the time of `body`; and lets it end in good order, so that its advertisement
  /// does not stay for a while.
  static func kiosk<Value>(
    _ event: TestEvent, at address: String = "l2cap://hci0?psm=0", ledger: String? = nil, _ more: [String] = [],
    body: (ChildProcess) async throws -> Value
  ) async throws -> Value {
    try await ChildProcess.kiosk(event, listen: [address], ledger: ledger, ["--advertise"] + more) { kiosk in
      try await kiosk.event("advertising", 1)
      let value = try await body(kiosk)
      kiosk.signal(SIGTERM)
      _ = try await kiosk.finished()
      return value
    }
  }

  /// Waits, looking again and again, for what comes by itself.
  static func until(_ what: String, _ seconds: Int, _ condition: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while !condition() {
      try #require(ContinuousClock.now < deadline, "waited in vain until \(what)")
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Switches a controller; see Tests/BluetoothLab/controller.c.
  static func controller(_ what: String, _ index: Int) async throws {
    let end = try await ChildProcess.finish("/usr/bin/env", ["controller", what, "\(index)"], atMost: .seconds(30))
    try #require(end.exit == .status(0), "\(end.errors)")
  }
}

/// The check-in over the kernel's own Bluetooth, with virtual controllers: hci0 is the kiosk's, the others are phones'.
/// The kiosks advertise, as otherwise the kernel takes no second phone.
@Suite("Bluetooth lab: a kiosk and an attendee", .serialized, .enabled(if: Lab.isHere))
struct BluetoothLabTests {
  @Test("Ada is in, and when she comes again she is told so", .bounded)
  func checksIn() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await Lab.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        #expect(endpoint.hasPrefix("l2cap://\(Lab.addresses[0])?psm=0x00"), "the real PSM, and not 0")
        let first = try await ChildProcess.visit(event, ada, at: "\(endpoint)&device=hci1")
        #expect(first.exit == .status(0), "\(first.errors)")
        #expect(first.reason == "admitted")
        let second = try await ChildProcess.visit(event, ada, at: endpoint)
        #expect(second.exit == .status(1), "\(second.errors)")
        #expect(second.reason == "already_admitted")
        try await kiosk.event("session_ended", 2)
      }
    }
  }

  @Test(
    "a check-in is three round trips on the air from the moment of connection, and no more; two with a PIN that is typed",
    .bounded, arguments: [("mock-biometric", 3, 3), ("pin", 2, 2)])
  func roundTrips(authenticator: String, roundTrips: Int, phoneMessages: Int) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let recording = folder.path("recording")
      try await Lab.kiosk(event) { kiosk in
        let url = "\(try kiosk.endpoint())&device=hci1"
        func trace() -> RadioTrace {
          RadioTrace(Array((try? Data(contentsOf: URL(filePath: recording))) ?? Data()), controller: 1)
        }
        try await ChildProcess.run("/usr/bin/env", ["btmon", "-w", recording]) { _ in
          try await Lab.until("btmon records", 10) { trace().hasBegun }
          try await ChildProcess.attendee(event, ada, at: url, ["--authenticator", authenticator]) { phone in
            if authenticator == "pin" { kiosk.type(try await phone.pinOnScreen() + "\n") }
            let end = try await phone.finished()
            #expect(end.reason == "admitted", "\(end.errors)")
          }
          // The kernel ends a link that has no channel after two seconds.
          try await Lab.until("the link ends", 20) { trace().hasEnded }
          let trace = trace()
          // Hello, PIN, on the screen, result, goodbye; and the request, the confirmation, goodbye.
          #expect(trace.messages.count { $0.side == .kiosk } == 5, "\(trace)")
          #expect(trace.messages.count { $0.side == .phone } == phoneMessages, "\(trace)")
          #expect(trace.opening.map(\.side) == [.phone, .kiosk], "\(trace)")
          #expect(trace.roundTrips == roundTrips, "\(trace)")
          // The hello and the request are two packets each.
          #expect(trace.packets == [.phone: phoneMessages + 2, .kiosk: 7], "\(trace)")
        }
      }
    }
  }

  @Test("a phone discovers the kiosk and checks in, and so does the next", .bounded)
  func discovers() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let phones = [(1, try event.ticket()), (2, try event.ticket("Grace Hopper", id: "grace"))]
      try await Lab.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        for (index, ticket) in phones {
          let visit = try await ChildProcess.finish(
            "attendee",
            [
              "--discover", "--discover-at", "l2cap://hci\(index)", "--ticket", ticket, "--issuer", event.issuerFile,
              "--insecure-plaintext", "--json",
            ], atMost: .seconds(60))
          #expect(visit.exit == .status(0), "\(visit.errors)\(visit.output)")
          #expect(visit.reason == "admitted")
          let chosen = try #require(visit.events("kiosk_chosen").first)
          #expect(chosen["endpoint"]?.hasPrefix(endpoint) == true, "\(chosen)")
          #expect(chosen["name"] != nil)
        }
        try await kiosk.event("checked_in", 2)
        #expect(kiosk.events("checked_in").map { $0["name"] } == ["Ada Lovelace", "Grace Hopper"])
      }
    }
  }

  @Test("two phones are at one kiosk at the same time, each with a PIN of its own", .bounded)
  func twoPhones() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await Lab.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        let end = try await ChildProcess.attendee(
          event, ada, at: "\(endpoint)&device=hci1", ["--authenticator", "pin"]
        ) { phone in
          let pin = try await phone.pinOnScreen()
          let other = try await ChildProcess.visit(event, grace, at: "\(endpoint)&device=hci2")
          #expect(other.exit == .status(0), "\(other.errors)")
          #expect(other.reason == "admitted")
          kiosk.type(pin + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0), "\(end.errors)")
        #expect(end.reason == "admitted")
        try await kiosk.event("checked_in", 2)
        #expect(kiosk.events("checked_in").map { $0["name"] } == ["Grace Hopper", "Ada Lovelace"])
      }
    }
  }

  @Test("the kiosk is killed in the middle of a session and started again at its PSM", .bounded)
  func killed() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let ledger = folder.path("ledger")
      let phoneEnd = try await Lab.kiosk(event, at: "l2cap://hci0?psm=0x00a5", ledger: ledger) { kiosk in
        let endpoint = try kiosk.endpoint()
        return try await ChildProcess.attendee(event, ada, at: endpoint, ["--authenticator", "pin"]) { phone in
          _ = try await phone.pinOnScreen()
          kiosk.signal(SIGKILL)
          return try await phone.finished()
        }
      }
      #expect(phoneEnd.exit != .status(0), "nobody was told that she is in")
      #expect(phoneEnd.reason == nil)
      try await Lab.kiosk(event, at: "l2cap://hci0?psm=0x00a5", ledger: ledger) { kiosk in
        let visit = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(visit.exit == .status(0), "\(visit.errors)")
        #expect(visit.reason == "admitted")
      }
    }
  }

  @Test(
    "the kiosk's controller is switched off in the middle of a session and on again: the phone comes back", .bounded)
  func switchedOff() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await Lab.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        let end = try await ChildProcess.attendee(
          event, ada, at: "\(endpoint)&device=hci1", ["--authenticator", "pin"]
        ) { phone in
          _ = try await phone.pinOnScreen()
          try await Lab.controller("off", 0)
          // Both know as soon as their kernels do, long before any bound of time.
          try await kiosk.event("session_ended", 1, atMost: .seconds(5))
          try await phone.event("no_answer", 1, atMost: .seconds(5)) { $0["reason"] == "peer_lost" }
          try await Lab.controller("on", 0)
          // By itself, at the same kiosk, whose listener has stayed; with another PIN.
          try await phone.event("notice", 2) { $0["notice"] == "on_screen" }
          kiosk.type(try #require(try await phone.event("pin", 2)["pin"]) + "\n")
          return try await phone.finished()
        }
        #expect(end.exit == .status(0), "\(end.errors)")
        #expect(end.reason == "admitted")
      }
    }
  }

  @Test(
    "with its own controller off a phone says so at once; without Bluetooth in reach of the PSM it is refused", .bounded
  )
  func nobodyThere() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let url = "l2cap://\(Lab.addresses[0])?psm=0x00f7&device=hci1"
      try await Lab.controller("advertise", 0)
      let refused = try await ChildProcess.visit(event, ada, at: url)
      #expect(refused.exit != .status(0))
      #expect("\(refused.errors)\(refused.output)".contains("nobody listens"))
      try await Lab.controller("off", 1)
      let off = try await ChildProcess.visit(event, ada, at: url)
      try await Lab.controller("on", 1)
      #expect(off.exit != .status(0))
      #expect("\(off.errors)\(off.output)".contains("switched on"))
    }
  }

  @Test("without CAP_NET_ADMIN, and without bluetoothd, phone and kiosk say that it is not permitted", .bounded)
  func notPermitted() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ticket = try event.ticket()
      // Root still, so that the files can be read, and without any of its capabilities.
      let without = ["--inh-caps=-all", "--bounding-set=-all"]
      let phone = try await ChildProcess.finish(
        "/usr/bin/setpriv",
        without + [
          try BuiltProgram.path("attendee"), "--discover", "--discover-at", "l2cap://hci1", "--ticket", ticket,
          "--issuer",
          event.issuerFile, "--insecure-plaintext",
        ])
      #expect(phone.exit != .status(0))
      #expect(phone.errors.contains("CAP_NET_ADMIN"), "\(phone.errors)\(phone.output)")
      let arguments = try ChildProcess.kioskArguments(event, listen: ["l2cap://hci0?psm=0"]) + ["--advertise"]
      let kiosk = try await ChildProcess.finish(
        "/usr/bin/setpriv", without + [try BuiltProgram.path("kiosk")] + arguments)
      #expect(kiosk.exit == phone.exit, "\(kiosk.errors)\(kiosk.output)")
      #expect(kiosk.errors.contains("CAP_NET_ADMIN"), "\(kiosk.errors)\(kiosk.output)")
    }
  }

  @Test("a stranger's garbage at the PSM ends that connection alone", .bounded)
  func garbage() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let loops = try EventLoopGroup(count: 1)
      let registry = try ExampleTransports.registry(loops: loops)
      try await Lab.kiosk(event, ["--sessions-per-second", "10000"]) { kiosk in
        let endpoint = try Endpoint(kiosk.endpoint())
        let rubbish: [[UInt8]] = [
          [0], [0, 0, 0, 0], [255, 255, 255, 255, 1, 2, 3], Array("GET / HTTP/1.1\r\n\r\n".utf8), pattern(20_000),
          [0, 0, 0, 4] + pattern(4), [0, 0, 1, 0] + pattern(10),
        ]
        for (number, bytes) in rubbish.enumerated() {
          let connection = try await registry.connect(to: endpoint, before: .now + .seconds(20))
          try? await connection.send(bytes, before: .now + .seconds(10))
          if number % 2 == 0 { connection.abort() } else { await connection.close() }
        }
        let visit = try await ChildProcess.visit(event, ada, at: "\(endpoint)")
        #expect(visit.exit == .status(0), "\(visit.errors)")
        #expect(kiosk.ended == nil)
      }
      await loops.shutdown()
    }
  }

  @Test("a thousand check-ins one after another leave no descriptor open", .timeLimit(.minutes(15)))
  func thousand() async throws {
    let count = Int(ProcessInfo.processInfo.environment["LAB_CHECK_INS"] ?? "") ?? 1000
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let loops = try EventLoopGroup(count: 1)
      let registry = try ExampleTransports.registry(loops: loops)
      try await Lab.kiosk(event, ["--sessions-per-second", "10000"]) { kiosk in
        let endpoint = try Endpoint(kiosk.endpoint())
        let phones = try (0..<count).map { try phone(event, event.ticket("Guest \($0)", id: "guest-\($0)")) }
        var before = 0
        for (number, phone) in phones.enumerated() {
          let outcome = try await Attendee(phone).checkIn(at: endpoint, over: registry)
          guard case .answered(let answer) = outcome, answer.reason == .admitted else {
            Issue.record("guest \(number): \(outcome)")
            return
          }
          // What is made once is made by then.
          if number == 9 { before = openDescriptors(of: kiosk.pid) }
        }
        try await kiosk.event("session_ended", count, atMost: .seconds(20))
        // For a moment after a phone has gone, that with which the kiosk advertises again is open.
        try await Lab.until("the kiosk has no more descriptors than before", 10) {
          openDescriptors(of: kiosk.pid) <= before
        }
        #expect(kiosk.events("checked_in").count == count)
      }
      await loops.shutdown()
    }
  }

  private func openDescriptors(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? -1
  }

  private func phone(_ event: TestEvent, _ path: String) throws -> AttendeeConfiguration {
    let issuer = try IssuerFile.read(event.issuerFile)
    let ticket = try TicketFile.read(path, issuer: issuer)
    let prover = MockBiometricProver(.accept)
    var configuration = AttendeeConfiguration(
      profile: AttendeeProfile(
        token: ticket.token, issuer: issuer.key, event: issuer.event, authenticators: [prover.name]),
      key: ticket.key, authenticators: [prover], cryptography: OpenSSLCryptography())
    configuration.allowsInsecureTransports = true
    return configuration
  }
}
