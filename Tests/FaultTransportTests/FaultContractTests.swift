internal import CheckIn
internal import FaultTransport
internal import Glibc
internal import InMemoryTransport
internal import SocketIO
internal import Synchronization
internal import TCPTransport
internal import TestSupport
internal import Testing
internal import UnixTransport

/// What is wrapped, and with which parameters that change no byte.
enum Wrapped: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case tcp
  case unix
  /// In pieces of all sizes, by the way that bytes with faults go.
  case choppyMemory
  case choppyTCP

  var testDescription: String { rawValue }

  var parameters: [Endpoint.Parameter] {
    switch self {
    case .memory, .tcp, .unix: []
    case .choppyMemory, .choppyTCP:
      [
        .init(name: "seed", value: "7"), .init(name: "split", value: "1..60000"),
      ]
    }
  }

  func subject() throws -> TransportSubject {
    let parameters = parameters
    switch self {
    case .memory, .choppyMemory:
      let names = Mutex(0)
      return subject(of: InMemoryTransport(), malformed: ["", "a b", "lobby:1"], listenOnly: ["0"], queueBound: 300) {
        let number = names.withLock { number in
          number += 1
          return number
        }
        return Endpoint(
          scheme: "fault+memory", address: number % 2 == 0 ? "0" : "lobby-\(number)", parameters: parameters)
      }
    case .tcp, .choppyTCP:
      let loops = try EventLoopGroup(count: 2)
      return subject(
        of: TCPTransport(loops: loops, backlog: 64), malformed: ["", "127.0.0.1", "127.0.0.1:65536"],
        listenOnly: ["0.0.0.0:0", "127.0.0.1:0"], queueBound: 300, end: { await loops.shutdown() }
      ) {
        Endpoint(scheme: "fault+tcp", address: "127.0.0.1:0", parameters: parameters)
      }
    case .unix:
      let loops = try EventLoopGroup(count: 2)
      let folder = try SocketFolder()
      let names = Mutex(0)
      return subject(
        of: UnixTransport(loops: loops, backlog: 64), malformed: ["", "relative"], listenOnly: [], queueBound: 300,
        end: { await loops.shutdown() }
      ) {
        let number = names.withLock { number in
          number += 1
          return number
        }
        return Endpoint(scheme: "fault+unix", address: "\(folder.path)/s\(number)", parameters: parameters)
      }
    }
  }

  private func subject(
    of inner: any Transport, malformed: [String], listenOnly: [String], queueBound: Int,
    end: @escaping @Sendable () async -> Void = {}, freshAddress: @escaping @Sendable () -> Endpoint
  ) -> TransportSubject {
    let scheme = "fault+\(inner.scheme)"
    let address = freshAddress()
    let broken = [("seed", "x"), ("split", "0"), ("cut-after", "-1"), ("delay", "5")].map { name, value in
      Endpoint(scheme: scheme, address: address.address, parameters: [.init(name: name, value: value)])
    }
    return TransportSubject(
      FaultTransport().wrap(inner),
      malformed: malformed.map { Endpoint(scheme: scheme, address: $0) } + broken,
      listenOnly: listenOnly.map { Endpoint(scheme: scheme, address: $0) }, queueBound: queueBound,
      freshAddress: freshAddress, end: end)
  }
}

/// A folder for sockets, removed with what is in it.
final class SocketFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/fault-test-XXXXXX".utf8CString)
    // Unsafe: C writes the name into the template, whose length stays.
    guard unsafe mkdtemp(&template) != nil else { throw SystemError(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // Unsafe: C reads the path during the call.
    for number in 0..<64 { _ = unsafe unlink("\(path)/s\(number)") }
    _ = unsafe rmdir(path)
  }
}

@Suite("The fault transport, without a fault", .serialized)
struct FaultContractTests {
  @Test("keeps the contract of what it wraps", .timeLimit(.minutes(1)), arguments: Wrapped.allCases, ContractCheck.all)
  func keepsTheContract(wrapped: Wrapped, check: ContractCheck) async throws {
    try await check.run(on: wrapped.subject())
  }

  @Test("has the capabilities of what it wraps")
  func hasTheCapabilities() {
    let memory = InMemoryTransport()
    let wrapped = FaultTransport().wrap(memory)
    #expect(wrapped.capabilities == memory.capabilities)
    #expect(wrapped.scheme == "fault+memory")
  }
}
