internal import CheckIn
internal import CheckInCore

extension Mutant {
  static let waitingMutants: [Mutant] = [
    Mutant("C3-unread-peer", "buffers without a bound") { connection, _ in
      let pump = Pump(connection)
      return ConnectionHooks(
        send: { _, bytes, _ throws(TransportError) in try pump.take(bytes) },
        finish: { _ throws(TransportError) in await pump.flush() },
        close: { connection in
          await pump.flush()
          await connection.close()
        })
    },
    Mutant("C4-send-timeout", "drops the rest of a send that times out") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        try await connection.sendInPieces(bytes, of: 1_000, before: deadline)
      })
    },
    Mutant("C4-send-timeout", "ends the connection when a send times out") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        do throws(TransportError) {
          try await connection.send(bytes, before: deadline)
        } catch {
          if error.code == .timedOut { connection.abort() }
          throw error
        }
      })
    },
    Mutant("C4-send-deadline", "waits for ever when a send’s deadline is past") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        try await connection.send(bytes, before: deadline.flatMap { $0 < .now ? nil : $0 })
      })
    },
    Mutant("C4-receive-deadline", "says cancelled when a receive times out") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          throw error.code == .timedOut ? .broken(.cancelled) : error
        }
      })
    },
    Mutant("C5-deadlines", "ends a receive when a send times out") { _, _ in
      let receiving = Shared<Task<(Result<Reception, TransportError>, [UInt8]), Never>?>(nil)
      return ConnectionHooks(
        receive: { connection, queue, deadline throws(TransportError) in
          let task = Task.immediate {
            var own = ByteQueue()
            let result: Result<Reception, TransportError>
            do throws(TransportError) {
              result = .success(try await connection.receive(into: &own, before: deadline))
            } catch {
              result = .failure(error)
            }
            return (result, own.take(own.count))
          }
          receiving.value = task
          let (result, bytes) = await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
          queue.append(bytes)
          return try result.get()
        },
        send: { connection, bytes, deadline throws(TransportError) in
          do throws(TransportError) {
            try await connection.send(bytes, before: deadline)
          } catch {
            if error.code == .timedOut { receiving.value?.cancel() }
            throw error
          }
        })
    },
    Mutant("C5-both-wait", "does not send while a receive waits") { _, _ in
      let isReceiving = Shared(false)
      return ConnectionHooks(
        receive: { connection, queue, deadline throws(TransportError) in
          isReceiving.value = true
          defer { isReceiving.value = false }
          return try await connection.receive(into: &queue, before: deadline)
        },
        send: { connection, bytes, deadline throws(TransportError) in
          while isReceiving.value {
            if let deadline, .now > deadline { throw .broken(.timedOut) }
            if Task.isCancelled { throw .broken(.cancelled) }
            try? await Task.sleep(for: .milliseconds(1))
          }
          try await connection.send(bytes, before: deadline)
        })
    },
  ]

  static let cancellingMutants: [Mutant] = [
    Mutant("C4-receive-cancelled", "ends the connection when a receive is cancelled") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: deadline)
        } catch {
          if error.code == .cancelled { connection.abort() }
          throw error
        }
      })
    },
    Mutant("C4-receive-loses-none", "loses what had come when a receive is cancelled") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        var own = ByteQueue()
        let reception = try await connection.receive(into: &own, before: deadline)
        await Task.yield()
        if Task.isCancelled { throw .broken(.cancelled) }
        queue.append(own.take(own.count))
        return reception
      })
    },
    Mutant("C4-send-cancelled", "says timed out when a send is cancelled") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        do throws(TransportError) {
          try await connection.send(bytes, before: deadline)
        } catch {
          throw error.code == .cancelled ? .broken(.timedOut) : error
        }
      })
    },
    Mutant("C4-sends-whole-or-none", "drops the rest of a send that is cancelled") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        try await connection.sendInPieces(bytes, of: 10_000, before: deadline)
      })
    },
    Mutant("C12-cancelled-owner", "keeps a connection whose receive was cancelled") {
      let kept = Shared<[any Connection]>([])
      return Hooks(connection: { _, _ in
        ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
          do throws(TransportError) {
            return try await connection.receive(into: &queue, before: deadline)
          } catch {
            if error.code == .cancelled { kept.change { $0.append(connection) } }
            throw error
          }
        })
      })
    },
  ]
}

extension Connection {
  func sendInPieces(_ bytes: [UInt8], of size: Int, before deadline: Deadline?) async throws(TransportError) {
    if bytes.isEmpty { return try await send(bytes, before: deadline) }
    for start in stride(from: 0, to: bytes.count, by: size) {
      try await send(Array(bytes[start..<min(start + size, bytes.count)]), before: deadline)
    }
  }
}

/// Sends behind the back of who asked for it.
final class Pump: Sendable {
  private struct State {
    var waiting: [[UInt8]] = []
    var isRunning = false
    var isOver = false
    var onEmpty: [Waiter<Void>] = []
  }

  private let connection: any Connection
  private let state = Shared(State())

  init(_ connection: any Connection) {
    self.connection = connection
  }

  func take(_ bytes: [UInt8]) throws(TransportError) {
    let isFirst = state.change { state in
      guard !state.isOver else { return nil as Bool? }
      state.waiting.append(bytes)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard let isFirst else { throw .broken(.closed) }
    if isFirst { Task { await run() } }
  }

  /// Drops what has not gone out.
  func drop() {
    state.change { state in
      state.isOver = true
      state.waiting = []
    }
  }

  func flush() async {
    let waiter = Waiter<Void>()
    let isEmpty = state.change { state in
      state.isOver = true
      if state.isRunning { state.onEmpty.append(waiter) }
      return !state.isRunning
    }
    if !isEmpty { _ = await waiter.wait(before: .now + .seconds(2)) }
  }

  private func run() async {
    while true {
      let (bytes, waiters) = state.change { state -> ([UInt8]?, [Waiter<Void>]) in
        if !state.waiting.isEmpty { return (state.waiting.removeFirst(), []) }
        state.isRunning = false
        return (nil, state.onEmpty)
      }
      for waiter in waiters { waiter.settle(()) }
      guard let bytes else { return }
      // Late, so that what is closed at once finds something here.
      await Task.yield()
      try? await connection.send(bytes, before: nil)
    }
  }
}
