internal import CheckIn
internal import Glibc
internal import SocketIO
internal import Synchronization
internal import TestSupport
internal import Testing
internal import UnixTransport

/// A directory of its own, removed with what is in it.
final class ScratchDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/checkin-test-XXXXXX".utf8CString)
    // Unsafe: C writes the name into the template, whose length stays.
    guard unsafe mkdtemp(&template) != nil else { throw SystemError(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // Unsafe: C reads the path during the call.
    for name in ["s", "t"] + (0..<64).map({ "s\($0)" }) { _ = unsafe unlink("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }
}

@Suite("The Unix transport", .serialized)
struct UnixTransportTests {
  private func subject() throws -> TransportSubject {
    let loops = try EventLoopGroup(count: 2)
    let directory = try ScratchDirectory()
    let names = Mutex(0)
    let malformed = [
      "", "relative", "./s", "/tmp/", "/tmp/a\u{0}b", "/" + String(repeating: "x", count: 107), "@abstract",
    ]
    return TransportSubject(
      UnixTransport(loops: loops, backlog: 64),
      malformed: malformed.map { Endpoint(scheme: "unix", address: $0) }, listenOnly: [], queueBound: 300,
      freshAddress: {
        let number = names.withLock { number in
          number += 1
          return number
        }
        return Endpoint(scheme: "unix", address: "\(directory.path)/s\(number)")
      }, end: { await loops.shutdown() })
  }

  @Test("keeps the contract", .timeLimit(.minutes(1)), arguments: ContractCheck.all)
  func keepsTheContract(check: ContractCheck) async throws {
    try await check.run(on: subject())
  }
}
