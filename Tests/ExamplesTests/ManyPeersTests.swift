internal import Glibc
internal import TestSupport
internal import Testing

extension Heavy {
  @Suite("A kiosk with many peers that say nothing", .serialized)
  struct ManyPeersTests {
    @Test("R19: a thousand of them keep nobody out where there is room for them", .bounded)
    func roomForAll() async throws {
      try await ProcessFolder.with { folder in
        let event = try TestEvent(in: folder)
        let ada = try event.ticket()
        let generous = ["--open-sessions", "8000", "--sessions-per-second", "10000"]
        try await ChildProcess.kiosk(event, generous) { kiosk in
          let endpoint = try kiosk.endpoint()
          let silent = try await aside { try SilentPeers(1000, at: endpoint, from: "127.0.0.2") }
          let visit = try await ChildProcess.visit(event, ada, at: endpoint)
          #expect(visit.exit == .status(0))
          // None of them may stay longer than the wait for an initial request.
          try await kiosk.event("session_ended", 1000, atMost: .seconds(20)) { $0["how"] == "timed_out" }
          silent.close()
        }
      }
    }

    @Test("R19: a thousand of one address use up that address's share, and the others are served", .bounded)
    func fewPlaces() async throws {
      try await ProcessFolder.with { folder in
        let event = try TestEvent(in: folder)
        let ada = try event.ticket()
        try await ChildProcess.kiosk(event) { kiosk in
          let endpoint = try kiosk.endpoint()
          let silent = try await aside { try SilentPeers(1000, at: endpoint, from: "127.0.0.2") }
          try await kiosk.event("connection_refused") { $0["reason"] == "too_many_half_open" }
          let visit = try await ChildProcess.visit(event, ada, at: endpoint)
          #expect(visit.exit == .status(0))
          #expect(visit.events("retrying").isEmpty)
          let refused = kiosk.events("connection_refused")
          #expect(refused.allSatisfy { $0["peer"]?.hasPrefix("tcp://127.0.0.2:") == true })
          // Nobody can fill the log either.
          #expect(refused.count < 200)
          silent.close()
        }
      }
    }

    @Test("R19: addresses that say nothing, and fill every place, keep nobody out", .bounded)
    func everyPlace() async throws {
      try await ProcessFolder.with { folder in
        let event = try TestEvent(in: folder)
        let ada = try event.ticket()
        try await ChildProcess.kiosk(event) { kiosk in
          let endpoint = try kiosk.endpoint()
          let silent = try await aside {
            try ["127.0.0.2", "127.0.0.3", "127.0.0.4"].map { try SilentPeers(40, at: endpoint, from: $0) }
          }
          try await kiosk.event("session_ended", 120 - 64) { $0["how"] == "displaced" }
          let visit = try await ChildProcess.visit(event, ada, at: endpoint)
          #expect(visit.exit == .status(0))
          #expect(visit.events("retrying").isEmpty)
          #expect(kiosk.events("connection_refused").isEmpty)
          for peers in silent { peers.close() }
        }
      }
    }

    @Test("Without descriptors the kiosk waits and goes on, as soon as there are some", .bounded)
    func noDescriptors() async throws {
      try await ProcessFolder.with { folder in
        let event = try TestEvent(in: folder)
        let ada = try event.ticket()
        let program = try BuiltProgram.path("kiosk")
        let arguments = try ChildProcess.kioskArguments(event, ledger: folder.path("ledger")) + ["--json"]
        try await ChildProcess.run("/usr/bin/prlimit", ["--nofile=64:64", program] + arguments) { kiosk in
          let endpoint = try await kiosk.event("listening")["endpoint"] ?? ""
          let silent = try await aside { try SilentPeers(100, at: endpoint) }
          // Those that found no descriptor left wait in the system's queue until the first have gone.
          try await kiosk.event("session_ended", 10, atMost: .seconds(20))
          silent.close()
          let visit = try await ChildProcess.visit(event, ada, at: endpoint)
          #expect(visit.exit == .status(0))
        }
      }
    }
  }
}

/// Connections on which nothing is ever sent.
struct SilentPeers: Sendable {
  private let descriptors: [Int32]

  init(_ count: Int, at endpoint: String, from source: String? = nil) throws {
    descriptors = try (0..<count).map { _ in try LoopbackSocket.connected(to: endpoint, from: source) }
  }

  func close() {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}
