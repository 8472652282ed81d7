internal import CheckIn
internal import CheckInCore
internal import Testing

extension ContractCheck {
  static let transportChecks = [
    ContractCheck("T1: every other scheme is refused, a prefix of the own one too") { subject in
      let scheme = subject.transport.scheme
      #expect(scheme == scheme.lowercased() && !scheme.isEmpty)
      let address = subject.freshAddress()
      for other in [String(scheme.dropLast()), scheme + "x", scheme + "+x", "x+" + scheme, "nothing"] {
        let endpoint = address.withScheme(other)
        await expectError(.unsupported) { try await subject.transport.connect(to: endpoint, before: nil) }
        await expectError(.unsupported) { try await subject.transport.listen(on: endpoint) }
      }
    },
    ContractCheck("T2: an address that cannot be read is malformed for both calls") { subject in
      for endpoint in subject.malformed {
        await expectError(.addressMalformed) { try await subject.transport.connect(to: endpoint, before: nil) }
        await expectError(.addressMalformed) { try await subject.transport.listen(on: endpoint) }
      }
    },
    ContractCheck("T2: a parameter that the transport does not know is refused") { subject in
      let address = subject.freshAddress()
      let endpoint = Endpoint(
        scheme: address.scheme, address: address.address, parameters: [.init(name: "sped", value: "9")])
      await expectError(.addressMalformed) { try await subject.transport.connect(to: endpoint, before: nil) }
      await expectError(.addressMalformed) { try await subject.transport.listen(on: endpoint) }
    },
    ContractCheck("T3: where nobody listens, every dial is refused, and a listener can come later") { subject in
      let listener = try await subject.listen()
      let endpoint = listener.endpoint
      await listener.close()
      for _ in 0..<3 {
        await expectError(.refused) {
          try await subject.transport.connect(to: endpoint, before: .now + .seconds(20))
        }
      }
      let later = try await subject.transport.listen(on: endpoint)
      await subject.pairExchanges(at: later)
      await later.close()
    },
    ContractCheck("T4: a dial ends by its deadline, and soon after its task is cancelled") { subject in
      let listener = try await subject.listen()
      var queued: [any Connection] = []
      var isFull = false
      for _ in 0..<subject.queueBound where !isFull {
        do throws(TransportError) {
          queued.append(try await subject.transport.connect(to: listener.endpoint, before: .now + .milliseconds(100)))
        } catch {
          #expect(error.code == .timedOut, "\(error)")
          isFull = true
        }
      }
      #expect(isFull, "the queue took \(queued.count) connections")
      let endpoint = listener.endpoint
      let start = ContinuousClock.now
      let result = await cancelled { try await subject.transport.connect(to: endpoint, before: .now + .seconds(50)) }
      await expectError(.cancelled) { try result.get() }
      #expect(start.duration(to: .now) < .seconds(20))
      // Those that came through are served, in their order, when somebody accepts.
      for connection in queued.prefix(3) {
        let accepted = try await listener.accept()
        #expect(accepted.remote == connection.local)
      }
      await listener.close()
    },
    ContractCheck("T4: a dial of a cancelled task is cancelled") { subject in
      let listener = try await subject.listen()
      let result = await alreadyCancelled { try await subject.dial(listener) }
      await expectError(.cancelled) { try result.get() }
      await subject.pairExchanges(at: listener)
      await listener.close()
    },
    ContractCheck("T5: a second listener at an address is refused, and the first is unharmed") { subject in
      let listener = try await subject.listen()
      for _ in 0..<3 {
        await expectError(.addressInUse) { try await subject.transport.listen(on: listener.endpoint) }
      }
      await subject.pairExchanges(at: listener)
      let other = try await subject.listen()
      #expect(other.endpoint != listener.endpoint)
      await subject.pairExchanges(at: other)
      await listener.close()
      await subject.pairExchanges(at: other)
      await other.close()
    },
    ContractCheck("T6 and L1: zero gets a free address that can be dialled") { subject in
      guard subject.has(.ephemeralAddress) else { return }
      let first = try await subject.listen()
      let second = try await subject.listen()
      #expect(first.endpoint != second.endpoint)
      for listener in [first, second] {
        #expect(listener.endpoint.scheme == subject.transport.scheme)
        await subject.pairExchanges(at: listener)
        await listener.close()
      }
    },
    ContractCheck("T7: what the capabilities declare is so") { subject in
      let pair = try await subject.pair()
      for connection in [pair.near, pair.far] {
        #expect((connection.channelBinding != nil) == subject.has(.channelBinding))
      }
      if subject.has(.halfClose) {
        try await pair.near.finish()
        #expect(try await pair.far.receiveOnce() == .finished)
      } else {
        await expectError(.unsupported) { try await pair.near.finish() }
      }
      try await pair.far.send([1, 2, 3])
      #expect(try await pair.near.receive(exactly: 3) == [1, 2, 3])
      await pair.close()
    },
    ContractCheck("T8: what can only be listened on cannot be dialled") { subject in
      for endpoint in subject.listenOnly {
        await expectError(.addressMalformed) {
          try await subject.transport.connect(to: endpoint, before: .now + .seconds(5))
        }
        let listener = try await subject.transport.listen(on: endpoint)
        await listener.close()
      }
    },
    ContractCheck("T9: many calls that wait leave the threads free") { subject in
      let listener = try await subject.listen()
      let silent = try await subject.pair(at: listener)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<64 {
          group.addTask { _ = try? await listener.accept() }
        }
        group.addTask { _ = try? await silent.near.receiveOnce() }
        group.addTask { _ = try? await silent.far.receiveOnce() }
        let other = try? await subject.listen()
        if let other {
          await subject.pairExchanges(at: other)
          await other.close()
        }
        group.cancelAll()
      }
      await silent.close()
    },
  ]
}

extension TransportSubject {
  /// One connection at the listener carries something each way.
  func pairExchanges(at listener: any Listener, sourceLocation: SourceLocation = #_sourceLocation) async {
    do {
      let pair = try await pair(at: listener)
      try await pair.near.send(Array("there".utf8))
      #expect(try await pair.far.receive(exactly: 5) == Array("there".utf8), sourceLocation: sourceLocation)
      try await pair.far.send(Array("back".utf8))
      #expect(try await pair.near.receive(exactly: 4) == Array("back".utf8), sourceLocation: sourceLocation)
      async let first: Void = pair.near.close()
      async let second: Void = pair.far.close()
      _ = await (first, second)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }
}
