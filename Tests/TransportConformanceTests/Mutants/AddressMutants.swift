internal import CheckIn

extension Mutant {
  static let addressMutants: [Mutant] = [
    Mutant("T1-scheme", "has a scheme with a capital letter") { Hooks(scheme: "Memory") },
    Mutant("T1-other-scheme-dial", "dials a prefix of its scheme") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        let isOurs = base.scheme.hasPrefix(endpoint.scheme)
        return try await base.connect(to: isOurs ? endpoint.withScheme(base.scheme) : endpoint, before: deadline)
      })
    },
    Mutant("T1-other-scheme-listen", "listens under a scheme that begins with its own") {
      Hooks(listen: { base, endpoint throws(TransportError) in
        let isOurs = endpoint.scheme.hasPrefix(base.scheme)
        return try await base.listen(on: isOurs ? endpoint.withScheme(base.scheme) : endpoint)
      })
    },
    Mutant("T2-malformed-dial", "refuses a malformed address as if nobody listened there") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await base.connect(to: endpoint, before: deadline)
        } catch {
          throw error.code == .addressMalformed ? .broken(.refused) : error
        }
      })
    },
    Mutant("T2-malformed-listen", "listens somewhere when the address is malformed") {
      Hooks(listen: { base, endpoint throws(TransportError) in
        do throws(TransportError) {
          return try await base.listen(on: endpoint)
        } catch {
          guard error.code == .addressMalformed else { throw error }
          return try await base.listen(on: Endpoint(scheme: "memory", address: "0"))
        }
      })
    },
    Mutant("T2-unknown-parameter", "ignores parameters that it does not know") {
      Hooks(
        connect: { base, endpoint, deadline throws(TransportError) in
          try await base.connect(to: Endpoint(scheme: endpoint.scheme, address: endpoint.address), before: deadline)
        },
        listen: { base, endpoint throws(TransportError) in
          try await base.listen(on: Endpoint(scheme: endpoint.scheme, address: endpoint.address))
        })
    },
    Mutant("T2-too-long", "cuts an address that is too long") {
      Hooks(
        connect: { base, endpoint, deadline throws(TransportError) in
          try await base.connect(to: endpoint.cut, before: deadline)
        }, listen: { base, endpoint throws(TransportError) in try await base.listen(on: endpoint.cut) })
    },
    Mutant("T8-listen-only", "dials a wildcard") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        if endpoint.address == "0" { throw .broken(.refused) }
        return try await base.connect(to: endpoint, before: deadline)
      })
    },
    Mutant("T10-foreign-address", "says that another machine’s address is in use", base: .tcp) {
      Hooks(listen: { base, endpoint throws(TransportError) in
        do throws(TransportError) {
          return try await base.listen(on: endpoint)
        } catch {
          throw error.code == .addressUnavailable ? .broken(.addressInUse) : error
        }
      })
    },
    Mutant("T11-unreachable", "waits for its deadline where there is no way", base: .tcp) {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await base.connect(to: endpoint, before: deadline)
        } catch {
          guard error.code == .unreachable else { throw error }
          try? await Task.sleep(until: deadline ?? .now, clock: .continuous)
          throw .broken(.timedOut)
        }
      })
    },
    Mutant("L1-endpoint", "names an endpoint at which it does not listen") { _ in
      ListenerHooks(endpoint: { Endpoint(scheme: $0.endpoint.scheme, address: $0.endpoint.address + "x") })
    },
    Mutant("T6-free-address", "names the zero that was asked for, and not the address that it got") { _ in
      ListenerHooks(endpoint: { listener in
        listener.endpoint.address.hasPrefix("fresh") ? Endpoint(scheme: "memory", address: "0") : listener.endpoint
      })
    },
    Mutant("C11-both-ends", "reports its own address as the peer’s") { connection, isAccepted in
      isAccepted ? ConnectionHooks(remote: connection.local) : ConnectionHooks()
    },
    Mutant("C11-distinct", "has one local address for all that it dials") { _, isAccepted in
      let dialler = Endpoint(scheme: "memory", address: "dialler")
      return isAccepted ? ConnectionHooks(remote: dialler) : ConnectionHooks(local: dialler)
    },
    Mutant("T7-half-close", "declares half-close and does not have it") { _, _ in
      ConnectionHooks(finish: { _ throws(TransportError) in throw .broken(.unsupported) })
    },
    Mutant("T7-channel-binding", "declares a channel binding and has none") {
      Hooks(capabilities: [.halfClose, .insideProcess, .ephemeralAddress, .tellsAbort, .channelBinding])
    },
    Mutant("T7-channel-binding", "has the same channel binding for every connection") {
      Hooks(
        capabilities: [.halfClose, .insideProcess, .ephemeralAddress, .tellsAbort, .channelBinding],
        connection: { _, _ in ConnectionHooks(channelBinding: [1, 2, 3]) })
    },
    Mutant(
      "C6-no-half-close", "has no half-close and closes when it is asked for it",
      unbroken: {
        Hooks(
          capabilities: [.insideProcess, .ephemeralAddress, .tellsAbort],
          connection: { _, _ in ConnectionHooks(finish: { _ throws(TransportError) in throw .broken(.unsupported) }) })
      },
      hooks: {
        Hooks(
          capabilities: [.insideProcess, .ephemeralAddress, .tellsAbort],
          connection: { _, _ in
            ConnectionHooks(finish: { connection throws(TransportError) in await connection.close() })
          })
      }),
  ]
}

extension Endpoint {
  fileprivate var cut: Endpoint {
    Endpoint(scheme: scheme, address: String(address.prefix(100)), parameters: parameters)
  }
}
