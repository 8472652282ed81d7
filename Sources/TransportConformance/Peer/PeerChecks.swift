internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  /// The checks that take another process, which serves as ``ConformancePeer`` at ``ConformanceSubject/peer``.
  public static let peerChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "C15-peer-hello", "The other process answers, and has the same channel binding.", also: ["L1"], needs: [.peer]
    ) { run in
      for _ in 0..<3 {
        let channel = try await run.command(.hello)
        let answer = try await channel.receive(before: run.deadline)
        let words = String(decoding: answer ?? [], as: UTF8.self).split(separator: " ")
        try run.require(
          words.count == 3 && words[..<2].joined(separator: " ") == PeerCommand.greeting,
          "“\(PeerCommand.greeting)” and a channel binding", "the other process says “\(words.joined(separator: " "))”")
        let ours = channel.connection.channelBinding.map { hexadecimal($0) }
        run.expect(words[2] == ours ?? "-", "the same channel binding in both processes", "they differ")
        run.expect(try await channel.receive(before: run.deadline) == nil, "the end, after the answer")
      }
    },
    ConformanceCheck(
      "C1-peer-rounds", "Five hundred rounds with another process bring back what was sent.", also: ["M1"],
      needs: [.peer]
    ) {
      run in
      let channel = try await run.command(.echo)
      for round in 0..<500 {
        let body = pattern(1 + round * 13, seed: round)
        try await channel.send(body, before: run.deadline)
        run.expect(try await channel.receive(before: run.deadline) ?? [], are: body, "round \(round)")
        guard run.failures.isEmpty else { return }
      }
      await channel.close()
    },
    ConformanceCheck(
      "C1-peer-large", "Sixteen MiB go to another process, and eight come back, unchanged.", also: ["C7"],
      needs: [.peer],
      bound: .seconds(60)
    ) { run in
      let bytes = pattern(16 << 20, seed: 6)
      var checksum = PeerChecksum()
      checksum.add(bytes)
      let taking = try await run.command(.take(bytes.count))
      run.expect(try await taking.receive(before: run.deadline) ?? [], are: Array("take".utf8), "the answer")
      let sending = Task { try await taking.connection.send(bytes, before: run.after(.seconds(50))) }
      let answer = try await taking.receive(before: run.after(.seconds(50)))
      run.expect(
        String(decoding: answer ?? [], as: UTF8.self) == checksum.text, "the checksum \(checksum.text)",
        "the other process has \(String(decoding: answer ?? [], as: UTF8.self))")
      try await run.value(of: sending, "sending 16 MiB")
      var expected = PeerBytes(seed: 5)
      let giving = try await run.command(.give(8 << 20, seed: 5))
      let received = try await run.receiveAll(giving.connection)
      run.expect(received, are: expected.next(8 << 20), "what the other process sent before it closed")
    },
    ConformanceCheck(
      "C13-peer-many", "Thirty connections to another process at once carry each its own bytes.", needs: [.peer]
    ) {
      run in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<30 {
          group.addTask {
            do {
              let channel = try await run.command(.echo)
              for round in 0..<20 {
                let body = pattern(300 + number, seed: number * 50 + round)
                try await channel.send(body, before: run.deadline)
                run.expect(try await channel.receive(before: run.deadline) ?? [], are: body, "connection \(number)")
              }
              await channel.close()
            } catch {
              run.record(thrown: error)
            }
          }
        }
      }
    },
    ConformanceCheck(
      "C9-peer-ends", "The close of another process is a good end, its abort a loss where that is declared.",
      also: ["C8"], needs: [.peer]
    ) {
      run in
      let closed = try await run.command(.close)
      run.expect(try await run.receiveAll(closed.connection), are: [], "nothing before the good end")
      let aborted = try await run.command(.abort)
      try await run.expectEnd(of: aborted.connection, "the abort of another process")
    },
    ConformanceCheck(
      "C13-peer-frozen", "Another process that does not read makes us wait, and delays nothing else.",
      also: ["C3", "C7"], needs: [.peer], bound: .seconds(40)
    ) {
      run in
      let frozen = try await run.command(.wait)
      _ = try await run.fill(frozen.connection)
      let other = try await run.command(.echo)
      try await other.send([1, 2, 3], before: run.deadline)
      run.expect(try await other.receive(before: run.deadline) ?? [], are: [1, 2, 3], "another connection")
      try await run.value(of: "closing over a process that does not read", within: .seconds(12)) {
        await frozen.close()
      }
    },
    ConformanceCheck(
      "L4-peer-relistens",
      "When another process stops to listen, dials are refused, what was accepted lives on, and dials work when it listens again.",
      also: ["T3", "L3", "C13"], needs: [.peer], bound: .seconds(40)
    ) { run in
      let old = try await run.command(.relisten(500))
      run.expect(try await old.receive(before: run.deadline) ?? [], are: Array("relisten".utf8), "the answer")
      var refusals = 0
      let new = try await run.redial { code in
        if code == .refused { refusals += 1 }
        // A dial that came as the listener went was queued, and is ended with it.
        run.expect([.refused, .lost].contains(code), "refused, while nobody listens", "\(code)")
      }
      run.expect(refusals > 0, "at least one dial is refused while nobody listens", "none was")
      for channel in [old, new] {
        try await channel.send([1, 2, 3], before: run.deadline)
        run.expect(
          try await channel.receive(before: run.deadline) ?? [], are: [1, 2, 3], "the old connection and the new one")
        await channel.close()
      }
    },
    ConformanceCheck(
      "C9-peer-killed", "A process that is killed is noticed by a receive that waits; a new one serves at the address.",
      also: ["L3", "T3"], needs: [.peer], bound: .seconds(60)
    ) { run in
      let witness = try await run.command(.wait)
      let waiting = await run.begun { try await witness.connection.receive(before: nil) }
      _ = try await run.command(.die(0, seed: 1))
      guard
        let result = await run.outcome(
          of: waiting, "a receive that waits when the process is killed", within: .seconds(20))
      else { return }
      // The system of a process that is gone may end its connections in good order.
      if case .success(.finished) = result {
      } else {
        run.expect(result, fails: [.lost], "a receive that waits when the process is killed")
      }
      try await run.expectServedAgain()
    },
    ConformanceCheck(
      "M5-peer-killed-in-message", "A process that is killed in the middle of a message is lost, and has not finished.",
      needs: [.peer], bound: .seconds(60)
    ) { run in
      // Of these the first four are a length of which so many bytes do not follow.
      let seed = try run.seedOfLength(above: 100)
      let channel = try await run.command(.die(50, seed: seed))
      await run.expectError(
        .lost, from: "receiving a message of a process that is killed in the middle of it", within: .seconds(20)
      ) {
        try await channel.receive(before: run.after(.seconds(20)))
      }
      try await run.expectServedAgain()
    },
    ConformanceCheck(
      "C10-peer-killed-while-sending", "A send that waits fails, with lost, when the process is killed.",
      needs: [.peer], bound: .seconds(60)
    ) { run in
      let frozen = try await run.command(.wait)
      _ = try await run.fill(frozen.connection)
      let sending = await run.begun { try await frozen.connection.send(pattern(100_000), before: nil) }
      _ = try await run.command(.die(0, seed: 1))
      if let result = await run.outcome(
        of: sending, "a send that waits when the process is killed", within: .seconds(20))
      {
        run.expect(result, fails: [.lost], "a send that waits when the process is killed")
      }
      try await run.expectServedAgain()
    },
  ]
}

extension ConformanceRun {
  /// A new connection to the other process, which is told what to do with it.
  fileprivate func command(
    _ command: PeerCommand, file: String = #fileID, line: Int = #line
  ) async throws -> MessageChannel {
    let name = String(decoding: command.body, as: UTF8.self)
    step("the command “\(name)” to the other process")
    guard let endpoint = subject.peer else { throw Stop() }
    let (transport, deadline) = (transport, deadline)
    return try await value(
      of: "the command “\(name)” to the other process", within: .seconds(10), file: file, line: line
    ) {
      let channel = MessageChannel(try await transport.connect(to: endpoint, before: deadline))
      try await channel.send(command.body, before: deadline)
      return channel
    }
  }

  /// Dials until the other process echoes; `failed` is told each failure.
  fileprivate func redial(_ failed: (TransportError.Code) -> Void) async throws -> MessageChannel {
    step("dialling until the other process serves again")
    guard let endpoint = subject.peer else { throw Stop() }
    let end = after(.seconds(20))
    while true {
      do throws(TransportError) {
        let channel = MessageChannel(try await transport.connect(to: endpoint, before: deadline))
        try await channel.send(PeerCommand.echo.body, before: deadline)
        try await channel.send([9], before: deadline)
        if try await channel.receive(before: deadline) == [9] { return channel }
        failed(.lost)
      } catch {
        failed(error.code)
      }
      try require(.now < end, "the other process serves again", "it does not")
      try? await Task.sleep(for: scaled(.milliseconds(10)))
    }
  }

  fileprivate func expectServedAgain(file: String = #fileID, line: Int = #line) async throws {
    let channel = try await redial { code in
      expect(
        [.refused, .lost, .unreachable].contains(code), "refused or lost, while the process is gone", "\(code)",
        file: file,
        line: line)
    }
    await channel.close()
  }

  /// A seed whose bytes begin with a length above `least` and within the ordinary limit.
  fileprivate func seedOfLength(above least: Int) throws -> UInt64 {
    for seed in stride(from: UInt64(1), to: 10_000_000, by: 2) {
      var bytes = PeerBytes(seed: seed)
      guard bytes.next() == 0, bytes.next() == 0 else { continue }
      if Int(bytes.next()) << 8 | Int(bytes.next()) > least { return seed }
    }
    throw Stop()
  }
}
