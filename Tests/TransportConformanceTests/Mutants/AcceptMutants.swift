internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import TransportConformance

extension Mutant {
  static let acceptMutants: [Mutant] = [
    Mutant("L2-order", "accepts the last connection first") { _ in
      let kept = Shared<[any Connection]>([])
      return ListenerHooks(accept: { listener throws(TransportError) in
        if let connection = kept.change({ $0.popLast() }) { return connection }
        let first = try await listener.accept()
        guard let second = await soon({ try await listener.accept() }) else { return first }
        kept.change { $0.append(first) }
        return second
      })
    },
    Mutant("L2-two-dials", "gives its one connection to everybody who dials the same address") {
      let pool = Shared<[Endpoint: any Connection]>([:])
      return Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        if let connection = pool.value[endpoint] { return connection }
        let connection = try await base.connect(to: endpoint, before: deadline)
        pool.change { $0[endpoint] = connection }
        return connection
      })
    },
    Mutant("L2-many-accept", "returns a connection to two accepts") { _ in
      let count = Shared(0)
      let last = Shared<(any Connection)?>(nil)
      return ListenerHooks(accept: { listener throws(TransportError) in
        let connection = try await listener.accept()
        if count.next() % 5 == 0, let twice = last.value { return twice }
        last.value = connection
        return connection
      })
    },
    Mutant("L5-cancelled", "says closed to an accept that is cancelled") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        do throws(TransportError) {
          return try await listener.accept()
        } catch {
          throw error.code == .cancelled ? .broken(.closed) : error
        }
      })
    },
    Mutant("L5-loses-none", "loses the connection of an accept that is cancelled") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        await Task.yield()
        let connection = try await apart { () throws(TransportError) in try await listener.accept() }
        if Task.isCancelled { throw .broken(.cancelled) }
        return connection
      })
    },
    Mutant("L5-others-wait-on", "cancels every accept when one is cancelled") { _ in
      let accepting = Shared<[Task<Result<any Connection, TransportError>, Never>]>([])
      return ListenerHooks(accept: { listener throws(TransportError) in
        let task = Task.immediate { () -> Result<any Connection, TransportError> in
          do throws(TransportError) { return .success(try await listener.accept()) } catch { return .failure(error) }
        }
        accepting.change { $0.append(task) }
        let result = await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          for task in accepting.value { task.cancel() }
        }
        return try result.get()
      })
    },
    Mutant("L6-gone-before-accept", "ends the listener when a connection is gone before it is accepted") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        let connection = try await listener.accept()
        var queue = ByteQueue()
        do throws(TransportError) {
          _ = try await connection.receive(into: &queue, before: .now - .seconds(1))
        } catch {
          guard error.code == .lost else { return connection }
          await listener.close()
          throw .broken(.other)
        }
        return connection
      })
    },
    Mutant("L7-silent-peers", "does not accept anybody until the one before has said something") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        let connection = try await listener.accept()
        var queue = ByteQueue()
        _ = try await connection.receive(into: &queue, before: nil)
        return EarlyBytes(queue.take(queue.count), over: connection)
      })
    },
    Mutant("L8-queue-goes-on", "loses a connection that had to wait for room in the queue") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await base.connect(
            to: endpoint, before: .now - .seconds(1))
        } catch {
          guard error.code == .timedOut else { throw error }
        }
        let connection = try await base.connect(to: endpoint, before: deadline)
        connection.abort()
        return connection
      })
    },
    Mutant(
      "L9-silent-handshake", "waits for ever for a handshake", unbroken: { handshaking(isBounded: true) },
      adjust: { subject, _ in subject.addBeneath() }, hooks: { handshaking(isBounded: false) }),
  ]

  /// The mutant whose check changes the limits of the whole process.
  static let outOfDescriptors = Mutant(
    "L6-out-of-descriptors", "ends the listener when there are no descriptors", base: .tcp,
    adjust: { subject, _ in subject.ownsProcess = true }
  ) {
    Hooks(listener: { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        // Unsafe: C reads the name during the call.
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
          await listener.close()
          throw .broken(.resourcesExhausted)
        }
        Glibc.close(descriptor)
        return try await listener.accept()
      })
    })
  }

  /// A handshake of one byte from the dialler. Broken: it is waited for in accept, for ever.
  private static func handshaking(isBounded: Bool) -> Hooks {
    Hooks(
      connect: { base, endpoint, deadline throws(TransportError) in
        let connection = try await base.connect(to: endpoint, before: deadline)
        try await connection.send([0x21], before: deadline)
        return connection
      },
      listener: { _ in
        ListenerHooks(accept: { listener throws(TransportError) in
          while true {
            let connection = try await listener.accept()
            var queue = ByteQueue()
            do throws(TransportError) {
              _ = try await connection.receive(into: &queue, before: isBounded ? .now + .milliseconds(50) : nil)
            } catch {
              connection.abort()
              if error.code == .cancelled { throw error }
              continue
            }
            guard queue.count > 0 else { continue }
            queue.drop(1)
            return EarlyBytes(queue.take(queue.count), over: connection)
          }
        })
      })
  }
}

extension ConformanceSubject {
  /// How to dial beneath the handshake.
  fileprivate mutating func addBeneath() {
    guard let hooked = transport as? HookedTransport else { return }
    stranger = { endpoint in try await hooked.base.connect(to: endpoint, before: nil) }
  }
}

/// A connection of which some bytes have been received already.
final class EarlyBytes: Connection {
  private let base: any Connection
  private let early: Shared<[UInt8]>

  init(_ bytes: [UInt8], over base: any Connection) {
    self.base = base
    early = Shared(bytes)
  }

  var local: Endpoint { base.local }
  var remote: Endpoint { base.remote }

  func receive(into queue: inout ByteQueue, before deadline: Deadline?) async throws(TransportError) -> Reception {
    let bytes = early.change { bytes in
      defer { bytes = [] }
      return bytes
    }
    guard bytes.isEmpty else {
      queue.append(bytes)
      return .bytes(bytes.count)
    }
    return try await base.receive(into: &queue, before: deadline)
  }

  func send(_ bytes: [UInt8], before deadline: Deadline?) async throws(TransportError) {
    try await base.send(bytes, before: deadline)
  }

  func finish() async throws(TransportError) { try await base.finish() }
  func close() async { await base.close() }
  func abort() { base.abort() }
}
