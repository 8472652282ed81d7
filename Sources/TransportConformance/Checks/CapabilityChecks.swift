internal import CheckIn

extension ConformanceSuite {
  static let capabilityChecks: [ConformanceCheck] = [
    ConformanceCheck("T7-half-close", "Where half-close is declared it is there.", needs: [.capability(.halfClose)]) {
      run in
      for isNear in [true, false] {
        let pair = try await run.pair()
        let (ours, theirs) = isNear ? (pair.near, pair.far) : (pair.far, pair.near)
        try await run.value(of: "finishing our direction") { try await ours.finish() }
        run.expect(try await run.receiveOnce(theirs) == .finished, "the peer finds the end")
        try await run.send(theirs, [1, 2, 3])
        run.expect(try await run.receive(ours, exactly: 3), are: [1, 2, 3], "what the peer sends after our end")
        try await run.close(pair)
      }
    },
    ConformanceCheck(
      "T7-channel-binding", "Connections have a channel binding if, and only if, that is declared.", also: ["C15"]
    ) { run in
      let listener = try await run.listen()
      let first = try await run.pair(at: listener)
      let second = try await run.pair(at: listener)
      for connection in [first.near, first.far, second.near, second.far] {
        run.expect(
          (connection.channelBinding != nil) == run.has(.channelBinding),
          run.has(.channelBinding) ? "a channel binding, as declared" : "no channel binding, as none is declared",
          "it is \(connection.channelBinding, default: "nil")")
      }
      guard run.has(.channelBinding) else { return }
      for pair in [first, second] {
        run.expect(
          pair.near.channelBinding == pair.far.channelBinding, "the same channel binding at both ends", "they differ")
        run.expect(pair.near.channelBinding?.isEmpty == false, "a channel binding of some bytes", "it is empty")
      }
      run.expect(
        first.near.channelBinding != second.near.channelBinding, "another channel binding for another connection",
        "it is the same")
    },
    ConformanceCheck(
      "T6-free-address", "Listening at zero gets a free address, another one each time, that can be dialled.",
      also: ["L1"], needs: [.capability(.ephemeralAddress)]
    ) { run in
      var listeners: [any Listener] = []
      let asked = run.subject.addresses.zero
      for _ in 0..<4 { listeners.append(try await run.listen(on: asked)) }
      run.expect(
        Set(listeners.map(\.endpoint)).count == 4, "four listeners at four addresses", "\(listeners.map(\.endpoint))")
      for listener in listeners {
        run.expect(listener.endpoint != asked, "the real address, and not the zero that was asked for")
        try await run.exchange(at: listener, "at an address that was given for zero")
      }
    },
    ConformanceCheck(
      "C6-no-half-close", "Where half-close is not declared, finish says so and changes nothing.",
      needs: [.absence(.halfClose)]
    ) { run in
      let pair = try await run.pair()
      for connection in [pair.near, pair.far] {
        await run.expectError(.unsupported, from: "finish on a transport without half-close") {
          try await connection.finish()
        }
      }
      try await run.exchange(pair, "after finish was refused")
      try await run.close(pair)
    },
  ]
}
