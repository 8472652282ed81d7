internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let cancellingChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "C4-receive-cancelled", "A receive whose task is cancelled throws cancelled, and the connection still works."
    ) {
      run in
      let pair = try await run.pair()
      let waiting = await run.begun { try await pair.far.receive(before: nil) }
      waiting.cancel()
      if let result = await run.outcome(of: waiting, "a receive that is cancelled") {
        run.expect(result, fails: [.cancelled], "a receive that is cancelled")
      }
      let result = await run.alreadyCancelled("a receive of a cancelled task") {
        try await pair.far.receive(before: nil)
      }
      if let result { run.expect(result, fails: [.cancelled], "a receive of a cancelled task") }
      try await run.exchange(pair, "after receives that were cancelled")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C4-receive-loses-none", "A receive that is cancelled or times out at any moment has taken nothing."
    ) {
      run in
      let pair = try await run.pair()
      let far = pair.far
      let bytes = pattern(400, seed: 3)
      var queue = ByteQueue()
      for (number, byte) in bytes.enumerated() {
        let kept = queue
        let deadline = number % 4 == 3 ? ContinuousClock.now + .microseconds(number) : run.deadline
        let receiving = Task.immediate { () throws -> ByteQueue in
          var queue = kept
          do {
            _ = try await far.receive(into: &queue, before: deadline)
          } catch let error as TransportError where [.cancelled, .timedOut].contains(error.code) {
            run.expect(queue.count == kept.count, "nothing is added by a receive that throws")
          }
          return queue
        }
        if number % 2 == 0 { await Task.yield() }
        let sending = Task.immediate { try await run.send(pair.near, [byte]) }
        for _ in 0..<number % 3 { await Task.yield() }
        receiving.cancel()
        queue = try await run.value(of: receiving, "a receive that is cancelled")
        try await run.value(of: sending, "a send of one byte")
      }
      while queue.count < bytes.count {
        guard case .bytes = try await run.receive(far, into: &queue) else { break }
      }
      run.expect(queue.take(queue.count), are: bytes, "what came while receives were cancelled")
      try await run.close(pair)
    },
    ConformanceCheck(
      "C4-send-cancelled", "A send that waits and is cancelled throws cancelled, and the connection still works."
    ) {
      run in
      let pair = try await run.pair()
      let (certain, open) = try await run.fill(pair.near)
      let late = pattern(70_000, seed: 77)
      let waiting = await run.begun { try await pair.near.send(late, before: nil) }
      waiting.cancel()
      if let result = await run.outcome(of: waiting, "a send that is cancelled") {
        run.expect(result, fails: [.cancelled], "a send that is cancelled")
      }
      let result = await run.alreadyCancelled("a send of a cancelled task") {
        try await pair.near.send([1], before: nil)
      }
      if let result { run.expect(result, fails: [.cancelled], "a send of a cancelled task") }
      let sending = Task {
        try await run.send(pair.near, [42])
        await pair.near.close()
      }
      let received = try await run.receiveAll(pair.far)
      var possible: [[UInt8]] = [certain]
      for uncertain in [open, late, [1]] { possible += possible.map { $0 + uncertain } }
      possible = possible.map { $0 + [42] }
      run.expect(
        possible.contains(received), "what was sent, all or nothing of what was cancelled, and what came later",
        "\(received.count) bytes, which is none of \(possible.map(\.count)), or other bytes")
      try await run.value(of: sending, "a send after one that was cancelled")
    },
    ConformanceCheck(
      "C4-sends-whole-or-none", "Sends that are cancelled at any moment go out whole or not at all, in order.",
      also: ["C2"], bound: .seconds(40)
    ) { run in
      let pair = try await run.pair()
      let far = run.subject.messages(pair.far, .init(receive: 1 << 20))
      let near = run.subject.messages(pair.near, .init(send: 1 << 20))
      let receiving = Task {
        var numbers: [Int] = []
        while let body = try await far.receive(before: run.after(.seconds(30))) {
          guard let first = body.first else { continue }
          run.expect(body.allSatisfy { $0 == first }, "bodies that are whole", "one is torn")
          numbers.append(Int(first))
          if numbers.count % 8 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        return numbers
      }
      defer { receiving.cancel() }
      var certain: [Int] = []
      for number in 0..<120 {
        let body = [UInt8](repeating: UInt8(number), count: run.volume(70_000))
        let sending = Task.immediate { try await near.send(body, before: run.after(.seconds(30))) }
        if number % 3 == 0 { await Task.yield() }
        if number % 6 != 5 { sending.cancel() }
        guard let result = await run.outcome(of: sending, "a send that is cancelled") else { return }
        if case .success = result {
          certain.append(number)
        } else {
          run.expect(result, fails: [.cancelled], "a send that is cancelled")
        }
      }
      await near.close()
      let numbers = try await run.value(of: receiving, "receiving all that was sent")
      run.expect(
        numbers == numbers.sorted() && Set(numbers).count == numbers.count, "bodies in order, each once", "\(numbers)")
      run.expect(
        Set(certain).isSubset(of: numbers), "every body whose send returned",
        "\(Set(certain).subtracting(numbers)) are missing")
    },
    ConformanceCheck(
      "C12-cancelled-owner", "When the task that owns a connection is cancelled and leaves, the peer is told."
    ) {
      run in
      let listener = try await run.listen()
      let endpoint = listener.endpoint
      let owner = await run.begun { [transport = run.transport] in
        let connection = try await transport.connect(to: endpoint, before: run.deadline)
        try await connection.send([1], before: run.deadline)
        _ = try await connection.receive(before: nil)
      }
      let far = try await run.accept(listener)
      run.expect(try await run.receive(far, exactly: 1), are: [1], "what the owner sent")
      owner.cancel()
      if let result = await run.outcome(of: owner, "an owner that is cancelled") {
        run.expect(result, fails: [.cancelled], "an owner that is cancelled")
      }
      try await run.expectEnd(of: far, "the end of a peer whose owner was cancelled")
    },
  ]
}

extension ConformanceRun {
  /// The peer’s abort or death is noticed by a receive that waits: lost, or a good end where the transport cannot tell.
  func expectEnd(
    of connection: any Connection, _ what: String, file: String = #fileID, line: Int = #line
  ) async throws {
    let what = "receiving, at \(what)"
    guard let result = await outcome(of: what, file: file, line: line, { try await connection.receive(before: nil) })
    else { throw Stop() }
    if case .success(.finished) = result, !has(.tellsAbort) { return }
    expect(result, fails: [.lost], what, file: file, line: line)
  }
}
