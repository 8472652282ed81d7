internal import CheckIn
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing
internal import TransportConformance
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
    for name in ["s", "t"] + (0..<64).map({ "c\($0).sock" }) { _ = unsafe unlink("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }
}

@Suite("The Unix transport", .serialized)
struct UnixTransportTests {
  @Test("conforms", .timeLimit(.minutes(2)), arguments: ConformanceSuite.checks)
  func conforms(check: ConformanceCheck) async throws {
    let loops = try EventLoopGroup(count: 2)
    let directory = try ScratchDirectory()
    var addresses = ConformanceAddresses.files(scheme: "unix", directory: directory.path)
    addresses.malformed.append(Endpoint(scheme: "unix", address: "@abstract"))
    let subject = ConformanceSubject(
      UnixTransport(loops: loops, linger: .seconds(1), backlog: 64), addresses: addresses, queueBound: 300,
      end: { [directory] in
        await loops.shutdown()
        _ = directory
      })
    let result = await check.run(on: subject)
    if let reason = result.skipReason { try Test.cancel("\(reason)") }
    #expect(result.failures.isEmpty, "\(result)")
  }
}

@Suite("Unix sockets", .timeLimit(.minutes(1)))
struct UnixTests {
  private let directory: ScratchDirectory
  private let loops: EventLoopGroup
  private let transport: UnixTransport
  private let path: String
  private let endpoint: Endpoint

  init() throws {
    directory = try ScratchDirectory()
    loops = try EventLoopGroup(count: 1)
    transport = UnixTransport(loops: loops)
    path = directory.path + "/s"
    endpoint = Endpoint(scheme: "unix", address: path)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    // Unsafe: C reads the path and writes the structure during the call.
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  /// A socket file as a dead program leaves it.
  private func leaveSocket() async throws {
    let scratch = Endpoint(scheme: "unix", address: directory.path + "/t")
    let listener = try await transport.listen(on: scratch)
    // Unsafe: C reads the paths during the call.
    #expect(unsafe link(scratch.address, path) == 0)
    await listener.close()
  }

  @Test("a socket file that a dead program left is replaced")
  func replacesLeftOver() async throws {
    try await leaveSocket()
    await expectError(.refused) { try await transport.connect(to: endpoint, before: nil) }
    let listener = try await transport.listen(on: endpoint)
    let near = try await transport.connect(to: listener.endpoint, before: nil)
    let far = try await listener.accept()
    try await near.send([1])
    #expect(try await far.receive(exactly: 1) == [1])
    await listener.close()
    #expect(mode(path) == nil)
  }

  @Test("a dial says what to look at where there is no socket, or nobody behind it", arguments: [true, false])
  func hints(isLeft: Bool) async throws {
    if isLeft { try await leaveSocket() }
    let error = await #expect(throws: TransportError.self) { try await transport.connect(to: endpoint, before: nil) }
    #expect(error?.code == .refused)
    #expect(error?.message.hasSuffix("Is the other program running, and at this address?") == true, "\(error)")
  }

  @Test("a dial below a file says what to look at")
  func hintsBelowFile() async throws {
    try await leaveSocket()
    let below = Endpoint(scheme: "unix", address: path + "/below")
    let error = await #expect(throws: TransportError.self) { try await transport.connect(to: below, before: nil) }
    #expect(error?.code == .refused)
    #expect(error?.message.hasSuffix("Is the other program running, and at this address?") == true, "\(error)")
  }

  @Test("of many that find a left-over file at once, one gets the address")
  func replacesOnce() async throws {
    for _ in 0..<20 {
      try await leaveSocket()
      let listeners = await withTaskGroup(of: (any Listener)?.self) { group in
        for _ in 0..<8 {
          group.addTask { try? await transport.listen(on: endpoint) }
        }
        var listeners: [any Listener] = []
        for await listener in group { if let listener { listeners.append(listener) } }
        return listeners
      }
      #expect(listeners.count == 1)
      _ = try await transport.connect(to: endpoint, before: nil)
      for listener in listeners { await listener.close() }
    }
  }

  @Test("a file that is no socket is never removed", arguments: [true, false])
  func keepsOtherFiles(isDirectory: Bool) async throws {
    // Unsafe: C reads the path during the call.
    if isDirectory {
      #expect(unsafe mkdir(path, 0o700) == 0)
    } else {
      let number = unsafe open(path, O_CREAT | O_WRONLY, 0o644)
      #expect(number >= 0)
      close(number)
    }
    await expectError(.addressInUse) { try await transport.listen(on: endpoint) }
    await expectError(.refused) { try await transport.connect(to: endpoint, before: nil) }
    #expect(mode(path) == (isDirectory ? 0o700 : 0o644))
    if isDirectory { _ = unsafe rmdir(path) }
  }

  @Test("the file lets only the same user in, unless mode says otherwise", arguments: ["0600", "0666", "660", "0700"])
  func setsMode(digits: String) async throws {
    let listener = try await transport.listen(
      on: Endpoint(scheme: "unix", address: path, parameters: [.init(name: "mode", value: digits)]))
    #expect(mode(path) == mode_t(digits, radix: 8))
    #expect(listener.endpoint == endpoint)
    await listener.close()
    let plain = try await transport.listen(on: endpoint)
    #expect(mode(path) == 0o600)
    await plain.close()
  }

  @Test("a mode that cannot be read is refused", arguments: ["", "6", "0999", "rw", "10000", "-600", "+600", "1777"])
  func refusesMode(digits: String) async throws {
    let endpoint = Endpoint(scheme: "unix", address: path, parameters: [.init(name: "mode", value: digits)])
    await expectError(.addressMalformed) { try await transport.listen(on: endpoint) }
  }

  @Test("a listener that closes does not remove what has taken its path since")
  func keepsForeignFile() async throws {
    let listener = try await transport.listen(on: endpoint)
    _ = unsafe unlink(path)
    let other = try await transport.listen(on: endpoint)
    await listener.close()
    let near = try await transport.connect(to: endpoint, before: nil)
    #expect(try await other.accept().remote == near.local)
    await other.close()
    #expect(mode(path) == nil)
  }

  @Test("a directory that is not there is said in words")
  func missingDirectory() async throws {
    let endpoint = Endpoint(scheme: "unix", address: directory.path + "/none/s")
    await expectError(.addressUnavailable) { try await transport.listen(on: endpoint) }
    await expectError(.refused) { try await transport.connect(to: endpoint, before: nil) }
  }

  @Test("the longest path that a socket can have is listened on, one byte more is refused")
  func longestPath() async throws {
    let room = 107 - directory.path.utf8.count - 1
    let longest = directory.path + "/" + String(repeating: "s", count: room)
    let listener = try await transport.listen(on: Endpoint(scheme: "unix", address: longest))
    let near = try await transport.connect(to: listener.endpoint, before: nil)
    #expect(near.remote.address == longest)
    await listener.close()
    await expectError(.addressMalformed) {
      try await transport.listen(on: Endpoint(scheme: "unix", address: longest + "s"))
    }
  }

  @Test("a peer whose socket has no name is told by its process and user, and never by our own address")
  func unnamedPeer() async throws {
    let listener = try await transport.listen(on: endpoint)
    let peer = try Descriptor.stream(family: AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Unsafe: the path is shorter than the field; C reads the address during the call.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(peer.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    let far = try await listener.accept()
    #expect(far.local == endpoint)
    #expect(far.remote.parameter("pid") == "\(getpid())")
    #expect(far.remote != far.local)
    await expectError(.addressMalformed) { try await transport.connect(to: far.remote, before: nil) }
    await listener.close()
  }
}
