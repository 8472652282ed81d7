internal import Foundation
internal import TestSupport
internal import Testing

@Suite("Files and addresses that are not what they should be", .serialized)
struct FileTroubleTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let status: Int32
    let says: String
    let spoil: @Sendable (_ ticket: String, _ event: TestEvent) throws -> Void

    init(
      _ description: String, status: Int32, says: String,
      spoil: @escaping @Sendable (_ ticket: String, _ event: TestEvent) throws -> Void
    ) {
      testDescription = description
      self.status = status
      self.says = says
      self.spoil = spoil
    }
  }

  static let cases = [
    Case("no file", status: 66, says: "There is no ticket file") { ticket, _ in
      try FileManager.default.removeItem(atPath: ticket)
    },
    Case("a folder", status: 66, says: "is a folder") { ticket, _ in
      try FileManager.default.removeItem(atPath: ticket)
      try FileManager.default.createDirectory(atPath: ticket, withIntermediateDirectories: false)
    },
    Case("an empty file", status: 65, says: "it is empty") { ticket, _ in
      try Data().write(to: URL(filePath: ticket))
    },
    Case("a picture", status: 65, says: "there is no line “-----BEGIN") { ticket, _ in
      try Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: ticket))
    },
    Case("a file without end", status: 65, says: "is larger than") { ticket, _ in
      try Data(repeating: 0x41, count: 2 << 20).write(to: URL(filePath: ticket))
    },
    Case("the issuer's file", status: 65, says: "it is not a ticket file") { ticket, event in
      try Data(contentsOf: URL(filePath: event.issuerFile)).write(to: URL(filePath: ticket))
    },
    Case("a kiosk's identity", status: 65, says: "it is not a ticket file") { ticket, event in
      try Data(contentsOf: URL(filePath: event.kiosk())).write(to: URL(filePath: ticket))
    },
    Case("half a ticket", status: 65, says: "it is cut off") { ticket, _ in
      let text = try String(contentsOfFile: ticket, encoding: .utf8)
      try Data(text.utf8.prefix(text.utf8.count / 3)).write(to: URL(filePath: ticket))
    },
    Case("another's key", status: 65, says: "does not belong to the credential") { ticket, event in
      let other = try String(contentsOfFile: event.ticket("Grace Hopper", id: "grace"), encoding: .utf8)
      let own = try String(contentsOfFile: ticket, encoding: .utf8)
      let marker = "-----BEGIN PRIVATE KEY-----"
      let mixed = own.components(separatedBy: marker)[0] + marker + other.components(separatedBy: marker)[1]
      try Data(mixed.utf8).write(to: URL(filePath: ticket))
    },
  ]

  @Test("A ticket file that is none ends the attendee with words", .bounded, arguments: cases)
  func ticket(_ bad: Case) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ticket = try event.ticket()
      try bad.spoil(ticket, event)
      let end = try await ChildProcess.visit(event, ticket, at: "tcp://127.0.0.1:1")
      #expect(end.exit == .status(bad.status))
      #expect(end.errors.hasPrefix("attendee: "))
      #expect(end.errors.contains("“\(ticket)”"))
      #expect(end.errors.contains(bad.says))
      #expect(end.output == "")
    }
  }

  @Test("A kiosk's identity of another organizer, or a key that does not match, is not used", .bounded)
  func identity() async throws {
    try await ProcessFolder.with { folder in
      try await ProcessFolder.with { elsewhere in
        let (event, other) = (try TestEvent(in: folder), try TestEvent(in: elsewhere))
        let foreign = try await ChildProcess.finish(
          "kiosk", ChildProcess.kioskArguments(event, identity: other.kiosk()) + ["--json"])
        #expect(foreign.exit == .status(65))
        #expect(foreign.errors.hasPrefix("kiosk: "))

        let marker = "-----BEGIN PRIVATE KEY-----"
        let own = try String(contentsOfFile: event.kiosk(), encoding: .utf8).components(separatedBy: marker)[0]
        let key = try String(contentsOfFile: event.kiosk("Hall B", id: "hall-b"), encoding: .utf8)
          .components(separatedBy: marker)[1]
        let mixed = try folder.write(own + marker + key, to: "mixed.kiosk")
        let end = try await ChildProcess.finish(
          "kiosk", ChildProcess.kioskArguments(event, identity: mixed) + ["--json"])
        #expect(end.exit == .status(65))
        #expect(end.errors.contains("does not belong to the credential"))
      }
    }
  }

  @Test("An address that is in use is said to be so", .bounded, arguments: Place.allCases)
  func inUse(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, listen: [place.url(in: folder)]) { kiosk in
        let endpoint = try kiosk.endpoint()
        let second = try await ChildProcess.finish(
          "kiosk", ChildProcess.kioskArguments(event, listen: [endpoint]) + ["--json"])
        #expect(second.exit == .status(69))
        #expect(second.errors.hasPrefix("kiosk: "))
        #expect(second.errors.contains(endpoint))
        #expect(second.errors.contains("in use") || second.errors.contains("listens"))
        #expect(second.output == "")
        let visit = try await ChildProcess.visit(event, ada, at: endpoint)
        #expect(visit.exit == .status(0), "the first goes on")
      }
    }
  }

  @Test("Where nobody listens the attendee says that it cannot be reached", .bounded, arguments: Place.allCases)
  func nobody(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let url = place == .tcp ? "tcp://127.0.0.1:1" : place.url(in: folder)
      let end = try await ChildProcess.visit(event, event.ticket(), at: url)
      #expect(end.exit == .status(69))
      #expect(end.errors.hasPrefix("attendee: "))
      #expect(end.errors.contains(url))
    }
  }

  @Test("A kiosk that may open too few files says how many it needs", .bounded, arguments: [12, 63])
  func fewDescriptors(limit: Int) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let program = try BuiltProgram.path("kiosk")
      let end = try await ChildProcess.finish(
        "/usr/bin/prlimit",
        ["--nofile=\(limit):\(limit)", program] + ChildProcess.kioskArguments(event) + ["--json"])
      #expect(end.exit == .status(69), "\(end.errors)")
      #expect(end.errors.hasPrefix("kiosk: The kiosk needs 64 open files at once, and may have \(limit):"))
    }
  }

  @Test("A socket file that a killed kiosk has left is no hindrance", .bounded)
  func leftSocket() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      let url = Place.unix.url(in: folder)
      try await ChildProcess.kiosk(event, listen: [url]) { $0.signal(SIGKILL) }
      try await ChildProcess.kiosk(event, listen: [url]) { kiosk in
        let visit = try await ChildProcess.visit(event, ada, at: kiosk.endpoint())
        #expect(visit.exit == .status(0))
      }
    }
  }

  @Test("A kiosk whose reader goes away ends with its own status, not of a signal", .bounded)
  func noReader() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let endpoint = try kiosk.endpoint()
        kiosk.hangUp()
        _ = try await ChildProcess.visit(event, ada, at: endpoint)
        let end = try await kiosk.exit()
        #expect(end == .status(74))
      }
    }
  }

  @Test("Programs that were started without a standard output do no harm", .bounded)
  func closedOutput() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let arguments = try ChildProcess.attendeeArguments(event, event.ticket(), at: "tcp://127.0.0.1:1")
      try await ChildProcess.run("attendee", arguments, output: .closed) { attendee in
        let end = try await attendee.exit()
        #expect(end == .status(69) || end == .status(74))
      }
    }
  }
}
