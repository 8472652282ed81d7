internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let framingChecks: [ConformanceCheck] = [
    ConformanceCheck("M2-at-limit", "A body exactly at the limit passes, whatever the limit.") { run in
      for limit in [1, 2, 100, 65_536, 100_000] {
        let pair = try await run.pair()
        let near = run.subject.messages(pair.near, .init(send: limit, receive: limit))
        let far = run.subject.messages(pair.far, .init(send: limit, receive: limit))
        let body = pattern(limit)
        let sending = Task { try await near.send(body, before: run.deadline) }
        run.expect(try await far.receive(before: run.deadline) ?? [], are: body, "a body at the limit of \(limit)")
        try await run.value(of: sending, "a body at the limit")
        try await run.close(pair)
      }
    },
    ConformanceCheck(
      "M2-above-when-sending", "A body one above the limit is not sent: too large, and the channel still works."
    ) {
      run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init(send: 100, receive: 5_000))
      let far = run.subject.messages(pair.far, .init())
      for size in [101, 102, 5_000, 70_000] {
        await run.expectError(.tooLarge, from: "sending \(size) bytes with a limit of 100") {
          try await near.send(pattern(size), before: run.deadline)
        }
      }
      try await near.send([1, 2, 3], before: run.deadline)
      run.expect(
        try await far.receive(before: run.deadline) ?? [], are: [1, 2, 3], "what came after bodies that were not sent")
      try await run.close(pair)
    },
    ConformanceCheck("M2-above-when-receiving", "A body one above the limit is refused by who receives it: too large.")
    { run in
      for limit in [1, 100, 65_536] {
        let pair = try await run.pair()
        let near = run.subject.messages(pair.near, .init(send: limit + 1))
        let far = run.subject.messages(pair.far, .init(receive: limit))
        let sending = Task { try? await near.send(pattern(limit + 1), before: run.deadline) }
        await run.expectError(.tooLarge, from: "receiving \(limit + 1) bytes with a limit of \(limit)") {
          try await far.receive(before: run.deadline)
        }
        far.abort()
        await sending.value
      }
    },
    ConformanceCheck("M2-each-way", "The limits of the two directions are independent.") { run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init(send: 10, receive: 2_000))
      let far = run.subject.messages(pair.far, .init(send: 2_000, receive: 10))
      try await near.send(pattern(10), before: run.deadline)
      run.expect(try await far.receive(before: run.deadline) ?? [], are: pattern(10), "ten bytes there")
      try await far.send(pattern(2_000), before: run.deadline)
      run.expect(try await near.receive(before: run.deadline) ?? [], are: pattern(2_000), "2,000 bytes back")
      await run.expectError(.tooLarge, from: "sending 11 bytes with a limit of 10") {
        try await near.send(pattern(11), before: run.deadline)
      }
      try await run.close(pair)
    },
    ConformanceCheck("M3-empty", "A body of no bytes is neither sent nor received.") { run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init())
      let far = run.subject.messages(pair.far, .init())
      await run.expectError(.malformed, from: "sending a body of no bytes") {
        try await near.send([], before: run.deadline)
      }
      try await near.send([1], before: run.deadline)
      run.expect(
        try await far.receive(before: run.deadline) ?? [], are: [1], "what came after a body that was not sent")
      try await run.send(pair.near, [0, 0, 0, 0])
      for _ in 0..<2 {
        await run.expectError(.malformed, from: "receiving a body of no bytes") {
          try await far.receive(before: run.deadline)
        }
      }
    },
    ConformanceCheck(
      "M4-at-once", "A length above the limit is refused as soon as it is there, and again at each later call."
    ) {
      run in
      let listener = try await run.listen()
      for length: [UInt8] in [[0, 1, 0, 1], [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0], [0xff, 0xff, 0xff, 0xff]] {
        let pair = try await run.pair(at: listener)
        let far = run.subject.messages(pair.far, .init())
        try await run.send(pair.near, length)
        for _ in 0..<2 {
          await run.expectError(.tooLarge, from: "receiving the length \(length), with nothing behind it") {
            try await far.receive(before: run.deadline)
          }
        }
        far.abort()
      }
    },
    ConformanceCheck("M4-no-memory", "A length above the limit is refused before memory is set aside for it.") { run in
      let pair = try await run.pair()
      let far = run.subject.messages(pair.far, .init())
      guard let before = ProcessFigures.memory("VmSize"), let peak = ProcessFigures.memory("VmPeak") else { return }
      try await run.send(pair.near, [0x3f, 0xff, 0xff, 0xff])
      await run.expectError(.tooLarge, from: "receiving the announcement of a GiB") {
        try await far.receive(before: run.deadline)
      }
      let after = ProcessFigures.memory("VmPeak") ?? 0
      run.expect(
        after == peak || after - before < 512 << 20, "no memory for a body that will be refused",
        "the process has had \((after - before) >> 20) MiB more than before")
    },
    ConformanceCheck("M7-wrong-first-bytes", "Wrong first bytes of any value end that connection alone.", also: ["C13"])
    { run in
      let listener = try await run.listen()
      for byte in UInt8.min...UInt8.max {
        let pair = try await run.pair(at: listener)
        let far = run.subject.messages(pair.far, .init())
        try await run.send(pair.near, [byte, 0xff, 0xff, 0xff])
        await run.expectError(.tooLarge, from: "receiving the first bytes \(byte), 255, 255, 255") {
          try await far.receive(before: run.deadline)
        }
        far.abort()
        pair.near.abort()
        guard run.failures.isEmpty else { return }
      }
      try await run.exchange(at: listener, "after 256 peers with wrong first bytes")
    },
  ]
}
