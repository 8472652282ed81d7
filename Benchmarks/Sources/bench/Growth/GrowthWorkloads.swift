internal import CPeers
internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import InMemoryTransport
internal import OpenSSLCryptography
internal import SQLiteLedger
internal import Scene
internal import SocketIO
internal import TCPTransport

extension Workload {
  /// The same thing done beside more and more of something; the count says how much of it there is.
  static let growth = [
    Workload("growth-round-trip") { count in
      let (listener, _) = try await Line.listen()
      let others = try Child.start(["serve", "idle", "\(listener.endpoint.port)", "\(count)"])
      let held = try await accept(count, from: listener)
      let child = try Child.start(["serve", "round-trip", "\(listener.endpoint.port)", "1"])
      let channel = MessageChannel(try await listener.accept())
      let each = try await Line.onLoop(of: channel) { try await Line.roundTrips(5_000, over: channel) }
      withExtendedLifetime(held) {}
      withExtendedLifetime(others) {}
      withExtendedLifetime(child) {}
      return each
    },
    Workload("growth-check-in", on: .two) { count in
      let transports = try TransportRegistry([TCPTransport(loops: EventLoopGroup(count: 1)), InMemoryTransport()])
      let hall = try await Hall(
        ledger: InMemoryLedger(), over: transports, at: ["memory://lobby", "tcp://127.0.0.1:0"], sessions: count)
      let (early, attendees) = (try hall.attendees(50, named: "early"), try hall.attendees(500, named: "ada"))
      return try await hall.open { places in
        guard let gate = places.first(where: { $0.scheme == "tcp" }),
          let lobby = places.first(where: { $0.scheme == "memory" })
        else { throw BenchmarkError("The kiosk does not listen at both places.") }
        let others = try Child.start(["serve", "idle-greeted", "\(gate.port)", "\(count)"])
        try others.awaitSign()
        try await hall.checkIn(early, atOnce: 3, at: lobby)
        let watch = Stopwatch()
        try await hall.checkIn(attendees, atOnce: 3, at: lobby)
        withExtendedLifetime(others) {}
        return watch.nanoseconds(each: attendees.count)
      }
    },
    Workload("growth-rows", on: .two) { count in
      try await Folder.with { folder in
        let path = folder.path("ledger")
        // The ledger makes its file; the rows come into it from outside, which is quicker.
        await (try SQLiteLedger(path: path)).close()
        // Unsafe: C reads the path during the call.
        _ = try judged(unsafe sqlite_fill(path, count))
        return try await rows(2_000, from: count, atOnce: 64, into: SQLiteLedger(path: path))
      }
    },
    Workload("growth-rows-memory", on: .two) { count in
      let ledger = InMemoryLedger()
      _ = try await rows(count, atOnce: 1, into: ledger, closes: false)
      return try await rows(20_000, from: count, atOnce: 1, into: ledger)
    },
  ]
}
