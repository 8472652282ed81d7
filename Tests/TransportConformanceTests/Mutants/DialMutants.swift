internal import CheckIn
internal import TransportConformance

extension Mutant {
  static let dialMutants: [Mutant] = [
    Mutant("T3-refused", "answers a refused dial with a timeout") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await base.connect(to: endpoint, before: deadline)
        } catch {
          throw error.code == .refused ? .broken(.timedOut) : error
        }
      })
    },
    Mutant("T3-listener-later", "remembers where it was refused") {
      let refused = Shared<Set<Endpoint>>([])
      return Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        if refused.value.contains(endpoint) { throw .broken(.refused) }
        do throws(TransportError) {
          return try await base.connect(to: endpoint, before: deadline)
        } catch {
          if error.code == .refused { _ = refused.change { $0.insert(endpoint) } }
          throw error
        }
      })
    },
    Mutant("T3-nothing-left", "forgets the descriptor of a refused dial") {
      let leaks = Shared(0)
      return Hooks(
        openResources: { leaks.value },
        connect: { base, endpoint, deadline throws(TransportError) in
          do throws(TransportError) {
            return try await base.connect(to: endpoint, before: deadline)
          } catch {
            _ = leaks.next()
            throw error
          }
        })
    },
    Mutant("T4-deadline", "does not look at a dial’s deadline") {
      Hooks(
        connect: { base, endpoint, _ throws(TransportError) in try await base.connect(to: endpoint, before: nil) },
        listener: { _ in ListenerHooks() })
    },
    Mutant("T4-cancelled", "does not notice that a dial that waits is cancelled") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        if Task.isCancelled { throw .broken(.cancelled) }
        return try await apart { () throws(TransportError) in try await base.connect(to: endpoint, before: deadline) }
      })
    },
    Mutant("T4-cancelled-before", "connects though the task is cancelled already") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        guard Task.isCancelled else { return try await base.connect(to: endpoint, before: deadline) }
        return try await apart { () throws(TransportError) in try await base.connect(to: endpoint, before: deadline) }
      })
    },
    Mutant("T4-cancelled-before", "connects though it is too late") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        try await base.connect(to: endpoint, before: deadline.map { max($0, .now + .seconds(5)) })
      })
    },
    Mutant("T4-cancelled-everywhere", "forgets the connection of a dial that is cancelled at the last moment") {
      let forgotten = Shared<[any Connection]>([])
      return Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        let connection = try await base.connect(to: endpoint, before: deadline)
        await Task.yield()
        guard Task.isCancelled else { return connection }
        forgotten.change { $0.append(connection) }
        throw .broken(.cancelled)
      })
    },
    Mutant("T4-cancelled-often", "forgets the descriptor of a cancelled dial") {
      let leaks = Shared(0)
      return Hooks(
        openResources: { leaks.value },
        connect: { base, endpoint, deadline throws(TransportError) in
          await Task.yield()
          do throws(TransportError) {
            return try await base.connect(to: endpoint, before: deadline)
          } catch {
            _ = leaks.next()
            throw error
          }
        })
    },
    Mutant(
      "T12-connection-limit", "admits nobody any more when its limit was reached once",
      unbroken: { limited(to: 3, frees: true) }, adjust: { subject, _ in subject.connectionLimit = 3 },
      hooks: { limited(to: 3, frees: false) }),
    Mutant(
      "T12-connection-limit", "does not keep its limit", unbroken: { limited(to: 3, frees: true) },
      adjust: { subject, _ in subject.connectionLimit = 3 }, hooks: { Hooks() }),
  ]

  private static func limited(to limit: Int, frees: Bool) -> Hooks {
    let open = Shared(0)
    return Hooks(
      connect: { base, endpoint, deadline throws(TransportError) in
        guard open.next() <= limit else {
          open.change { $0 -= 1 }
          throw .broken(.resourcesExhausted)
        }
        return try await base.connect(to: endpoint, before: deadline)
      },
      connection: { _, isAccepted in
        let isCounted = Shared(!isAccepted)
        let end: @Sendable () -> Void = {
          let wasCounted = isCounted.change { counted in
            defer { counted = false }
            return counted
          }
          if wasCounted, frees { open.change { $0 -= 1 } }
        }
        return ConnectionHooks(
          close: { connection in
            await connection.close()
            end()
          },
          abort: { connection in
            connection.abort()
            end()
          })
      })
  }
}

/// Runs a call in a task of its own, which does not know that ours is cancelled.
func apart<Value: Sendable>(
  _ body: @escaping @Sendable () async throws(TransportError) -> Value
) async throws(TransportError) -> Value {
  let task = Task { () -> Result<Value, TransportError> in
    do throws(TransportError) { return .success(try await body()) } catch { return .failure(error) }
  }
  return try await task.value.get()
}
