internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  static let channelChecks: [ConformanceCheck] = [
    ConformanceCheck("M1-bodies", "Every body arrives whole, as one, and in order, each way.") { run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init())
      let far = run.subject.messages(pair.far, .init())
      let bodies = [1, 2, 3, 255, 256, 257, 4_095, 65_535, 65_536].map { pattern($0, seed: $0) }
      for (from, to) in [(near, far), (far, near)] {
        let sending = Task { for body in bodies { try await from.send(body, before: run.deadline) } }
        for body in bodies {
          run.expect(try await to.receive(before: run.deadline) ?? [], are: body, "a body of \(body.count) bytes")
        }
        try await run.value(of: sending, "sending bodies")
      }
      try await run.close(pair)
    },
    ConformanceCheck("M1-pieces", "It does not matter in what pieces a frame arrives, nor how many at once.") { run in
      let pair = try await run.pair()
      let far = run.subject.messages(pair.far, .init())
      let bodies = [pattern(7), pattern(1, seed: 1), pattern(12, seed: 2)]
      let frames = try bodies.flatMap { try Frame.encode($0) }
      for cut in 0...frames.count {
        try await run.send(pair.near, Array(frames[..<cut]))
        let receiving = await run.begun { try await far.receive(before: run.deadline) }
        try await run.send(pair.near, Array(frames[cut...]))
        run.expect(
          try await run.value(of: receiving, "a body in two pieces") ?? [], are: bodies[0],
          "the first body, cut at \(cut)")
        for body in bodies.dropFirst() {
          run.expect(try await far.receive(before: run.deadline) ?? [], are: body, "a later body, cut at \(cut)")
        }
        guard run.failures.isEmpty else { return }
      }
      for byte in frames { try await run.send(pair.near, [byte]) }
      for body in bodies {
        run.expect(try await far.receive(before: run.deadline) ?? [], are: body, "a body whose bytes came one by one")
      }
      try await run.close(pair)
    },
    ConformanceCheck("M1-many", "Two hundred bodies, sent at once and each way, arrive in order.") { run in
      let pair = try await run.pair()
      let near = run.subject.messages(pair.near, .init())
      let far = run.subject.messages(pair.far, .init())
      let sending = [(near, 1), (far, 2)].map { channel, seed in
        Task {
          for number in 0..<200 {
            try await channel.send(pattern(1 + number * 17, seed: number * seed), before: run.deadline)
          }
          return
        }
      }
      for (channel, seed) in [(far, 1), (near, 2)] {
        for number in 0..<200 {
          let body = try await channel.receive(before: run.deadline) ?? []
          run.expect(body, are: pattern(1 + number * 17, seed: number * seed), "body \(number)")
          guard run.failures.isEmpty else { return }
        }
      }
      for task in sending { try await run.value(of: task, "sending 200 bodies") }
      try await run.close(pair)
    },
    ConformanceCheck(
      "M5-dies-at-every-byte", "A peer that dies at any byte of a frame is lost, and has finished only between two."
    ) {
      run in
      let listener = try await run.listen()
      let body = pattern(12)
      let frame = try Frame.encode(body)
      for cut in 0...frame.count {
        let pair = try await run.pair(at: listener)
        let far = run.subject.messages(pair.far, .init())
        try await run.send(pair.near, Array(frame[..<cut]))
        await pair.near.close()
        if cut == frame.count {
          run.expect(try await far.receive(before: run.deadline) ?? [], are: body, "a body that is whole")
        }
        for _ in 0..<2 {
          if cut == 0 || cut == frame.count {
            run.expect(try await far.receive(before: run.deadline) == nil, "the end between two messages")
          } else {
            await run.expectError(.lost, from: "receiving a message that ends after \(cut) of \(frame.count) bytes") {
              try await far.receive(before: run.deadline)
            }
          }
        }
        far.abort()
      }
    },
    ConformanceCheck(
      "M6-cancelled", "Receives that are cancelled or time out lose no message, also in the middle of one."
    ) {
      run in
      let pair = try await run.pair()
      let far = run.subject.messages(pair.far, .init())
      let first = pattern(12)
      let frame = try Frame.encode(first)
      for cut in 0..<frame.count {
        try await run.send(pair.near, Array(frame[..<cut]))
        for isCancelled in [true, false] {
          let receiving = await run.begun {
            try await far.receive(before: isCancelled ? run.deadline : .now + .milliseconds(1))
          }
          if isCancelled { receiving.cancel() }
          let what = "a receive in the middle of a message that is cancelled or times out"
          guard let result = await run.outcome(of: receiving, what) else { return }
          run.expect(result, fails: [isCancelled ? .cancelled : .timedOut], what)
        }
        try await run.send(pair.near, Array(frame[cut...]))
        run.expect(
          try await far.receive(before: run.deadline) ?? [], are: first, "a message that was interrupted at byte \(cut)"
        )
        guard run.failures.isEmpty else { return }
      }
      let sending = Task {
        for number in 0..<60 {
          let frame = try Frame.encode(pattern(1 + number * 37, seed: number))
          // In pieces, so that receives end in the middle.
          for start in stride(from: 0, to: frame.count, by: 300) {
            try await run.send(pair.near, Array(frame[start..<min(start + 300, frame.count)]))
            if start % 900 == 0 { await Task.yield() }
          }
        }
        await pair.near.close()
      }
      defer { sending.cancel() }
      var received: [[UInt8]] = []
      for round in 0... {
        let deadline = round % 5 == 4 ? ContinuousClock.now + .microseconds(50) : run.deadline
        let receiving = Task.immediate { try await far.receive(before: deadline) }
        for _ in 0..<round % 3 { await Task.yield() }
        if round % 4 != 3 { receiving.cancel() }
        guard let result = await run.outcome(of: receiving, "a receive that is cancelled") else { return }
        if case .success(let body) = result {
          guard let body else { break }
          received.append(body)
        } else {
          run.expect(result, fails: [.cancelled, .timedOut], "a receive that is cancelled or times out")
        }
        guard run.failures.isEmpty else { return }
      }
      run.expect(received.count == 60, "sixty messages", "\(received.count)")
      for (number, body) in received.enumerated() {
        run.expect(body, are: pattern(1 + number * 37, seed: number), "message \(number)")
      }
      try await run.value(of: sending, "sending sixty messages")
    },
  ]
}
