internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// The commands of Documentation/Deployment.md as they stand there, as root, on a machine whose files change for the time of
/// the test alone: the lab's (Tests/BluetoothLab), which is the one for that.
@Suite(
  "The lab: Deployment.md",
  .enabled(
    if: ProcessInfo.processInfo.environment["BT0_ADDRESS"] != nil
      && ProcessInfo.processInfo.environment["CHECKIN_BLUETOOTH"] != "host"))
struct DeploymentLabTests {
  @Test("from nothing to the first person, as Deployment.md says it", .timeLimit(.minutes(5)))
  func fromNothing() async throws {
    let blocks = try Document("Documentation/Deployment.md").blocks.filter { $0.language == "sh" }
      .map { $0.code.joined(separator: "\n") }
    try #require(blocks.count == 4, "making, setting up, trying, and the first person")
    try await ProcessFolder.with { folder in
      // A user that is not this one cannot go into everything that root has built.
      let programs = "/usr/local/bin"
      for name in ["kiosk", "organizer", "attendee"] {
        try await shell("install -m 755 '\(BuiltProgram.path(name))' \(programs)/", in: folder.path)
      }
      try await shell(blocks[0], in: folder.path)
      // The organizer hands the files out.
      try await shell(
        """
        mkdir kiosk ada
        cp myevent/kiosks/hall-a.* myevent/issuer.pem myevent/revocations.list kiosk/
        cp passwords/hall-a kiosk/hall-a.password
        cp myevent/tickets/ada-lovelace.* myevent/issuer.pem ada/
        cp passwords/ada-lovelace ada/ada-lovelace.password
        """, in: folder.path)
      try await shell(blocks[1], in: folder.path("kiosk"))
      try await ChildProcess.run("/bin/sh", ["-ec", blocks[2]]) { kiosk in
        let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
        #expect(endpoint == "tls+tcp://0.0.0.0:7443")
        let visit = blocks[3].replacing("KIOSK", with: "127.0.0.1")
        try await ChildProcess.run("/bin/sh", ["-ec", "cd '\(folder.path("ada"))'\nexec \(visit)"]) { ada in
          try await ada.event("notice") { $0["notice"] == "on_screen" }
          let pin = try #require(try await ada.event("pin")["pin"])
          kiosk.type(pin + "\n")
          let end = try await ada.finished()
          #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
          #expect(end.events("result").first?["reason"] == "admitted")
        }
        #expect(try await kiosk.event("checked_in")["gate"] == "North")
      }
      // What a stranger on the kiosk's machine could read.
      let rights = try await shell("stat -c '%a %U' /var/lib/checkin /var/lib/checkin/*", in: folder.path)
      let lines = rights.split(separator: "\n")
      #expect(lines.count > 6)
      #expect(lines.first == "700 checkin")
      #expect(lines.dropFirst().allSatisfy { $0 == "600 checkin" }, "\(rights)")
    }
  }

  @discardableResult
  private func shell(_ script: String, in folder: String) async throws -> String {
    let end = try await ChildProcess.finish("/bin/sh", ["-ec", "cd '\(folder)'\n\(script)"])
    try #require(end.exit == .status(0), "\(script)\n\(end.output)\(end.errors)")
    return end.output
  }
}
