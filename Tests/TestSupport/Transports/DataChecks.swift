internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  private static let sizes = [0, 1, 2, 3, 1_447, 1_448, 1_449, 4_096, 65_535, 65_536, 65_537, 1 << 20]

  static let dataChecks = [
    ContractCheck("C1: bytes arrive as they were sent, whatever the sizes") { subject in
      let pair = try await subject.pair()
      for (seed, size) in sizes.enumerated() {
        let bytes = pattern(size, seed: seed)
        async let sending: Void = pair.near.send(bytes)
        #expect(try await pair.far.receive(exactly: size) == bytes, "\(size) bytes")
        try await sending
      }
      await pair.close()
    },
    ContractCheck("C1: bytes arrive as they were sent, one at a time") { subject in
      let pair = try await subject.pair()
      let bytes = pattern(3_000, seed: 5)
      async let sending: Void = {
        for byte in bytes { try await pair.near.send([byte]) }
        await pair.near.close()
      }()
      #expect(try await pair.far.receiveAll() == bytes)
      try await sending
      await pair.close()
    },
    ContractCheck("C1 and C5: 8 MiB go both ways at once") { subject in
      let pair = try await subject.pair()
      let there = pattern(8 << 20, seed: 1)
      let back = pattern(8 << 20, seed: 2)
      async let first: Void = pair.near.send(there)
      async let second: Void = pair.far.send(back)
      async let far = pair.far.receive(exactly: there.count)
      async let near = pair.near.receive(exactly: back.count)
      #expect(try await far == there)
      #expect(try await near == back)
      _ = try await (first, second)
      await pair.close()
    },
    ContractCheck("C1: what was sent before it was accepted arrives in order") { subject in
      let listener = try await subject.listen()
      let near = try await subject.dial(listener)
      for byte in 0..<100 { try await near.send([UInt8(byte)]) }
      let far = try await listener.accept()
      #expect(try await far.receive(exactly: 100) == (0..<100).map { UInt8($0) })
      await near.close()
      await far.close()
      await listener.close()
    },
    ContractCheck("C1: a thousand strict rounds") { subject in
      let pair = try await subject.pair()
      let echo = Task {
        for _ in 0..<1000 { try await pair.far.send(try await pair.far.receive(exactly: 64)) }
      }
      for round in 0..<1000 {
        let bytes = pattern(64, seed: round)
        try await pair.near.send(bytes)
        #expect(try await pair.near.receive(exactly: 64) == bytes)
      }
      try await echo.value
      await pair.close()
    },
    ContractCheck("C2: what many tasks send at once arrives whole") { subject in
      let pair = try await subject.pair()
      let near = MessageChannel(pair.near, limits: .init(send: 1 << 20, receive: 1 << 20))
      let far = MessageChannel(pair.far, limits: .init(send: 1 << 20, receive: 1 << 20))
      let counts = try await withThrowingTaskGroup(of: Void.self) { group in
        for sender in 0..<8 {
          group.addTask {
            for round in 0..<20 {
              let size = 1 + (sender * 7_919 + round * 104_729) % 90_000
              try await near.send([UInt8](repeating: UInt8(sender), count: size), before: .now + .seconds(30))
            }
          }
        }
        var counts: [UInt8: Int] = [:]
        for _ in 0..<160 {
          let body = try #require(try await far.receive(before: .now + .seconds(30)))
          #expect(body.allSatisfy { $0 == body[0] })
          counts[body[0], default: 0] += 1
        }
        try await group.waitForAll()
        return counts
      }
      #expect(counts.count == 8 && counts.values.allSatisfy { $0 == 20 })
      await pair.close()
    },
    ContractCheck("C11: the ends have addresses, never the same one twice") { subject in
      let listener = try await subject.listen()
      let first = try await subject.pair(at: listener)
      let second = try await subject.pair(at: listener)
      for pair in [first, second] {
        #expect(pair.near.local == pair.far.remote)
        #expect(pair.near.remote == pair.far.local)
        #expect(pair.near.local != pair.near.remote)
        for endpoint in [pair.near.local, pair.near.remote] {
          #expect(endpoint.scheme == subject.transport.scheme)
          #expect(!endpoint.address.isEmpty)
          #expect(try Endpoint(endpoint.description) == endpoint)
        }
      }
      #expect(first.near.local != second.near.local)
      await first.close()
      await second.close()
    },
    ContractCheck("C13: forty connections carry their own bytes") { subject in
      let listener = try await subject.listen()
      let serving = Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<40 {
            guard let connection = try? await listener.accept() else { return }
            group.addTask {
              guard let bytes = try? await connection.receiveAll() else { return }
              try? await connection.send(bytes)
              await connection.close()
            }
          }
        }
      }
      if subject.has(.halfClose) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<40 {
            group.addTask {
              let connection = try await subject.dial(listener)
              let bytes = pattern(10_000 + number, seed: number)
              async let reply = connection.receiveAll()
              try await connection.send(bytes)
              try await connection.finish()
              #expect(try await reply == bytes)
              await connection.close()
            }
          }
          try await group.waitForAll()
        }
      }
      await listener.close()
      await serving.value
    },
  ]
}
