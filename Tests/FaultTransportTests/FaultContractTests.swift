internal import CheckIn
internal import FaultTransport
internal import Glibc
internal import InMemoryTransport
internal import SocketIO
internal import TCPTransport
internal import TestSupport
internal import Testing
internal import TransportConformance
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

  private var parameters: [Endpoint.Parameter] {
    switch self {
    case .memory, .tcp, .unix: []
    case .choppyMemory, .choppyTCP: [.init(name: "seed", value: "7"), .init(name: "split", value: "1..60000")]
    }
  }

  func subject() throws -> ConformanceSubject {
    switch self {
    case .memory, .choppyMemory: return subject(InMemoryTransport(), .names(scheme: "fault+memory"))
    case .tcp, .choppyTCP:
      let loops = try EventLoopGroup(count: 2)
      return subject(TCPTransport(loops: loops, backlog: 64), .hostAndPort(scheme: "fault+tcp")) {
        await loops.shutdown()
      }
    case .unix:
      let loops = try EventLoopGroup(count: 2)
      let folder = try SocketFolder()
      return subject(
        UnixTransport(loops: loops, backlog: 64), .files(scheme: "fault+unix", directory: folder.path)
      ) { [folder] in
        await loops.shutdown()
        _ = folder
      }
    }
  }

  private func subject(
    _ inner: any Transport, _ plain: ConformanceAddresses, end: @escaping @Sendable () async -> Void = {}
  ) -> ConformanceSubject {
    var addresses = plain.with(parameters: parameters)
    addresses.malformed += [("seed", "x"), ("split", "0"), ("cut-after", "-1"), ("delay", "5")].map { name, value in
      Endpoint(
        scheme: addresses.zero.scheme, address: addresses.zero.address,
        parameters: [Endpoint.Parameter(name: name, value: value)])
    }
    return ConformanceSubject(FaultTransport().wrap(inner), addresses: addresses, queueBound: 300, end: end)
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
    for number in 0..<64 { _ = unsafe unlink("\(path)/c\(number).sock") }
    _ = unsafe rmdir(path)
  }
}

@Suite("The fault transport, without a fault", .serialized)
struct FaultContractTests {
  @Test(
    "conforms as what it wraps does", .timeLimit(.minutes(2)), arguments: Wrapped.allCases, ConformanceSuite.checks)
  func conforms(wrapped: Wrapped, check: ConformanceCheck) async throws {
    let result = await check.run(on: try wrapped.subject())
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }

  @Test("has the capabilities of what it wraps, but for discovery")
  func hasTheCapabilities() {
    let memory = InMemoryTransport()
    let wrapped = FaultTransport().wrap(memory)
    #expect(wrapped.capabilities == memory.capabilities.subtracting(.discovery))
    #expect((wrapped as? any DiscoverableTransport) == nil)
    #expect(wrapped.scheme == "fault+memory")
  }
}
