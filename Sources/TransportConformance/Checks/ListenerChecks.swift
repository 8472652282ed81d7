internal import CheckIn

extension ConformanceSuite {
  static let listenerChecks: [ConformanceCheck] = [
    ConformanceCheck("T5-in-use", "A second listener at an address is told that it is in use, each time.") { run in
      let listener = try await run.listen()
      for _ in 0..<3 {
        await run.expectError(.addressInUse, from: "listening at \(listener.endpoint) a second time") {
          [transport = run.transport] in try await transport.listen(on: listener.endpoint)
        }
      }
    },
    ConformanceCheck("T5-first-unharmed", "The first listener is unharmed by a second attempt at its address.") { run in
      let listener = try await run.listen()
      let before = try await run.pair(at: listener)
      for _ in 0..<3 {
        if let second = try? await run.transport.listen(on: listener.endpoint) { await second.close() }
      }
      try await run.exchange(before, "on a connection from before the second attempt")
      try await run.exchange(at: listener, "at the first listener, after the second attempt")
    },
    ConformanceCheck("L1-two-listeners", "Two listeners at once have two addresses, and each gets its own connections.")
    {
      run in
      let first = try await run.listen()
      let second = try await run.listen()
      run.expect(first.endpoint != second.endpoint, "two addresses", "both are \(first.endpoint)")
      let toSecond = try await run.pair(at: second)
      let toFirst = try await run.pair(at: first)
      try await run.exchange(toSecond, "with the second listener")
      try await run.exchange(toFirst, "with the first listener")
      await first.close()
      try await run.exchange(at: second, "with the second listener, when the first is closed")
    },
    ConformanceCheck("L3-wakes-accepts", "Closing the listener ends every accept that waits, with closed.") { run in
      let listener = try await run.listen()
      var waiting: [Task<any Connection, any Error>] = []
      for _ in 0..<4 { waiting.append(await run.begun { try await listener.accept() }) }
      try await run.value(of: "closing the listener") { await listener.close() }
      for task in waiting {
        guard let result = await run.outcome(of: task, "an accept that waits when the listener is closed") else {
          continue
        }
        run.expect(result, fails: [.closed], "an accept that waits when the listener is closed")
      }
    },
    ConformanceCheck("L3-later-accepts", "An accept after the listener was closed fails at once, with closed.") { run in
      let listener = try await run.listen()
      try await run.value(of: "closing the listener") { await listener.close() }
      for _ in 0..<3 {
        await run.expectError(.closed, from: "an accept after close") { try await listener.accept() }
      }
    },
    ConformanceCheck("L3-often", "A listener may be closed often, from many tasks, and by a cancelled one.") { run in
      let listener = try await run.listen()
      try await run.value(of: "closing a listener from eight tasks, all cancelled") {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await listener.close() } }
          group.cancelAll()
        }
      }
      try await run.value(of: "closing a closed listener") { await listener.close() }
      await run.expectError(.closed, from: "an accept after close") { try await listener.accept() }
    },
    ConformanceCheck("L3-frees-address", "When close returns the address is free.") { run in
      let endpoint = try await run.listen().endpointAfterClose()
      for _ in 0..<5 {
        let listener = try await run.listen(on: endpoint)
        try await run.exchange(at: listener, "at an address that was freed")
        _ = try await listener.endpointAfterClose()
      }
    },
    ConformanceCheck("L3-old-handle", "A closed listener has nothing to do with a new one at its address.") { run in
      let old = try await run.listen()
      await old.close()
      let new = try await run.listen(on: old.endpoint)
      await old.close()
      await run.expectError(.closed, from: "an accept at the old listener") { try await old.accept() }
      try await run.exchange(at: new, "at the new listener, after the old one was closed again")
    },
    ConformanceCheck("L10-dropped", "A listener that is dropped without close is closed soon.") { run in
      var endpoint = run.subject.addresses.fresh()
      for _ in 0..<3 {
        // Not kept, so the last reference goes here.
        endpoint = try await run.listenWhenFree(at: endpoint).endpoint
      }
      let last = try await run.listenWhenFree(at: endpoint)
      run.keep(last)
      try await run.exchange(at: last, "at an address whose listener was dropped")
    },
    ConformanceCheck("L4-accepted-live-on", "Connections that were accepted live on when the listener is closed.") {
      run in
      let pair = try await run.pair()
      try await run.value(of: "closing the listener") { await pair.listener.close() }
      try await run.exchange(pair, "after the listener was closed")
      try await run.closeEnds(pair)
    },
    ConformanceCheck(
      "L4-queued-end", "Connections that still wait to be accepted are ended when the listener is closed."
    ) {
      run in
      let listener = try await run.listen()
      var queued: [any Connection] = []
      for _ in 0..<3 { queued.append(try await run.dial(listener)) }
      try await run.value(of: "closing the listener") { await listener.close() }
      for connection in queued {
        let what = "receiving on a connection that nobody will accept any more"
        guard let result = await run.outcome(of: what, { try await connection.receive(before: nil) }) else { continue }
        if case .success(.finished) = result { continue }
        run.expect(result, fails: [.lost], what)
      }
    },
  ]
}

extension Listener {
  /// Closes, and answers where it was.
  fileprivate func endpointAfterClose() async throws -> Endpoint {
    await close()
    return endpoint
  }
}

extension ConformanceRun {
  /// Listens where another listener was dropped, once that is closed. The run does not keep it.
  fileprivate func listenWhenFree(at endpoint: Endpoint) async throws -> any Listener {
    let (transport, deadline) = (transport, deadline)
    return try await value(of: "listening at \(endpoint), where a listener was dropped") {
      while true {
        do throws(TransportError) {
          return try await transport.listen(on: endpoint)
        } catch {
          // A wrapper's listener has a task, which lets go of the listener beneath when it runs next.
          guard error.code == .addressInUse, ContinuousClock.now < deadline else { throw error }
        }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
  }
}
