internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  static let channelChecks = [
    ContractCheck("channel: a peer that dies at every byte of a frame is lost, and only between frames finished") {
      subject in
      let frame = try Frame.encode(pattern(12))
      for cut in 0...frame.count {
        let pair = try await subject.pair()
        let channel = MessageChannel(pair.far)
        try await pair.near.send(Array(frame[..<cut]))
        await pair.near.close()
        if cut == frame.count {
          #expect(try await channel.receive(before: .now + .seconds(20)) == pattern(12))
        }
        if cut == 0 || cut == frame.count {
          #expect(try await channel.receive(before: .now + .seconds(20)) == nil)
        } else {
          await expectError(.lost) { try await channel.receive(before: .now + .seconds(20)) }
          await expectError(.lost) { try await channel.receive(before: .now + .seconds(20)) }
        }
        await pair.close()
      }
    },
    ContractCheck("channel: cancelled receives lose nothing") { subject in
      let pair = try await subject.pair()
      let near = MessageChannel(pair.near)
      let far = MessageChannel(pair.far)
      let sending = Task {
        for number in 0..<60 {
          try await near.send(pattern(1 + number * 37, seed: number), before: .now + .seconds(20))
          if number % 5 == 0 { await Task.yield() }
        }
        await near.close()
      }
      var received: [[UInt8]] = []
      var isOver = false
      var attempt = 0
      while !isOver {
        attempt += 1
        let task = Task { try await far.receive(before: .now + .seconds(20)) }
        // Cancelled before it begins, while it begins, and while it waits.
        for _ in 0..<attempt % 4 { await Task.yield() }
        if attempt % 50 == 0 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        switch await task.result {
        case .success(.some(let body)): received.append(body)
        case .success(.none): isOver = true
        case .failure(let error): #expect((error as? TransportError)?.code == .cancelled, "\(error)")
        }
        if received.count % 7 == 3, let body = try await far.receive(before: .now + .seconds(20)) {
          received.append(body)
        }
      }
      #expect(received == (0..<60).map { pattern(1 + $0 * 37, seed: $0) })
      try await sending.value
      await pair.close()
    },
    ContractCheck("channel: each wrong first byte ends that connection alone") { subject in
      let listener = try await subject.listen()
      for byte in UInt8.min...UInt8.max {
        let pair = try await subject.pair(at: listener)
        let channel = MessageChannel(pair.far)
        try await pair.near.send([byte, 0xff, 0xff, 0xff])
        await pair.near.close()
        await expectError(.tooLarge) { try await channel.receive(before: .now + .seconds(20)) }
        channel.abort()
      }
      await subject.pairExchanges(at: listener)
      await listener.close()
    },
  ]
}
