internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  static let waitingChecks = [
    ContractCheck("C3 and C4: an unread peer makes the sender wait, then time out, and the connection still works") {
      subject in
      let pair = try await subject.pair()
      let (certain, open) = try await pair.near.fill()
      // The rest of the send that timed out either comes whole, or not at all.
      let marker = pattern(50, seed: 99)
      async let sending: Void = {
        try await pair.near.send(marker)
        await pair.near.close()
      }()
      let received = try await pair.far.receiveAll()
      try await sending
      #expect(received == certain + marker || received == certain + open + marker)
      await pair.close()
    },
    ContractCheck("C4: a receive that times out or is cancelled has taken nothing") { subject in
      let pair = try await subject.pair()
      await expectError(.timedOut) { try await pair.far.receiveOnce(before: .now + .milliseconds(20)) }
      await expectError(.timedOut) { try await pair.far.receiveOnce(before: .now - .seconds(1)) }
      let result = await cancelled { try await pair.far.receiveOnce() }
      await expectError(.cancelled) { try result.get() }
      var queue = ByteQueue()
      let bytes = pattern(400, seed: 3)
      for byte in bytes {
        let far = pair.far
        let kept = queue
        let task = Task {
          var queue = kept
          do {
            _ = try await far.receive(into: &queue, before: .now + .seconds(20))
          } catch let error as TransportError {
            #expect(error.code == .cancelled, "\(error)")
          }
          return queue
        }
        if byte & 1 == 0 { await Task.yield() }
        async let sending: Void = pair.near.send([byte])
        task.cancel()
        queue = try await task.value
        try await sending
      }
      while queue.count < bytes.count {
        guard case .bytes = try await pair.far.receive(into: &queue, before: .now + .seconds(20)) else { break }
      }
      #expect(queue.take(queue.count) == bytes)
      await pair.close()
    },
    ContractCheck("C4: cancelled sends are sent whole or not at all, and later ones come in order") { subject in
      let pair = try await subject.pair()
      let far = MessageChannel(pair.far, limits: .init(receive: 1 << 20))
      let near = MessageChannel(pair.near, limits: .init(send: 1 << 20))
      let receiving = Task {
        var numbers: [Int] = []
        while let body = try await far.receive(before: .now + .seconds(30)) {
          #expect(body.allSatisfy { $0 == body[0] })
          numbers.append(Int(body[0]))
          if numbers.count % 8 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        return numbers
      }
      var certain: [Int] = []
      for number in 0..<120 {
        let task = Task { try await near.send([UInt8](repeating: UInt8(number), count: 70_000)) }
        if number % 2 == 0 { task.cancel() }
        if number % 3 == 0 {
          await Task.yield()
          task.cancel()
        }
        if case .success = await task.result { certain.append(number) }
      }
      await near.close()
      let numbers = try await receiving.value
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      #expect(Set(certain).isSubset(of: numbers))
      await pair.close()
    },
    ContractCheck("C5: sending and receiving do not wait for each other") { subject in
      let pair = try await subject.pair()
      let waiting = Task { try await pair.near.receive(exactly: 3) }
      try await Task.sleep(for: .soon)
      for _ in 0..<20 { try await pair.near.send(pattern(500)) }
      _ = try await pair.far.receive(exactly: 10_000)
      // A send that waits and times out does not touch the receive, nor the other way round.
      _ = try await pair.near.fill()
      try await pair.far.send([1, 2, 3])
      #expect(try await waiting.value == [1, 2, 3])
      await expectError(.timedOut) { try await pair.near.receiveOnce(before: .now + .milliseconds(20)) }
      pair.near.abort()
      pair.far.abort()
      await pair.listener.close()
    },
    ContractCheck("C13: a frozen peer delays no other") { subject in
      let listener = try await subject.listen()
      let frozen = try await subject.pair(at: listener)
      let blocked = Task {
        while true { try await frozen.near.send(pattern(100_000), before: .now + .seconds(50)) }
      }
      try await Task.sleep(for: .soon)
      for _ in 0..<10 { await subject.pairExchanges(at: listener) }
      frozen.far.abort()
      let result = await blocked.result
      await expectError(.lost) { try result.get() as Void }
      frozen.near.abort()
      await listener.close()
    },
  ]
}
