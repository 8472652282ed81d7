internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let acceptChecks: [ConformanceCheck] = [
    ConformanceCheck("L2-order", "Connections are accepted in the order in which they came.") { run in
      let listener = try await run.listen()
      var dialled: [any Connection] = []
      for _ in 0..<5 { dialled.append(try await run.dial(listener)) }
      for (number, connection) in dialled.enumerated() {
        let accepted = try await run.accept(listener)
        run.expect(
          accepted.remote == connection.local, "connection \(number) is accepted as number \(number)",
          "that of \(accepted.remote) was")
      }
    },
    ConformanceCheck("L2-two-dials", "Two dials give two connections, each with its own bytes.") { run in
      let listener = try await run.listen()
      let first = try await run.pair(at: listener)
      let second = try await run.pair(at: listener)
      run.expect(first.near !== second.near && first.far !== second.far, "two connections", "they are one")
      try await run.send(first.near, [1])
      try await run.send(second.near, [2])
      run.expect(try await run.receive(second.far, exactly: 1), are: [2], "the second connection")
      run.expect(try await run.receive(first.far, exactly: 1), are: [1], "the first connection")
    },
    ConformanceCheck("L2-many-accept", "Many tasks may wait in accept; each connection is returned once.") { run in
      let listener = try await run.listen()
      var accepting: [Task<any Connection, any Error>] = []
      for _ in 0..<20 { accepting.append(await run.begun { try await listener.accept() }) }
      var dialled: [any Connection] = []
      for _ in 0..<20 { dialled.append(try await run.dial(listener)) }
      var accepted: [any Connection] = []
      for task in accepting {
        let connection = try await run.value(of: task, "an accept, one for each dial")
        run.keep(connection)
        accepted.append(connection)
      }
      run.expect(Set(accepted.map(\.remote)).count == 20, "twenty connections, each once")
      run.expect(Set(accepted.map(\.remote)) == Set(dialled.map(\.local)), "the twenty that were dialled")
      for (number, connection) in dialled.enumerated() {
        let far = accepted.first { $0.remote == connection.local }
        guard let far else { continue }
        try await run.exchange(Pair(near: connection, far: far, listener: listener), "of connection \(number)")
      }
    },
    ConformanceCheck(
      "L5-cancelled", "An accept whose task is cancelled throws cancelled, also when it was cancelled before."
    ) {
      run in
      let listener = try await run.listen()
      let waiting = await run.begun { try await listener.accept() }
      waiting.cancel()
      if let result = await run.outcome(of: waiting, "an accept that is cancelled") {
        run.expect(result, fails: [.cancelled], "an accept that is cancelled")
      }
      if let result = await run.alreadyCancelled("an accept of a cancelled task", { try await listener.accept() }) {
        run.expect(result, fails: [.cancelled], "an accept of a cancelled task")
      }
      try await run.exchange(at: listener, "after cancelled accepts")
    },
    ConformanceCheck("L5-loses-none", "A cancelled accept loses no connection, whenever it is cancelled.") { run in
      let listener = try await run.listen()
      for round in 0..<60 {
        let accepting = Task.immediate { try await listener.accept() }
        let dialling = Task.immediate { try await run.dial(listener) }
        for _ in 0..<round % 4 { await Task.yield() }
        accepting.cancel()
        let near = try await run.value(of: dialling, "a dial beside a cancelled accept")
        guard let result = await run.outcome(of: accepting, "an accept that is cancelled") else { return }
        switch result {
        case .success(let far):
          run.expect(far.remote == near.local, "the connection that was dialled", "that of \(far.remote)")
        case .failure:
          run.expect(result, fails: [.cancelled], "an accept that is cancelled")
          let far = try await run.accept(listener)
          run.expect(
            far.remote == near.local, "the next accept returns the connection", "it returned that of \(far.remote)")
        }
      }
    },
    ConformanceCheck("L5-others-wait-on", "A cancelled accept does not disturb others that wait.") { run in
      let listener = try await run.listen()
      for isFirst in [true, false] {
        let first = await run.begun { try await listener.accept() }
        let second = await run.begun { try await listener.accept() }
        let (cancelled, steadfast) = isFirst ? (first, second) : (second, first)
        cancelled.cancel()
        _ = await run.outcome(of: cancelled, "an accept that is cancelled")
        let near = try await run.dial(listener)
        let far = try await run.value(of: steadfast, "an accept beside a cancelled one")
        run.expect(far.remote == near.local, "the connection that was dialled", "that of \(far.remote)")
      }
    },
    ConformanceCheck(
      "L6-gone-before-accept", "Connections that are gone before they are accepted do not end the listener."
    ) {
      run in
      let listener = try await run.listen()
      for _ in 0..<20 {
        let gone = try await run.dial(listener)
        gone.abort()
      }
      try await run.drainQueue(of: listener, "dials that were aborted before they were accepted")
      try await run.exchange(at: listener, "after connections that were gone before they were accepted")
    },
    ConformanceCheck(
      "L6-out-of-descriptors",
      "A lack of descriptors does not end the listener: accept goes on when there are some again.",
      needs: [.ownProcess]
    ) { run in
      let listener = try await run.listen()
      let near = try await run.dial(listener)
      let accepting: Task<any Connection, any Error>
      do {
        guard let limit = DescriptorLimit.none() else { return }
        accepting = await run.begun { try await listener.accept() }
        try? await Task.sleep(for: run.scaled(.milliseconds(50)))
        _ = consume limit
      }
      let far = try await run.value(of: accepting, "an accept that had to wait for a descriptor")
      run.keep(far)
      try await run.exchange(Pair(near: near, far: far, listener: listener), "when there are descriptors again")
      try await run.exchange(at: listener, "after a lack of descriptors")
    },
    ConformanceCheck("L7-silent-peers", "Peers that say nothing, or die at once, delay no other.") { run in
      let listener = try await run.listen()
      var silent: [any Connection] = []
      for _ in 0..<8 {
        silent.append(try await run.dial(listener))
        try await run.dial(listener).abort()
      }
      let last = try await run.dial(listener)
      try await run.send(last, [9])
      for _ in 0..<32 {
        let accepted = try await run.accept(listener)
        guard accepted.remote == last.local else { continue }
        let heard = await run.outcome(of: "receiving from the peer that does say something") { () -> [UInt8] in
          var bytes = ByteQueue()
          _ = try await accepted.receive(into: &bytes, before: nil)
          return bytes.take(bytes.count)
        }
        guard let heard else { return }
        // One that died may have had the same address, and has said nothing.
        guard case .success(let bytes) = heard, !bytes.isEmpty else { continue }
        run.expect(bytes, are: [9], "the peer that does say something")
        return
      }
      run.record(expected: "the peer that does say something is accepted", happened: "it was not among 32")
    },
    ConformanceCheck(
      "L8-queue-goes-on",
      "A dial that finds the queue full goes on when there is room, and those that wait are in order.",
      also: ["L2"], needs: [.queueBound], bound: .seconds(30)
    ) { run in
      let queue = try await run.fillQueue()
      let dialling = await run.begun { try await run.dial(queue.listener) }
      for (number, connection) in queue.queued.enumerated() {
        let accepted = try await run.accept(queue.listener)
        if accepted.remote == connection.local { continue }
        run.record(
          expected: "connection \(number) of the queue is accepted next", happened: "that of \(accepted.remote) was")
        return
      }
      let near = try await run.value(of: dialling, "a dial that had to wait for room in the queue")
      // The attempts that timed out while the queue was full may have got as far as the queue.
      for _ in 0..<4 {
        let far = try await run.accept(queue.listener)
        guard far.remote == near.local else { continue }
        return try await run.exchange(
          Pair(near: near, far: far, listener: queue.listener), "of a connection that had to wait for room")
      }
      run.record(expected: "the dial that waited is accepted", happened: "it was not")
    },
    ConformanceCheck(
      "L9-silent-handshake",
      "A peer that does not finish the handshake delays no other, and is dropped in bounded time.",
      also: ["L7"], needs: [.stranger], bound: .seconds(60)
    ) { run in
      let listener = try await run.listen()
      guard let dialBeneath = run.subject.stranger else { return }
      var strangers: [any Connection] = []
      for _ in 0..<4 {
        let stranger = try await run.value(of: "dialling beneath the handshake") {
          try await dialBeneath(listener.endpoint)
        }
        run.keep(stranger)
        strangers.append(stranger)
      }
      strangers[0].abort()
      try await run.exchange(at: listener, "beside peers that say nothing in the handshake")
      // An accept waits, so that a handshake which is done by accept is done at all.
      let accepting = await run.begun { try await listener.accept() }
      for stranger in strangers.dropFirst() {
        _ = await run.outcome(of: "dropping a peer that says nothing in the handshake", within: .seconds(40)) {
          while case .bytes = try await stranger.receive(before: nil) {}
        }
      }
      accepting.cancel()
    },
  ]
}
