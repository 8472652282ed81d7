internal import ExampleSupport
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// The lab's bluetoothd (Tests/BluetoothLab/daemon). The tests start it and end it; it owns every controller while it runs.
private enum DaemonLab {
  static let isHere =
    ProcessInfo.processInfo.environment["BT2_ADDRESS"] != nil
    && ProcessInfo.processInfo.environment["CHECKIN_BLUETOOTH"] != "host"

  /// `on`, `off` or `restart`.
  static func daemon(_ what: String) async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "BluetoothLab/daemon").path
    // What it leaves running has its descriptors.
    let end = try await ChildProcess.run(
      "/bin/sh", ["-c", "exec \"$0\" \(what) > /dev/null 2> /run/daemon-errors < /dev/null", script]
    ) { try await $0.finished(atMost: .seconds(120)) }
    let errors = (try? String(contentsOfFile: "/run/daemon-errors", encoding: .utf8)) ?? ""
    try #require(end.exit == .status(0), "\(errors)")
  }

  /// Runs it for the time of `body`.
  static func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await daemon("on")
    do {
      let value = try await body()
      try await daemon("off")
      return value
    } catch {
      try? await daemon("off")
      throw error
    }
  }

  /// Waits until bluetoothd publishes the kiosk's GATT service at its controller.
  static func isPublished() async throws {
    let address = ProcessInfo.processInfo.environment["BT0_ADDRESS"] ?? ""
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let show = try await ChildProcess.finish("/usr/bin/env", ["bluetoothctl", "show", address])
      if show.output.contains("05958059-e5b0-411d-901b-73bbd41fc1f6") { return }
      try #require(ContinuousClock.now < deadline, "\(show.output)")
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  /// How a phone's program looks for kiosks.
  enum Way {
    /// By the bluetoothd of its machine.
    case daemon
    /// By the kernel, as on a machine without bluetoothd.
    case kernel

    var environment: [String: String] {
      self == .kernel ? ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"] : [:]
    }
  }

  /// Lets a phone find a kiosk and check in there.
  static func visit(
    _ event: TestEvent, _ ticket: String, by way: Way, controller: Int, seconds: Int = 120
  ) async throws -> FinishedProcess {
    let arguments = [
      "--json", "--discover", "--discover-at", "l2cap://hci\(controller)", "--discover-for", "\(seconds)", "--ticket",
      ticket, "--issuer", event.issuerFile, "--insecure-plaintext",
    ]
    return try await ChildProcess.finish(
      BuiltProgram.path("attendee"), arguments, environment: way.environment, atMost: .seconds(200))
  }
}

/// A kiosk that advertises through the real bluetoothd: hci0 is the kiosk's, the others are phones'.
@Suite("Bluetooth lab: bluetoothd", .serialized, .enabled(if: DaemonLab.isHere))
struct BluetoothDaemonLabTests {
  private func kiosk(
    _ event: TestEvent, _ more: [String] = [], body: (ChildProcess) async throws -> Void
  ) async throws {
    try await ChildProcess.kiosk(event, listen: ["l2cap://hci0?psm=0"], ["--advertise"] + more) { kiosk in
      try await kiosk.event("advertising")
      try await body(kiosk)
    }
  }

  @Test(
    "a kiosk that advertises through it is found through it, and without it, and checks both in",
    .timeLimit(.minutes(10)))
  func found() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await DaemonLab.run {
        try await kiosk(event) { kiosk in
          let first = try await DaemonLab.visit(event, ada, by: .daemon, controller: 1)
          #expect(first.exit == .status(0), "\(first.errors)\(first.output)")
          #expect(first.events("kiosk_found").first?["name"] == "Hall A")
          let second = try await DaemonLab.visit(event, grace, by: .kernel, controller: 2)
          #expect(second.exit == .status(0), "\(second.errors)\(second.output)")
          #expect(second.events("kiosk_found").first?["name"] == "Hall A")
          // And again: the kernel had stopped advertising for each of them.
          let third = try await DaemonLab.visit(event, ada, by: .daemon, controller: 1)
          #expect(third.reason == "already_admitted", "\(third.errors)\(third.output)")
          try await kiosk.event("session_ended", 3)
        }
      }
    }
  }

  @Test("a kiosk that speaks TLS is found through it, and dialled with TLS", .timeLimit(.minutes(10)))
  func foundUnderTLS() async throws {
    let event = try await EventWithContainers()
    try await DaemonLab.run {
      try await ChildProcess.run(
        "kiosk", ["--listen", "tls+l2cap://hci0?psm=0", "--advertise"] + event.kiosk
      ) { kiosk in
        let endpoint = try #require(try await kiosk.event("advertising")["endpoint"])
        let visit = try await ChildProcess.finish(
          "attendee", ["--discover", "--discover-at", "l2cap://hci1", "--discover-for", "120"] + event.ada,
          atMost: .seconds(200))
        #expect(visit.exit == .status(0), "\(visit.output)\(visit.errors)")
        #expect(visit.events("kiosk_chosen").first?["endpoint"]?.hasPrefix(endpoint) == true, "\(visit.output)")
      }
    }
  }

  @Test("bluetoothd is restarted under the kiosk: it is found again, through it", .timeLimit(.minutes(10)))
  func restarted() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await DaemonLab.run {
        try await kiosk(event) { kiosk in
          try await DaemonLab.isPublished()
          try await DaemonLab.daemon("restart")
          try await DaemonLab.isPublished()
          let visit = try await DaemonLab.visit(event, ada, by: .daemon, controller: 1)
          #expect(visit.exit == .status(0), "\(visit.errors)\(visit.output)")
          #expect(kiosk.ended == nil)
        }
      }
    }
  }

  @Test(
    "bluetoothd is stopped under the kiosk: the kernel goes on; it is started: it takes over", .timeLimit(.minutes(10)))
  func stopped() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let (ada, grace) = (try event.ticket(), try event.ticket("Grace Hopper", id: "grace"))
      try await DaemonLab.run {
        try await kiosk(event) { kiosk in
          try await DaemonLab.daemon("off")
          let first = try await DaemonLab.visit(event, ada, by: .daemon, controller: 1)
          #expect(first.exit == .status(0), "\(first.errors)\(first.output)")
          try await DaemonLab.daemon("on")
          try await DaemonLab.isPublished()
          let second = try await DaemonLab.visit(event, grace, by: .daemon, controller: 1)
          #expect(second.exit == .status(0), "\(second.errors)\(second.output)")
          #expect(kiosk.ended == nil)
        }
      }
    }
  }

  @Test("a kiosk that is killed is heard no more: bluetoothd takes its advertisement back", .timeLimit(.minutes(10)))
  func killed() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await DaemonLab.run {
        try await kiosk(event) { kiosk in
          kiosk.signal(SIGKILL)
          try await kiosk.exit()
        }
        let visit = try await DaemonLab.visit(event, ada, by: .kernel, controller: 1, seconds: 10)
        #expect(visit.exit == .status(69), "\(visit.errors)\(visit.output)")
        #expect(visit.events("kiosk_found").isEmpty)
      }
    }
  }

  @Test("an ordinary user with no capability may do it all, by Debian's rules for the bus", .timeLimit(.minutes(10)))
  func ordinaryUser() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let identity = try event.kiosk()
      let nobody = 65_534
      let owned = try await ChildProcess.finish("/usr/bin/env", ["chown", "-R", "\(nobody)", folder.path])
      try #require(owned.exit == .status(0))
      let user = ["--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"]
      try await DaemonLab.run {
        let arguments =
          try ChildProcess.kioskArguments(event, identity: identity, listen: ["l2cap://hci0?psm=0"])
          + ["--json", "--advertise"]
        try await ChildProcess.run("/usr/bin/setpriv", user + [BuiltProgram.path("kiosk")] + arguments) { kiosk in
          try await kiosk.event("advertising")
          let visit = try await ChildProcess.finish(
            "/usr/bin/setpriv",
            user + [
              BuiltProgram.path("attendee"), "--json", "--discover", "--discover-at", "l2cap://hci1", "--ticket", ada,
              "--issuer", event.issuerFile, "--insecure-plaintext",
            ], atMost: .seconds(200))
          #expect(visit.exit == .status(0), "\(visit.errors)\(visit.output)")
        }
      }
    }
  }
}
