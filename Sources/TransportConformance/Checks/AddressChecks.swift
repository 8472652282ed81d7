internal import CheckIn

extension ConformanceSuite {
  static let addressChecks: [ConformanceCheck] = [
    ConformanceCheck("T1-scheme", "The scheme is in lower case, fit for a URL, and always the same.") { run in
      let scheme = run.transport.scheme
      run.expect(isScheme(scheme), "a scheme of small letters, digits, +, - and .", "it is “\(scheme)”")
      run.expect(run.transport.scheme == scheme, "the same scheme each time", "then it is “\(run.transport.scheme)”")
      run.expect(
        run.subject.addresses.fresh().scheme == scheme, "addresses of the scheme “\(scheme)”",
        "the subject gives “\(run.subject.addresses.fresh())”")
    },
    ConformanceCheck("T1-other-scheme-dial", "A dial of another scheme is refused, a prefix of the own one included.") {
      run in
      let listener = try await run.listen()
      for scheme in otherSchemes(run.transport.scheme) {
        let endpoint = listener.endpoint.withScheme(scheme)
        await run.expectError(.unsupported, from: "dialling \(endpoint)") { [transport = run.transport] in
          try await transport.connect(to: endpoint, before: nil)
        }
      }
    },
    ConformanceCheck("T1-other-scheme-listen", "Listening under another scheme is refused, a prefix included.") { run in
      for scheme in otherSchemes(run.transport.scheme) {
        let endpoint = run.subject.addresses.fresh().withScheme(scheme)
        await run.expectError(.unsupported, from: "listening at \(endpoint)") { [transport = run.transport] in
          try await transport.listen(on: endpoint)
        }
      }
    },
    ConformanceCheck(
      "T2-malformed-dial", "A dial of an address that cannot be read says so.", needs: [.malformedAddresses]
    ) {
      run in
      for endpoint in run.subject.addresses.malformed {
        await run.expectError(.addressMalformed, from: "dialling “\(endpoint)”") { [transport = run.transport] in
          try await transport.connect(to: endpoint, before: nil)
        }
      }
    },
    ConformanceCheck(
      "T2-malformed-listen", "Listening at an address that cannot be read says so.", needs: [.malformedAddresses]
    ) { run in
      for endpoint in run.subject.addresses.malformed {
        await run.expectError(.addressMalformed, from: "listening at “\(endpoint)”") { [transport = run.transport] in
          try await transport.listen(on: endpoint)
        }
      }
    },
    ConformanceCheck("T2-unknown-parameter", "A parameter that the transport does not know is refused by both calls.") {
      run in
      let listener = try await run.listen()
      let known = listener.endpoint
      let unknown = [Endpoint.Parameter(name: "no-such-parameter", value: "9")]
      let there = Endpoint(scheme: known.scheme, address: known.address, parameters: known.parameters + unknown)
      await run.expectError(.addressMalformed, from: "dialling \(there)") { [transport = run.transport] in
        try await transport.connect(to: there, before: nil)
      }
      let fresh = run.subject.addresses.fresh()
      let here = Endpoint(scheme: fresh.scheme, address: fresh.address, parameters: fresh.parameters + unknown)
      await run.expectError(.addressMalformed, from: "listening at \(here)") { [transport = run.transport] in
        try await transport.listen(on: here)
      }
    },
    ConformanceCheck("T2-too-long", "An address that is far too long is refused by both calls, and not cut.") { run in
      let fresh = run.subject.addresses.fresh()
      for length in [Endpoint.maximumLength + 1, 100_000] {
        let address = fresh.address + String(repeating: "x", count: length)
        let endpoint = Endpoint(scheme: fresh.scheme, address: address, parameters: fresh.parameters)
        await run.expectError(.addressMalformed, from: "dialling an address of \(length) letters") {
          [transport = run.transport] in try await transport.connect(to: endpoint, before: nil)
        }
        await run.expectError(.addressMalformed, from: "listening at an address of \(length) letters") {
          [transport = run.transport] in try await transport.listen(on: endpoint)
        }
      }
    },
    ConformanceCheck(
      "T8-listen-only",
      "What can only be listened at, such as a wildcard, cannot be dialled, also while somebody listens.",
      needs: [.listenOnlyAddresses]
    ) { run in
      for endpoint in run.subject.addresses.listenOnly {
        let listener = try await run.listen(on: endpoint)
        await run.expectError(.addressMalformed, from: "dialling \(endpoint)") { [transport = run.transport] in
          try await transport.connect(to: endpoint, before: nil)
        }
        await listener.close()
      }
    },
    ConformanceCheck(
      "T10-foreign-address", "Listening at an address of another machine says that it is not available.",
      needs: [.foreignAddresses]
    ) { run in
      for endpoint in run.subject.addresses.foreign {
        await run.expectError(.addressUnavailable, from: "listening at \(endpoint)") { [transport = run.transport] in
          try await transport.listen(on: endpoint)
        }
      }
    },
    ConformanceCheck(
      "T11-unreachable", "A dial to where there is no way says so, in time.", needs: [.unreachableAddresses]
    ) { run in
      for endpoint in run.subject.addresses.unreachable {
        await run.expectError(.unreachable, from: "dialling \(endpoint)") { [transport = run.transport] in
          try await transport.connect(to: endpoint, before: run.deadline)
        }
      }
    },
    ConformanceCheck(
      "L1-endpoint", "A listener’s endpoint is the real one: a URL of the scheme, and it can be dialled."
    ) {
      run in
      for _ in 0..<3 {
        let listener = try await run.listen()
        let endpoint = listener.endpoint
        run.expect(endpoint.scheme == run.transport.scheme, "an endpoint of our scheme", "it is \(endpoint)")
        let read = try? Endpoint(endpoint.description)
        run.expect(
          read == endpoint, "an endpoint whose URL reads back as the same", "it reads as \(read, default: "nothing")")
        try await run.exchange(at: listener, "at the endpoint that the listener names")
        await listener.close()
        run.expect(listener.endpoint == endpoint, "the same endpoint after close", "it is \(listener.endpoint)")
      }
    },
    ConformanceCheck(
      "C11-both-ends", "Each end has a local and a remote address, and the peer’s are the same two the other way round."
    ) { run in
      let pair = try await run.pair()
      let (near, far) = (pair.near, pair.far)
      run.expect(near.local == far.remote, "far.remote is near.local, \(near.local)", "it is \(far.remote)")
      run.expect(near.remote == far.local, "far.local is near.remote, \(near.remote)", "it is \(far.local)")
      run.expect(near.remote == pair.listener.endpoint, "near.remote is what was dialled", "it is \(near.remote)")
      for connection in [near, far] {
        run.expect(connection.local != connection.remote, "a peer’s address that is not our own", "\(connection.local)")
        for endpoint in [connection.local, connection.remote] {
          run.expect(endpoint.scheme == run.transport.scheme, "an address of our scheme", "it is \(endpoint)")
          run.expect(!endpoint.address.isEmpty, "an address that is filled", "it is empty")
          run.expect(
            (try? Endpoint(endpoint.description)) == endpoint, "an address that can be written and read", "\(endpoint)")
        }
      }
      try await run.close(pair)
    },
    ConformanceCheck("C11-distinct", "Two connections at one listener have peers that can be told apart.") { run in
      let listener = try await run.listen()
      let first = try await run.pair(at: listener)
      let second = try await run.pair(at: listener)
      run.expect(
        first.near.local != second.near.local, "two dials have two local addresses", "both are \(first.near.local)")
      run.expect(first.far.remote != second.far.remote, "two peers have two addresses", "both are \(first.far.remote)")
    },
  ]

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
  }

  private static func otherSchemes(_ scheme: String) -> [String] {
    [String(scheme.dropLast()), String(scheme.prefix(1)), scheme + "x", scheme + "+x", "x+" + scheme, "nothing"]
      .filter { isScheme($0) && $0 != scheme }
  }
}
