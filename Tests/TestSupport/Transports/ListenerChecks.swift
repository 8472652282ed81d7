internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  static let listenerChecks = [
    ContractCheck("L2: connections are accepted in their order, each once, by any number of tasks") { subject in
      let listener = try await subject.listen()
      var dialled: [any Connection] = []
      for _ in 0..<5 { dialled.append(try await subject.dial(listener)) }
      for connection in dialled {
        #expect(try await listener.accept().remote == connection.local)
      }
      let accepted = try await withThrowingTaskGroup(of: Endpoint.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let connection = try await listener.accept()
            try await connection.send([7])
            await connection.close()
            return connection.remote
          }
        }
        var diallers: [any Connection] = []
        for _ in 0..<20 { diallers.append(try await subject.dial(listener)) }
        for connection in diallers { #expect(try await connection.receiveAll() == [7]) }
        return try await group.reduce(into: [Endpoint]()) { $0.append($1) }
      }
      #expect(Set(accepted).count == 20)
      await listener.close()
    },
    ContractCheck("L3: close ends waiting and later accepts, may be called often, and frees the address") { subject in
      let listener = try await subject.listen()
      let waiting = (0..<4).map { _ in Task { try await listener.accept() } }
      try await Task.sleep(for: .soon)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { await listener.close() } }
      }
      for task in waiting {
        let result = await task.result
        await expectError(.closed) { try result.get() }
      }
      await listener.close()
      await expectError(.closed) { try await listener.accept() }
      let next = try await subject.transport.listen(on: listener.endpoint)
      // The old handle has nothing to do with the new listener.
      await listener.close()
      await subject.pairExchanges(at: next)
      await next.close()
    },
    ContractCheck("L3: a listener that is dropped without close frees its address") { subject in
      var listener: (any Listener)? = try await subject.listen()
      let endpoint = try #require(listener).endpoint
      listener = nil
      let next = try await subject.transport.listen(on: endpoint)
      await subject.pairExchanges(at: next)
      await next.close()
    },
    ContractCheck("L4: accepted connections outlive the listener, and queued ones are ended") { subject in
      let listener = try await subject.listen()
      let pair = try await subject.pair(at: listener)
      let queued = try await subject.dial(listener)
      await listener.close()
      do {
        let reception = try await queued.receiveOnce()
        #expect(reception == .finished)
      } catch let error as TransportError {
        #expect(error.code == .lost, "\(error)")
      }
      try await pair.near.send([1])
      #expect(try await pair.far.receive(exactly: 1) == [1])
      await pair.close()
      await queued.close()
    },
    ContractCheck("L5: cancelled accepts lose no connection and disturb no other") { subject in
      let listener = try await subject.listen()
      let result = await cancelled { try await listener.accept() }
      await expectError(.cancelled) { try result.get() }
      for round in 0..<50 {
        let accepting = Task { try await listener.accept() }
        let steadfast = Task { try await listener.accept() }
        async let dialling = subject.dial(listener)
        if round % 3 == 0 { await Task.yield() }
        accepting.cancel()
        var far = try? await accepting.value
        let near = try await dialling
        if far == nil {
          far = try await steadfast.value
        } else {
          let second = try await subject.dial(listener)
          #expect(try await steadfast.value.remote == second.local)
        }
        #expect(far?.remote == near.local)
      }
      await listener.close()
    },
    ContractCheck("L7: peers that say nothing, or die at once, delay no other") { subject in
      let listener = try await subject.listen()
      var silent: [any Connection] = []
      for _ in 0..<10 {
        silent.append(try await subject.dial(listener))
        try await subject.dial(listener).abort()
      }
      let last = try await subject.dial(listener)
      try await last.send([9])
      for _ in 0..<32 {
        let accepted = try await listener.accept()
        guard accepted.remote == last.local else { continue }
        #expect(try await accepted.receive(exactly: 1) == [9])
        break
      }
      for connection in silent { connection.abort() }
      await last.close()
      await listener.close()
    },
  ]
}
