internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  static let closingChecks = [
    ContractCheck("C6: after finish the peer finds the end, again and again, and can go on sending") { subject in
      guard subject.has(.halfClose) else { return }
      let pair = try await subject.pair()
      let request = pattern(200_000, seed: 1)
      let reply = pattern(2 << 20, seed: 2)
      async let asking: Void = {
        try await pair.near.send(request)
        try await pair.near.finish()
      }()
      #expect(try await pair.far.receiveAll() == request)
      try await asking
      for _ in 0..<3 { #expect(try await pair.far.receiveOnce() == .finished) }
      try await pair.near.finish()
      await expectError(.closed) { try await pair.near.send([1]) }
      async let answering: Void = pair.far.send(reply)
      #expect(try await pair.near.receive(exactly: reply.count) == reply)
      try await answering
      await pair.close()
    },
    ContractCheck("C6: what still waits to go out goes before the end") { subject in
      guard subject.has(.halfClose) else { return }
      let pair = try await subject.pair()
      let (certain, open) = try await pair.near.fill()
      try await pair.near.finish()
      let received = try await pair.far.receiveAll()
      #expect(received == certain || received == certain + open)
      await pair.close()
    },
    ContractCheck("C7: the last bytes survive close, also when ours are unread") { subject in
      for round in 0..<30 {
        let pair = try await subject.pair()
        try await pair.far.send(pattern(1000))
        let last = pattern(round * 5_000, seed: round)
        async let sending: Void = {
          try await pair.near.send(last)
          await pair.near.close()
        }()
        #expect(try await pair.far.receiveAll() == last)
        #expect(try await pair.far.receiveOnce() == .finished)
        try await sending
        await pair.close()
      }
    },
    ContractCheck("C7: a peer that still sends finds what was sent to it, and then the end") { subject in
      for _ in 0..<20 {
        let pair = try await subject.pair()
        let noise = Task {
          while true { try await pair.far.send(pattern(2_000)) }
        }
        _ = try await pair.near.receiveOnce()
        try await pair.near.send([1, 2, 3])
        await pair.near.close()
        #expect(try await pair.far.receiveAll() == [1, 2, 3])
        let result = await noise.result
        await expectError(.lost) { try result.get() as Void }
        await pair.close()
      }
    },
    ContractCheck("C7: close wakes a blocked receive and a blocked send") { subject in
      let pair = try await subject.pair()
      let receiving = Task { try await pair.near.receiveOnce() }
      let sending = Task {
        while true { try await pair.near.send(pattern(100_000), before: .now + .seconds(50)) }
      }
      try await Task.sleep(for: .soon)
      // The peer reads on, so that what was sent can go out.
      async let drained: [UInt8] = pair.far.receiveAll()
      await pair.near.close()
      let received = await receiving.result
      await expectError(.closed) { try received.get() }
      let sent = await sending.result
      await expectError(.closed) { try sent.get() as Void }
      #expect(try await drained.count % 100_000 == 0)
      await pair.close()
    },
    ContractCheck("C7: close may be called from many tasks, often, and by a cancelled one") { subject in
      let pair = try await subject.pair()
      try await pair.near.send([5])
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { await pair.near.close() } }
        group.cancelAll()
      }
      await pair.near.close()
      #expect(try await pair.far.receiveAll() == [5])
      let other = try await subject.pair()
      try await other.near.send([6])
      _ = await alreadyCancelled { await other.near.close() }
      #expect(try await other.far.receiveAll() == [6])
      await pair.close()
      await other.close()
    },
    ContractCheck("C8 and C10: abort is at once; the peer is told as far as the transport can") { subject in
      let pair = try await subject.pair()
      let waiting = Task { try await pair.far.receiveOnce() }
      try await Task.sleep(for: .soon)
      pair.near.abort()
      switch await waiting.result {
      case .success(let reception): #expect(reception == .finished && !subject.has(.tellsAbort))
      case .failure(let error): #expect((error as? TransportError)?.code == .lost, "\(error)")
      }
      // A first send may still go into the void, where the system learns of the end by an answer.
      await expectError(.lost) {
        for _ in 0..<100 { try await pair.far.send(pattern(10_000), before: .now + .seconds(20)) }
      }
      await expectError(.lost) { try await pair.far.send([1]) }
      pair.near.abort()
      await pair.near.close()
      await pair.close()
    },
    ContractCheck("C8: what had arrived can be received before the loss is told") { subject in
      guard subject.has(.tellsAbort) else { return }
      let pair = try await subject.pair()
      let bytes = pattern(5_000)
      try await pair.near.send(bytes)
      #expect(try await pair.far.receive(exactly: 5_000) == bytes)
      try await pair.near.send(bytes)
      try await Task.sleep(for: .soon)
      pair.near.abort()
      var queue = ByteQueue()
      await expectError(.lost) {
        while true { _ = try await pair.far.receive(into: &queue, before: .now + .seconds(20)) }
      }
      #expect(queue.count == 0 || queue.take(queue.count) == bytes)
      await expectError(.lost) { try await pair.far.receiveOnce() }
      await expectError(.lost) { try await pair.far.send([1]) }
      await pair.close()
    },
    ContractCheck("C9: the end of the peer is noticed without sending") { subject in
      for isGood in [true, false] {
        let pair = try await subject.pair()
        let waiting = Task { try await pair.far.receiveOnce(before: .now + .seconds(50)) }
        try await Task.sleep(for: .soon)
        let start = ContinuousClock.now
        if isGood { await pair.near.close() } else { pair.near.abort() }
        let result = await waiting.result
        if isGood { #expect(try result.get() == .finished) }
        #expect(start.duration(to: .now) < .seconds(10))
        await pair.close()
      }
    },
    ContractCheck("C10: after close and after abort every call says closed") { subject in
      for isGood in [true, false] {
        let pair = try await subject.pair()
        try await pair.far.send([1, 2, 3])
        if isGood { await pair.near.close() } else { pair.near.abort() }
        await expectError(.closed) { try await pair.near.send([1]) }
        await expectError(.closed) { try await pair.near.receiveOnce() }
        await expectError(.closed) { try await pair.near.finish() }
        await pair.close()
      }
    },
    ContractCheck("C12: a connection that is dropped without close is ended") { subject in
      let listener = try await subject.listen()
      var near: (any Connection)? = try await subject.dial(listener)
      let far = try await listener.accept()
      _ = near?.local
      near = nil
      do {
        #expect(try await far.receiveOnce() == .finished && !subject.has(.tellsAbort))
      } catch let error as TransportError {
        #expect(error.code == .lost, "\(error)")
      }
      await far.close()
      await listener.close()
    },
    ContractCheck("C7: close under load, many times, ends every call") { subject in
      let listener = try await subject.listen()
      let load = pattern(20_000)
      for round in 0..<30 {
        let pair = try await subject.pair(at: listener)
        await withTaskGroup(of: Void.self) { group in
          for connection in [pair.near, pair.far] {
            group.addTask {
              while (try? await connection.send(load)) != nil { await Task.yield() }
            }
            group.addTask {
              while let reception = try? await connection.receiveOnce(), reception != .finished {}
            }
          }
          group.addTask {
            for _ in 0..<round % 7 { await Task.yield() }
            if round % 2 == 0 { await pair.near.close() } else { pair.near.abort() }
          }
        }
        await pair.far.close()
      }
      await listener.close()
    },
  ]
}
