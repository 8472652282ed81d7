internal import CheckIn
internal import CheckInCore
internal import Glibc

extension Mutant {
  static let halfCloseMutants: [Mutant] = [
    Mutant("C6-large-reply", "ends both directions when one is finished") { _, _ in
      let hasFinished = Shared(false)
      return ConnectionHooks(
        receive: { connection, queue, deadline throws(TransportError) in
          if hasFinished.value { return .finished }
          return try await connection.receive(into: &queue, before: deadline)
        },
        finish: { connection throws(TransportError) in
          try await connection.finish()
          hasFinished.value = true
        })
    },
    Mutant("C6-after-pending", "finishes before what waits to go out") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        try await connection.sendInPieces(bytes, of: 10_000, before: deadline)
      })
    },
    Mutant("C6-end-again", "says lost when the end is asked for again") { _, _ in
      let hasEnded = Shared(false)
      return ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        if hasEnded.value { throw .broken(.lost) }
        let reception = try await connection.receive(into: &queue, before: deadline)
        if reception == .finished { hasEnded.value = true }
        return reception
      })
    },
    Mutant("C6-after-finish", "drops what is sent after finish, without a word") { _, _ in
      let hasFinished = Shared(false)
      return ConnectionHooks(
        send: { connection, bytes, deadline throws(TransportError) in
          if !hasFinished.value { try await connection.send(bytes, before: deadline) }
        },
        finish: { connection throws(TransportError) in
          hasFinished.value = true
          try await connection.finish()
        })
    },
    Mutant("C6-both-finish", "hangs in close when both ends have finished") { _, _ in
      let ends = Shared(0)
      return ConnectionHooks(
        receive: { connection, queue, deadline throws(TransportError) in
          let reception = try await connection.receive(into: &queue, before: deadline)
          if reception == .finished { _ = ends.next() }
          return reception
        },
        finish: { connection throws(TransportError) in
          _ = ends.next()
          try await connection.finish()
        },
        close: { connection in
          if ends.value == 2 { await hang() }
          await connection.close()
        })
    },
  ]

  static let closeMutants: [Mutant] = [
    Mutant("C7-last-bytes", "drops the last bytes on close") { connection, _ in
      let pump = Pump(connection)
      return ConnectionHooks(
        send: { _, bytes, _ throws(TransportError) in try pump.take(bytes) },
        close: { connection in
          pump.drop()
          await connection.close()
        })
    },
    Mutant("C7-unread-here", "aborts when it is closed over unread bytes") { _, _ in
      ConnectionHooks(close: { connection in
        var queue = ByteQueue()
        if case .bytes = try? await connection.receive(into: &queue, before: .now - .seconds(1)) {
          connection.abort()
        } else {
          await connection.close()
        }
      })
    },
    Mutant("C7-peer-sends-on", "waits in close until the peer has finished") { _, _ in
      ConnectionHooks(close: { connection in
        try? await connection.finish()
        var queue = ByteQueue()
        while case .bytes = try? await connection.receive(into: &queue, before: nil) { queue.drop(queue.count) }
        await connection.close()
      })
    },
    Mutant("C7-bounded", "hangs in close when the peer does not read") { _, _ in
      let isBlocked = Shared(false)
      return ConnectionHooks(
        send: { connection, bytes, deadline throws(TransportError) in
          do throws(TransportError) {
            try await connection.send(bytes, before: deadline)
          } catch {
            isBlocked.value = error.code == .timedOut
            throw error
          }
        },
        close: { connection in
          if isBlocked.value { await hang() }
          await connection.close()
        })
    },
    Mutant("C7-often", "hangs when it is closed a second time") { _, _ in
      let count = Shared(0)
      return ConnectionHooks(close: { connection in
        if count.next() > 1 { await hang() }
        await connection.close()
      })
    },
    Mutant("C7-cancelled", "aborts when the task that closes is cancelled") { _, _ in
      ConnectionHooks(close: { connection in
        if Task.isCancelled { connection.abort() } else { await connection.close() }
      })
    },
    Mutant("C7-under-load", "hangs in one close of three hundred") {
      let count = Shared(0)
      return Hooks(connection: { _, _ in
        ConnectionHooks(close: { connection in
          if count.next() % 300 == 299 { await hang() }
          await connection.close()
        })
      })
    },
    Mutant("C12-released", "keeps connections that are closed") {
      let kept = Shared<[any Connection]>([])
      return Hooks(
        connect: { base, endpoint, deadline throws(TransportError) in
          let connection = EarlyBytes([], over: try await base.connect(to: endpoint, before: deadline))
          kept.change { $0.append(connection) }
          return connection
        })
    },
    Mutant("C7-wakes-receive", "leaves a receive waiting when it is closed") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          if error.code == .closed { await hang() }
          throw error
        }
      })
    },
    Mutant("C7-wakes-send", "never wakes a writer that waits") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        do throws(TransportError) {
          try await connection.send(bytes, before: deadline)
        } catch {
          if error.code == .closed { await hang() }
          throw error
        }
      })
    },
    Mutant("C8-wakes-both", "leaves a receive waiting when it is aborted") { _, _ in
      let isAborted = Shared(false)
      return ConnectionHooks(
        receive: { connection, queue, deadline throws(TransportError) in
          do throws(TransportError) {
            return try await connection.receive(into: &queue, before: deadline)
          } catch {
            if isAborted.value { await hang() }
            throw error
          }
        },
        abort: { connection in
          isAborted.value = true
          connection.abort()
        })
    },
    Mutant("C10-after-close", "says lost after close") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          throw error.code == .closed ? .broken(.lost) : error
        }
      })
    },
    Mutant("C10-after-abort", "takes bytes after abort, and drops them") { _, _ in
      let isAborted = Shared(false)
      return ConnectionHooks(
        send: { connection, bytes, deadline throws(TransportError) in
          if !isAborted.value { try await connection.send(bytes, before: deadline) }
        },
        abort: { connection in
          isAborted.value = true
          connection.abort()
        })
    },
  ]

  static let lossMutants: [Mutant] = [
    Mutant("C9-close", "does not notice a peer’s close until it sends") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        let reception = try await connection.receive(into: &queue, before: deadline)
        if reception == .finished { await hang() }
        return reception
      })
    },
    Mutant("C9-abort", "does not notice a peer’s abort until it sends") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          if error.code == .lost { await hang() }
          throw error
        }
      })
    },
    Mutant("C8-told-from-finish", "takes a loss for a good end") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          guard error.code == .lost else { throw error }
          return .finished
        }
      })
    },
    Mutant("C8-sends-fail", "sends into the void when the peer is lost") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        do throws(TransportError) {
          try await connection.send(bytes, before: deadline)
        } catch {
          if error.code != .lost { throw error }
        }
      })
    },
    Mutant("C8-at-once", "waits in abort") { _, _ in
      ConnectionHooks(abort: { connection in
        usleep(150_000)
        connection.abort()
      })
    },
    Mutant("C8-arrived-first", "delivers the later half of what had arrived before a loss") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        var own = ByteQueue()
        let reception = try await connection.receive(into: &own, before: deadline)
        guard own.count > 1_000 else {
          queue.append(own.take(own.count))
          return reception
        }
        do throws(TransportError) {
          _ = try await connection.receive(into: &own, before: .now - .seconds(1))
        } catch {
          if error.code == .lost { own.drop(own.count / 2) }
        }
        let bytes = own.take(own.count)
        queue.append(bytes)
        return .bytes(bytes.count)
      })
    },
    Mutant("C10-after-loss", "says closed when the loss of the peer is asked for again") { _, _ in
      let count = Shared(0)
      return ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        do throws(TransportError) {
          try await connection.send(bytes, before: deadline)
        } catch {
          throw error.code == .lost && count.next() > 1 ? .broken(.closed) : error
        }
      })
    },
    Mutant("C12-dropped", "keeps connections that are dropped") {
      let kept = Shared<[any Connection]>([])
      return Hooks(connection: { connection, _ in
        kept.change { $0.append(connection) }
        return ConnectionHooks()
      })
    },
  ]

  static let independenceMutants: [Mutant] = [
    Mutant("C13-frozen-peer", "has one queue for the sends of all connections") {
      let isSending = Shared(false)
      return Hooks(connection: { _, _ in
        ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
          while isSending.change({ sending in
            defer { sending = true }
            return sending
          }) {
            if let deadline, .now > deadline { throw .broken(.timedOut) }
            if Task.isCancelled { throw .broken(.cancelled) }
            try? await Task.sleep(for: .milliseconds(1))
          }
          defer { isSending.value = false }
          try await connection.send(bytes, before: deadline)
        })
      })
    },
    Mutant("C13-one-fails", "ends all connections when one fails") {
      let all = Shared<[any Connection]>([])
      return Hooks(connection: { connection, _ in
        all.change { $0.append(connection) }
        return ConnectionHooks(abort: { _ in for connection in all.value { connection.abort() } })
      })
    },
    Mutant("C13-old-handle", "closes the newest connection when an old one is closed again") {
      let newest = Shared<(any Connection)?>(nil)
      return Hooks(connection: { connection, _ in
        newest.value = connection
        let count = Shared(0)
        return ConnectionHooks(close: { connection in
          await (count.next() > 1 ? newest.value ?? connection : connection).close()
        })
      })
    },
    Mutant("C10-same-codes", "has a code of its own for what times out at the accepting end") { _, isAccepted in
      guard isAccepted else { return ConnectionHooks() }
      return ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          throw error.code == .timedOut ? .broken(.other) : error
        }
      })
    },
  ]
}
