internal import CheckIn
internal import CheckInCore
internal import Glibc

extension Mutant {
  static let threadMutants: [Mutant] = [
    Mutant("T9-accept", "blocks the thread of an accept that waits") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        blockThread()
        return try await listener.accept()
      })
    },
    Mutant("T9-receive", "blocks the thread of a receive that waits") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        if deadline == nil { blockThread() }
        return try await connection.receive(into: &queue, before: deadline)
      })
    },
    Mutant("T9-send", "blocks the thread of a send that waits") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        if deadline == nil { blockThread() }
        try await connection.send(bytes, before: deadline)
      })
    },
    Mutant("T9-dial", "blocks the thread of a dial that waits") {
      Hooks(connect: { base, endpoint, deadline throws(TransportError) in
        if let deadline, deadline < .now + .milliseconds(500) {
          return try await base.connect(to: endpoint, before: deadline)
        }
        blockThread()
        return try await base.connect(to: endpoint, before: deadline)
      })
    },
    Mutant("T9-close", "blocks the thread of a close") { _, _ in
      ConnectionHooks(close: { connection in
        blockThread()
        await connection.close()
      })
    },
    Mutant("T9-many-wait", "serves nobody else when many calls wait") {
      let waiting = Shared(0)
      return Hooks(
        connect: { base, endpoint, deadline throws(TransportError) in
          if waiting.value > 32 { await hang() }
          return try await base.connect(to: endpoint, before: deadline)
        },
        listener: { _ in
          ListenerHooks(accept: { listener throws(TransportError) in
            _ = waiting.next()
            defer { waiting.change { $0 -= 1 } }
            return try await listener.accept()
          })
        })
    },
  ]

  /// For longer than the check waits.
  private static func blockThread() {
    let end = ContinuousClock.now + .seconds(1)
    while !Task.isCancelled, .now < end { usleep(1_000) }
  }
}
