internal import CPeers
internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import InMemoryLedger
internal import Scene
internal import SocketIO
internal import TCPTransport
internal import TLSTransport

extension Workload {
  /// Bytes of this process's memory for each of so many attendees that are connected over TCP and say nothing. They
  /// are in another process.
  static let idleMemory = [
    Workload("idle", on: .two) { count in
      let (listener, _) = try await Line.listen()
      return try await hold(count, at: listener, by: "idle")
    },
    Workload("idle-tls", on: .two) { count in
      let identities = try TLSIdentities()
      let transport = try identities.wrapper().wrap(TCPTransport(loops: EventLoopGroup(count: 2)))
      let listener = try await transport.listen(on: Endpoint("tls+tcp://127.0.0.1:0"))
      return try await hold(count, at: listener, by: "idle-tls", knowing: identities)
    },
    // Not only the connection: the kiosk's session, which has said hello and waits for a request.
    Workload("idle-session", on: .two) { count in
      let loops = try EventLoopGroup(count: 2)
      let doors = Doors()
      var configuration = try Meetup().kiosk(ledger: InMemoryLedger(), observer: doors)
      configuration.allowsInsecureTransports = true
      configuration.holds(count + 100)
      let kiosk = try await Kiosk(configuration)
      let registry = try TransportRegistry([TCPTransport(loops: loops)])
      let run = Task { try await kiosk.run(on: [Endpoint("tcp://127.0.0.1:0")], over: registry) }
      let port = try await doors.next().port
      let early = try Child.start(["serve", "idle-greeted", "\(port)", "100"])
      try early.awaitSign()
      let before = Memory.resident
      let child = try Child.start(["serve", "idle-greeted", "\(port)", "\(count)"])
      try child.awaitSign()
      let each = Double(Memory.resident - before) / Double(count)
      run.cancel()
      withExtendedLifetime(early) {}
      withExtendedLifetime(child) {}
      _ = try? await run.value
      return each
    },
  ]

  private static func hold(
    _ count: Int, at listener: any Listener, by part: String, knowing identities: TLSIdentities? = nil
  ) async throws -> Double {
    let early = try Child.start(["serve", part, "\(listener.endpoint.port)", "100"])
    if let identities { try early.say(identities.attendeeText) }
    var held = try await accept(100, from: listener)
    let before = Memory.resident
    let child = try Child.start(["serve", part, "\(listener.endpoint.port)", "\(count)"])
    if let identities { try child.say(identities.attendeeText) }
    held += try await accept(count, from: listener)
    let cost = Memory.resident - before
    for (channel, task) in held {
      channel.abort()
      guard await task.value == false else { throw BenchmarkError("An attendee that says nothing was heard.") }
    }
    withExtendedLifetime(early) {}
    withExtendedLifetime(child) {}
    return Double(cost) / Double(count)
  }

  /// Each has a task that waits for it to speak, as a kiosk does.
  static func accept(
    _ count: Int, from listener: any Listener
  ) async throws -> [(MessageChannel, Task<Bool, Never>)] {
    var held: [(MessageChannel, Task<Bool, Never>)] = []
    held.reserveCapacity(count)
    for _ in 0..<count {
      let channel = MessageChannel(try await listener.accept())
      held.append((channel, Task(executorPreference: channel.executor) { (try? await channel.receive()) != nil }))
    }
    // The last task has begun to wait when a later one has run.
    await Task(executorPreference: held.last?.0.executor) {}.value
    return held
  }
}

extension Part {
  /// They connect and say nothing.
  static let idleParts = [
    Part("idle") { port, count in _ = raw_hold(port, count, 0) },
    Part("idle-greeted") { port, count in _ = raw_hold(port, count, 1) },
    Part("idle-tls") { port, count in
      let transport = try TLSIdentities.attendee(from: readLine() ?? "").wrap(
        TCPTransport(loops: EventLoopGroup(count: 1)))
      var held: [any Connection] = []
      for _ in 0..<count {
        held.append(try await transport.connect(to: Endpoint("tls+tcp://127.0.0.1:\(port)"), before: nil))
      }
      // Until the measuring process has what it wants.
      _ = readLine()
      withExtendedLifetime(held) {}
    },
  ]
}

/// What this process has of the machine's memory.
enum Memory {
  /// The bytes that are resident now.
  static var resident: Int {
    // Unsafe: the file is ours, and the buffer lives as long as the call.
    guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
    defer { unsafe _ = fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe fread(&buffer, 1, buffer.count, file)
    let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("VmRSS:") }
    return (line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
  }
}
