internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import SQLiteLedger
internal import SocketIO
internal import Synchronization
internal import TestSupport
internal import Testing

extension Heavy {
  @Suite("A thousand attendees from one list, fifty at a time, over TCP", .serialized)
  struct ThousandTests {
    static let count = 1000

    /// An event with a thousand tickets, made by the organizer program from one CSV file.
    static func withEvent<Value>(_ body: (ProcessFolder) async throws -> Value) async throws -> Value {
      try await ProcessFolder.with { folder in
        try await OrganizerStoryTests.make(in: folder)
        let rows = (0..<count).map { "guest-\($0),\"Guest No. \($0), of many\"\r\n" }
        let people = try folder.write("\u{feff}id,name\r\n" + rows.joined(), to: "people.csv")
        let imported = try await ChildProcess.finish(
          "organizer", ["import", folder.path, people], atMost: .seconds(60))
        try #require(imported.exit == .status(0), "\(imported.errors)")
        return try await body(folder)
      }
    }

    static func kioskArguments(_ folder: ProcessFolder, listen: String = "tcp://127.0.0.1:0") -> [String] {
      [
        "--listen", listen, "--identity", folder.path("kiosks/hall-a.kiosk"), "--issuer", folder.path("issuer.pem"),
        "--ledger", folder.path("ledger"), "--insecure-plaintext", "--json", "--sessions-per-second", "1000",
      ]
    }

    /// Lets fifty at a time of all attendees do something.
    static func fiftyAtATime(_ body: @escaping @Sendable (Int) async throws -> Void) async throws {
      let next = Tally()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            while true {
              let number = next.add()
              guard number < count else { return }
              try await body(number)
            }
          }
        }
        try await group.waitForAll()
      }
    }

    /// Everyone who is in the ledger, each once.
    static func admitted(_ path: String) async throws -> [String] {
      let ledger = try await SQLiteLedger(path: path, checksIntegrity: true)
      let records = try await ledger.records()
      await ledger.close()
      return records.filter { $0.answer.isSuccess }.map(\.entry.attendee)
    }

    @Test("each in a process of its own: all are admitted, each once", .bounded)
    func processes() async throws {
      try await ThousandTests.withEvent { folder in
        try await ChildProcess.run("kiosk", ThousandTests.kioskArguments(folder)) { kiosk in
          let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
          let told = Mutex<[String]>([])
          try await ThousandTests.fiftyAtATime { number in
            let end = try await ChildProcess.finish(
              "attendee",
              [
                "--connect", endpoint, "--ticket", folder.path("tickets/guest-\(number).ticket"), "--issuer",
                folder.path("issuer.pem"), "--insecure-plaintext", "--json",
              ], atMost: .seconds(60))
            #expect(end.exit == .status(0), "guest \(number): \(end.output)\(end.errors)")
            #expect(end.events("result").count == 1)
            told.withLock { $0.append("guest-\(number)") }
          }
          let admitted = try await ThousandTests.admitted(folder.path("ledger"))
          #expect(admitted.count == ThousandTests.count)
          #expect(Set(admitted) == Set(told.withLock { $0 }))
          try await kiosk.event("checked_in", ThousandTests.count)
          #expect(kiosk.events("check_in_failed").isEmpty)
        }
      }
    }

    @Test(
      "R22: the kiosk is killed again and again; no one who was told true is missing, no one is in twice",
      .bounded)
    func killed() async throws {
      try await ThousandTests.withEvent { folder in
        let told = Mutex<[Int: Int]>([:])
        let retried = Tally()
        let kiosk = try KilledKiosk(folder)
        let loops = try EventLoopGroup()
        let registry = try ExampleTransports.registry(loops: loops)
        let isOver = Tally()
        let killing = Task { try await kiosk.killAgainAndAgain { isOver.value > 0 } }
        let endpoint = try Endpoint(kiosk.endpoint)
        try await ThousandTests.fiftyAtATime { number in
          let attendee = try Attendee(configuration(folder, number) { retried.add() })
          while true {
            do throws(CheckInError) {
              let outcome = try await attendee.checkIn(at: endpoint, over: registry)
              guard case .answered(let answer) = outcome else {
                Issue.record("guest \(number): \(outcome)")
                return
              }
              #expect(answer.reason == .admitted, "guest \(number)")
              if answer.isSuccess { told.withLock { $0[number, default: 0] += 1 } }
              return
            } catch {
              // Nobody listens for a moment. Nothing was asked yet, so a new request is the same as the first.
              try #require(error.code == .transport)
              try await Task.sleep(for: .milliseconds(50))
            }
          }
        }
        isOver.add()
        let kills = try await killing.value
        await loops.shutdown()
        #expect(kills >= 4, "the kiosk was killed while they came")
        #expect(retried.value > 0, "somebody's answer was lost")
        let admitted = try await ThousandTests.admitted(folder.path("ledger"))
        #expect(admitted.count == ThousandTests.count)
        #expect(Set(admitted).count == ThousandTests.count)
        let all = told.withLock { $0 }
        #expect(all.count == ThousandTests.count)
        #expect(all.values.allSatisfy { $0 == 1 })
      }
    }

    /// A phone that asks again with the same request until it is answered.
    private func configuration(
      _ folder: ProcessFolder, _ number: Int, whenRetrying: @escaping @Sendable () -> Void
    ) throws -> AttendeeConfiguration {
      let issuer = try IssuerFile.read(folder.path("issuer.pem"))
      let ticket = try TicketFile.read(folder.path("tickets/guest-\(number).ticket"), issuer: issuer)
      let prover = MockBiometricProver(.accept)
      var configuration = AttendeeConfiguration(
        profile: AttendeeProfile(
          token: ticket.token, issuer: issuer.key, event: issuer.event, authenticators: [prover.name]),
        key: ticket.key, authenticators: [prover], cryptography: OpenSSLCryptography())
      configuration.allowsInsecureTransports = true
      configuration.attempts = 12
      configuration.firstRetry = .milliseconds(20)
      configuration.observer = RetryObserver(whenRetrying: whenRetrying)
      return configuration
    }

    private struct RetryObserver: AttendeeObserver {
      let whenRetrying: @Sendable () -> Void

      func observe(_ report: AttendeeReport, at time: WallTime) {
        if case .retrying = report { whenRetrying() }
      }
    }
  }
}

/// A kiosk that is killed and started again, always at the same address and with the same ledger.
struct KilledKiosk: Sendable {
  let endpoint: String
  private let folder: ProcessFolder

  /// Chooses a port that is free now, and that the kiosk keeps over its restarts.
  init(_ folder: ProcessFolder) throws {
    self.folder = folder
    let socket = try LoopbackSocket.listening()
    close(socket.descriptor)
    endpoint = "tcp://127.0.0.1:\(socket.port)"
  }

  /// Runs the kiosk until everyone was told, and kills it after each 150 admissions; answers how often.
  func killAgainAndAgain(until isDone: @escaping @Sendable () -> Bool) async throws -> Int {
    var kills = 0
    while !isDone() {
      try await ChildProcess.run("kiosk", Heavy.ThousandTests.kioskArguments(folder, listen: endpoint)) { kiosk in
        try await kiosk.event("listening")
        while kiosk.events("checked_in").count < 150, !isDone() {
          try await Task.sleep(for: .milliseconds(20))
        }
        if !isDone() { kills += 1 }
        kiosk.signal(SIGKILL)
        _ = try await kiosk.exit()
      }
    }
    return kills
  }
}
