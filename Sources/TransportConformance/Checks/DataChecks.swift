internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let dataChecks: [ConformanceCheck] = [
    ConformanceCheck("C1-exchange", "A byte goes there and a byte comes back.") { run in
      let pair = try await run.pair()
      try await run.send(pair.near, [7])
      run.expect(try await run.receive(pair.far, exactly: 1), are: [7], "there")
      try await run.send(pair.far, [8])
      run.expect(try await run.receive(pair.near, exactly: 1), are: [8], "back")
      try await run.close(pair)
    },
    ConformanceCheck("C1-rounds", "A thousand strict rounds bring back what was sent.", bound: .seconds(40)) { run in
      let pair = try await run.pair()
      let echo = Task {
        for _ in 0..<1000 { try await run.send(pair.far, try await run.receive(pair.far, exactly: 64)) }
      }
      defer { echo.cancel() }
      for round in 0..<1000 {
        let bytes = pattern(64, seed: round)
        try await run.send(pair.near, bytes)
        run.expect(try await run.receive(pair.near, exactly: 64), are: bytes, "round \(round)")
        guard run.failures.isEmpty else { return }
      }
      try await run.value(of: echo, "the thousandth answer")
      try await run.close(pair)
    },
    ConformanceCheck("C1-sizes", "Bytes arrive as they were sent, whatever the size of the send.", bound: .seconds(30))
    { run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        for (seed, size) in sizes(packet: run.subject.packetSize, most: run.volume(1 << 20)).enumerated() {
          let bytes = pattern(size, seed: seed)
          let sending = Task { try await run.send(ours, bytes) }
          run.expect(try await run.receive(theirs, exactly: size), are: bytes, "a send of \(size) bytes")
          guard run.failures.isEmpty else { return }
          try await run.value(of: sending, "a send of \(size) bytes")
        }
        try await run.close(pair)
      }
    },
    ConformanceCheck(
      "C1-large-both-ways", "Eight MiB go each way at once, unchanged.", also: ["C5"], bound: .seconds(60)
    ) { run in
      let pair = try await run.pair()
      let there = pattern(run.volume(8 << 20), seed: 1)
      let back = pattern(there.count, seed: 2)
      let deadline = run.after(.seconds(50))
      let sending = [
        Task { try await pair.near.send(there, before: deadline) },
        Task { try await pair.far.send(back, before: deadline) },
      ]
      let near = Task { try await run.receive(pair.near, exactly: back.count) }
      run.expect(try await run.receive(pair.far, exactly: there.count), are: there, "\(there.count) bytes there")
      run.expect(
        try await run.value(of: near, "\(back.count) bytes back", within: .seconds(50)), are: back,
        "\(back.count) bytes back")
      for task in sending { try await run.value(of: task, "a send of \(there.count) bytes") }
      try await run.close(pair)
    },
    ConformanceCheck("C1-byte-by-byte", "Bytes arrive as they were sent, one at a time.", bound: .seconds(30)) { run in
      let pair = try await run.pair()
      let bytes = pattern(3_000, seed: 5)
      let sending = Task {
        for byte in bytes { try await run.send(pair.near, [byte]) }
      }
      run.expect(try await run.receive(pair.far, exactly: bytes.count), are: bytes, "single bytes")
      try await run.value(of: sending, "3,000 sends of one byte")
      try await run.close(pair)
    },
    ConformanceCheck("C1-many-unread", "Many sends before the peer reads arrive in order.") { run in
      let pair = try await run.pair()
      let parts = (0..<300).map { pattern(1 + $0 % 13, seed: $0) }
      // As many as the transport takes; the rest follow while the peer reads.
      let sending = await run.begun { for part in parts { try await run.send(pair.near, part) } }
      let sent = parts.flatMap { $0 }
      run.expect(try await run.receive(pair.far, exactly: sent.count), are: sent, "300 sends, unread")
      try await run.value(of: sending, "300 sends")
      try await run.close(pair)
    },
    ConformanceCheck("C1-before-accept", "What was sent before the connection was accepted arrives in order.") { run in
      let listener = try await run.listen()
      let near = try await run.dial(listener)
      let bytes = pattern(100, seed: 3)
      let sending = await run.begun { for byte in bytes { try await run.send(near, [byte]) } }
      let far = try await run.accept(listener)
      run.expect(try await run.receive(far, exactly: 100), are: bytes, "what was sent before accept")
      try await run.value(of: sending, "100 sends")
    },
    ConformanceCheck("C14-empty-send", "A send of no bytes does nothing.") { run in
      let pair = try await run.pair()
      for connection in [pair.near, pair.far] { try await run.send(connection, []) }
      try await run.exchange(pair, "after a send of no bytes")
      try await run.send(pair.near, [])
      await run.expectError(.timedOut, from: "receiving after a send of no bytes") {
        try await pair.far.receive(before: run.after(.milliseconds(20)))
      }
      try await run.close(pair)
    },
    ConformanceCheck(
      "C16-at-once", "What is sent at once is sent whole or not at all, and in order.", bound: .seconds(30)
    ) { run in
      let pair = try await run.pair()
      let bodies = (0..<run.volume(4_000)).map { pattern(1 + $0 * 977 % 5_000, seed: $0) }
      let frames = try bodies.map { try Frame.encode($0) }
      // On the connection's own loop, if it has one: there a transport may keep what it has taken for a while.
      let sending = Task(executorPreference: pair.near.executor) {
        for (body, frame) in zip(bodies, frames) {
          if try pair.near.sendAtOnce(body, behind: Frame.prefix(of: body)) { continue }
          if try pair.near.sendAtOnce(frame, behind: nil) { continue }
          try await run.send(pair.near, frame)
        }
      }
      defer { sending.cancel() }
      let sent = frames.flatMap { $0 }
      run.expect(try await run.receive(pair.far, exactly: sent.count), are: sent, "\(frames.count) sends")
      try await run.value(of: sending, "\(frames.count) sends")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C1-copies", "An array may be changed after its send has returned, or was cancelled.", also: ["C4"]
    ) {
      run in
      let pair = try await run.pair()
      let sending = await run.begun {
        var bytes = [UInt8](repeating: 1, count: 5_000)
        try await run.send(pair.near, bytes)
        for index in bytes.indices { bytes[index] = 2 }
        try await run.send(pair.near, bytes)
        for index in bytes.indices { bytes[index] = 3 }
      }
      defer { sending.cancel() }
      let sent = [UInt8](repeating: 1, count: 5_000) + [UInt8](repeating: 2, count: 5_000)
      run.expect(
        try await run.receive(pair.far, exactly: 10_000), are: sent, "arrays that were changed after they were sent")
      // The bytes may be here before the call that sent them has returned.
      try await run.value(of: sending, "two sends")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C2-many-senders", "The bytes of one send stay together when many tasks send.", bound: .seconds(30)
    ) {
      run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init(send: 1 << 20, receive: 1 << 20))
      let far = run.subject.messages(pair.far, .init(send: 1 << 20, receive: 1 << 20))
      let sending = Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for sender in 0..<8 {
            group.addTask {
              for round in 0..<20 {
                let size = 1 + (sender * 7_919 + round * 104_729) % run.volume(90_000)
                try await near.send([UInt8](repeating: UInt8(sender), count: size), before: run.deadline)
              }
            }
          }
          try await group.waitForAll()
        }
      }
      var counts: [UInt8: Int] = [:]
      for _ in 0..<160 {
        let body = try await far.receive(before: run.deadline)
        guard let body, let first = body.first else { break }
        try run.require(body.allSatisfy { $0 == first }, "a body from one sender alone", "two are mixed")
        counts[first, default: 0] += 1
      }
      run.expect(
        counts.count == 8 && counts.values.allSatisfy { $0 == 20 }, "20 bodies of each of 8 senders", "\(counts)")
      try await run.value(of: sending, "the sends of eight tasks")
      try await run.close(pair)
    },
  ]

  private static func sizes(packet: Int?, most: Int) -> [Int] {
    // Around what travels in one packet over Ethernet, over Bluetooth, and in one buffer.
    let usual = [1, 2, 3, 1_447, 1_448, 1_449, 4_096, 65_535, 65_536, 65_537, most]
    let own = packet.map { size in [size - 1, size, size + 1, 2 * size, 2 * size + 1] } ?? []
    return usual + own.filter { $0 > 0 }
  }
}
