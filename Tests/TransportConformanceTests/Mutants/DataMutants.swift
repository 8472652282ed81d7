internal import CheckIn
internal import CheckInCore

extension Mutant {
  /// One that changes what is sent.
  private init(
    _ check: String, _ fault: String,
    change: @escaping @Sendable (_ bytes: [UInt8], _ number: Int, _ sent: Int) -> [UInt8]
  ) {
    self.init(check, fault) { _, _ in
      let count = Shared(0)
      let sent = Shared(0)
      return ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        let before = sent.value
        sent.value += bytes.count
        try await connection.send(change(bytes, count.next(), before), before: deadline)
      })
    }
  }

  static let dataMutants: [Mutant] = [
    Mutant("C1-exchange", "changes the first byte") { bytes, number, _ in
      number == 1 && !bytes.isEmpty ? [bytes[0] ^ 1] + bytes.dropFirst() : bytes
    },
    Mutant("C1-rounds", "changes a byte of the 700th message") { bytes, number, _ in
      number == 700 ? bytes.dropLast() + [bytes[bytes.count - 1] &+ 1] : bytes
    },
    Mutant("C1-sizes", "doubles a byte behind the size of a packet") { bytes, _, _ in
      bytes.count == 1_449 ? bytes + [bytes[1_448]] : bytes
    },
    Mutant("C1-large-both-ways", "flips a bit after four MiB") { bytes, _, sent in
      guard sent + bytes.count > 4 << 20 else { return bytes }
      var bytes = bytes
      bytes[bytes.count / 2] ^= 0x10
      return bytes
    },
    Mutant("C1-byte-by-byte", "loses a single byte now and then") { bytes, number, _ in
      bytes.count == 1 && number % 1_000 == 999 ? [] : bytes
    },
    Mutant("C1-many-unread", "changes the places of two sends") { _, _ in
      let count = Shared(0)
      let held = Shared<[UInt8]>([])
      return ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        if count.next() % 100 == 99 {
          held.value = bytes
          return
        }
        try await connection.send(bytes, before: deadline)
        let late = held.change { held in
          defer { held = [] }
          return held
        }
        if !late.isEmpty { try await connection.send(late, before: deadline) }
      })
    },
    Mutant("C1-before-accept", "drops what came before the connection was accepted") { _ in
      ListenerHooks(accept: { listener throws(TransportError) in
        let connection = try await listener.accept()
        var queue = ByteQueue()
        _ = try? await connection.receive(into: &queue, before: .now - .seconds(1))
        return connection
      })
    },
    Mutant("C14-empty-send", "takes a send of no bytes for the end") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        if bytes.isEmpty { return try await connection.finish() }
        try await connection.send(bytes, before: deadline)
      })
    },
    Mutant("C16-at-once", "has taken a part of what it says it has not taken") { _, _ in
      let count = Shared(0)
      return ConnectionHooks(sendAtOnce: { connection, bytes, prefix throws(TransportError) in
        guard count.next() % 10 == 9 else { return try connection.sendAtOnce(bytes, behind: prefix) }
        _ = try connection.sendAtOnce(Array(bytes.prefix(1)), behind: nil)
        return false
      })
    },
    Mutant("C1-copies", "sends from a buffer that the next send has changed already") { _, _ in
      let buffer = Shared<[[UInt8]]>([])
      return ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        buffer.change { waiting in waiting = waiting.map { $0.count == bytes.count ? bytes : $0 } + [bytes] }
        Task {
          await Task.yield()
          guard let first = buffer.change({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
          try? await connection.send(first, before: nil)
        }
      })
    },
    Mutant("C2-many-senders", "lets two senders mix") { _, _ in
      ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
        try await connection.send(Array(bytes.prefix(1_000)), before: deadline)
        await Task.yield()
        try await connection.send(Array(bytes.dropFirst(1_000)), before: deadline)
      })
    },
    Mutant("C3-counts", "counts fewer bytes than it adds") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        let reception = try await connection.receive(into: &queue, before: deadline)
        if case .bytes(let count) = reception, count > 1_000 { return .bytes(count - 1) }
        return reception
      })
    },
    Mutant("C3-counts", "overwrites what the queue holds") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        if queue.count < 10 { queue.drop(queue.count) }
        return try await connection.receive(into: &queue, before: deadline)
      })
    },
    Mutant("C3-waits", "answers no bytes where it should wait") { _, _ in
      ConnectionHooks(receive: { connection, queue, deadline throws(TransportError) in
        do throws(TransportError) {
          return try await connection.receive(into: &queue, before: .now - .seconds(1))
        } catch {
          guard error.code == .timedOut, deadline.map({ $0 > .now + .seconds(1) }) ?? true else { throw error }
          await Task.yield()
          return .bytes(0)
        }
      })
    },
    Mutant("C13-many-connections", "crosses two connections when there are many") {
      let connections = Shared<[any Connection]>([])
      return Hooks(connection: { connection, _ in
        connections.change { $0.append(connection) }
        return ConnectionHooks(send: { connection, bytes, deadline throws(TransportError) in
          let all = connections.value
          let place = all.firstIndex { $0 === connection } ?? 0
          // Those that were dialled are at the even places.
          let isCrossed = all.count > 60 && place % 40 == 20
          try await (isCrossed ? all[place + 2] : connection).send(bytes, before: deadline)
        })
      })
    },
    Mutant("C13-restart", "gives a new connection what the old one at its address had not read") {
      let unread = Shared<[UInt8]>([])
      return Hooks(
        listener: { _ in
          ListenerHooks(accept: { listener throws(TransportError) in
            let connection = try await listener.accept()
            let early = unread.change { unread in
              defer { unread = [] }
              return unread
            }
            return early.isEmpty ? connection : EarlyBytes(early, over: connection)
          })
        },
        connection: { connection, isAccepted in
          let taken = Shared(false)
          return ConnectionHooks(
            receive: { connection, queue, deadline throws(TransportError) in
              taken.value = true
              return try await connection.receive(into: &queue, before: deadline)
            },
            abort: { connection in
              if isAccepted, !taken.value { unread.value = [1, 2, 3] }
              connection.abort()
            })
        })
    },
  ]
}
