internal import CheckIn
internal import CheckInCore
internal import InMemoryLedger
internal import OpenSSLCryptography
internal import Scene
internal import SocketIO
internal import TCPTransport

/// One thing whose cost is counted.
struct CountedUnit: Sendable {
  /// How it is asked for.
  let name: String
  /// Sets the scene, and answers what `count` answers when it is handed what does the unit of a number.
  let play: @Sendable (_ count: Counting) async throws -> Double

  /// All of them.
  static let all = [
    CountedUnit(name: "frame") { count in try await frames(1, count) },
    CountedUnit(name: "64-frames") { count in try await frames(64, count) },
    CountedUnit(name: "sign-ed25519") { count in try await signing(.ed25519, count) },
    CountedUnit(name: "verify-ed25519") { count in try await verifying(.ed25519, count) },
    CountedUnit(name: "sign-es256") { count in try await signing(.es256, count) },
    CountedUnit(name: "verify-es256") { count in try await verifying(.es256, count) },
    CountedUnit(name: "check-in") { count in try await checkIn(count) },
  ]

  /// Frames with 64 bytes each, sent one by one and then received, over TCP, both ends on one thread.
  private static func frames(_ number: Int, _ count: Counting) async throws -> Double {
    let transport = TCPTransport(loops: try EventLoopGroup(count: 1))
    let listener = try await transport.listen(on: Endpoint("tcp://127.0.0.1:0"))
    let near = MessageChannel(try await transport.connect(to: listener.endpoint, before: .now + .seconds(10)))
    let far = MessageChannel(try await listener.accept())
    let message = [UInt8](repeating: 7, count: 64)
    return try await Task(executorPreference: near.executor) {
      try await count { _ in
        for _ in 0..<number { try await near.send(message) }
        for _ in 0..<number {
          guard try await far.receive()?.count == message.count else { throw BenchmarkError("A frame did not come.") }
        }
      }
    }.value
  }

  /// A signature of 300 bytes, about what is signed of a message.
  private static func signing(_ algorithm: SignatureAlgorithm, _ count: Counting) async throws -> Double {
    let key = try OpenSSLSigningKey.generate(algorithm)
    return try await count { _ in _ = try key.sign(signed.span) }
  }

  private static func verifying(_ algorithm: SignatureAlgorithm, _ count: Counting) async throws -> Double {
    let key = try OpenSSLSigningKey.generate(algorithm)
    let (signature, cryptography) = (try key.sign(signed.span), OpenSSLCryptography())
    return try await count { _ in
      guard cryptography.verify(signature.span, of: signed.span, by: key.publicKey) else {
        throw BenchmarkError("A signature of ours is not valid.")
      }
    }
  }

  private static let signed = [UInt8](repeating: 7, count: 300)

  /// A whole check-in over TCP, both sides on one thread.
  private static func checkIn(_ count: Counting) async throws -> Double {
    let transport = TCPTransport(loops: try EventLoopGroup(count: 1))
    let hall = try await Hall(
      ledger: InMemoryLedger(), over: TransportRegistry([transport]), at: ["tcp://127.0.0.1:0"],
      sessions: 10_000)
    let attendees = try hall.attendees(count.all, named: "ada")
    return try await hall.open { places in
      try await count { number in try await hall.checkIn(attendees[number], at: places[0]) }
    }
  }
}
