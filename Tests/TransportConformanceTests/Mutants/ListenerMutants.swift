internal import CheckIn

extension Mutant {
  static let listenerMutants: [Mutant] = [
    Mutant("T5-in-use", "says that an address which is in use is not available") {
      Hooks(listen: { base, endpoint throws(TransportError) in
        do throws(TransportError) {
          return try await base.listen(on: endpoint)
        } catch {
          throw error.code == .addressInUse ? .broken(.addressUnavailable) : error
        }
      })
    },
    Mutant("T5-first-unharmed", "ends the first listener at an address when a second is tried") {
      let listeners = Shared<[Endpoint: any Listener]>([:])
      return Hooks(listen: { base, endpoint throws(TransportError) in
        do throws(TransportError) {
          let listener = try await base.listen(on: endpoint)
          listeners.change { $0[listener.endpoint] = listener }
          return listener
        } catch {
          await listeners.value[endpoint]?.close()
          throw error
        }
      })
    },
    Mutant("L1-two-listeners", "dials the newest listener, whatever the address") {
      let newest = Shared<Endpoint?>(nil)
      return Hooks(
        connect: { base, endpoint, deadline throws(TransportError) in
          try await base.connect(to: newest.value ?? endpoint, before: deadline)
        },
        listen: { base, endpoint throws(TransportError) in
          let listener = try await base.listen(on: endpoint)
          newest.value = listener.endpoint
          return listener
        })
    },
    Mutant("L3-wakes-accepts", "leaves accepts waiting when the listener is closed") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        do throws(TransportError) {
          return try await listener.accept()
        } catch {
          if error.code == .closed { await hang() }
          throw error
        }
      })
    },
    Mutant("L3-later-accepts", "says lost to an accept after close") { _ in
      let isClosed = Shared(false)
      return ListenerHooks(
        accept: { listener throws(TransportError) in
          if isClosed.value { throw .broken(.lost) }
          return try await listener.accept()
        },
        close: { listener in
          isClosed.value = true
          await listener.close()
        })
    },
    Mutant("L3-often", "hangs when its listener is closed a second time") { _ in
      let count = Shared(0)
      return ListenerHooks(close: { listener in
        if count.next() > 1 { await hang() }
        await listener.close()
      })
    },
    Mutant("L3-frees-address", "frees the address some time after close") { _ in
      ListenerHooks(close: { listener in
        Task {
          try? await Task.sleep(for: .milliseconds(30))
          await listener.close()
        }
      })
    },
    Mutant("L3-old-handle", "closes whoever listens at the address of a listener that is closed again") {
      let listeners = Shared<[Endpoint: any Listener]>([:])
      return Hooks(
        listen: { base, endpoint throws(TransportError) in
          let listener = try await base.listen(on: endpoint)
          listeners.change { $0[listener.endpoint] = listener }
          return listener
        },
        listener: { _ in ListenerHooks(close: { listener in await listeners.value[listener.endpoint]?.close() }) })
    },
    Mutant("L10-dropped", "keeps a listener that was dropped") {
      let kept = Shared<[any Listener]>([])
      return Hooks(listener: { listener in
        kept.change { $0.append(listener) }
        return ListenerHooks()
      })
    },
    Mutant("L4-accepted-live-on", "ends accepted connections with the listener") { _ in
      let accepted = Shared<[any Connection]>([])
      return ListenerHooks(
        accept: { listener throws(TransportError) in
          let connection = try await listener.accept()
          accepted.change { $0.append(connection) }
          return connection
        },
        close: { listener in
          await listener.close()
          for connection in accepted.value { connection.abort() }
        })
    },
    Mutant("L4-queued-end", "forgets connections that wait when the listener is closed") {
      let forgotten = Shared<[any Connection]>([])
      return Hooks(listener: { _ in
        ListenerHooks(close: { listener in
          while let connection = await soon({ () throws(TransportError) in try await listener.accept() }) {
            forgotten.change { $0.append(connection) }
          }
          await listener.close()
        })
      })
    },
  ]
}

/// What the call answers, if it does so within a moment; then it is cancelled.
func soon<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Value? {
  let task = Task.immediate { try await body() }
  let alarm = Task {
    try? await Task.sleep(for: .milliseconds(5))
    task.cancel()
  }
  defer { alarm.cancel() }
  return try? await task.value
}
