internal import BlueZTransport
internal import CheckIn
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite("The message bus", .timeLimit(.minutes(1)))
struct MessageBusTests {
  /// A connection that hears nothing.
  private func connect(_ bus: PrivateBus) throws -> MessageBus {
    try MessageBus(bus.address) { _ in }
  }

  private func name(of connection: MessageBus) async throws -> String {
    let answer = try await connection.call(.bus("RequestName", .string("test.echo"), .uint32(0)), before: .soon)
    #expect(answer == [.uint32(1)])
    return "test.echo"
  }

  @Test("values of every type arrive as they were sent, out and back")
  func values() async throws {
    let values: [BusValue] = [
      .byte(255), .bool(true), .bool(false), .int16(-32_768), .uint16(65_535), .int32(.min), .uint32(.max),
      .int64(.min), .uint64(.max), .double(-0.5), .string(""), .string("Grüße, 世界 🎟"), .path("/"), .path("/a/b_1"),
      .signature("a{oa{sv}}"), .bytes([]), .bytes([0, 255, 7]), .array(of: "q", []),
      .array(of: "q", [.uint16(1), .uint16(2)]), .structure([.byte(1), .structure([.string("in")])]),
      .variant(.variant(.variant(.bytes([1])))), .properties([:]),
      .properties(["b": .bool(true), "list": .array(of: "s", [.string("x")])]),
      .dictionary(
        of: "{oa{sa{sv}}}",
        [(.path("/x"), .dictionary(of: "{sa{sv}}", [(.string("i"), .properties(["p": .bytes([9])]))]))]),
    ]
    try await PrivateBus.run { bus in
      let (one, other) = (try connect(bus), try connect(bus))
      one.serve("/echo") { .values($0.arguments) }
      let name = try await name(of: one)
      #expect(try await other.call(BusCall(name, "/echo", "a.b", "Echo", values), before: .soon) == values)
      for value in values {
        #expect(try await other.call(BusCall(name, "/echo", "a.b", "Echo", [value]), before: .soon) == [value])
      }
    }
  }

  @Test("errors arrive by their names, and so does a call to nobody, to no object and without permission")
  func errors() async throws {
    try await PrivateBus.run(policy: "<deny send_interface=\"secret.thing\"/>") { bus in
      let (one, other) = (try connect(bus), try connect(bus))
      one.serve("/bad") { _ in .error(name: "org.bluez.Error.Failed", text: "no") }
      one.serve("/worse") { _ in .values([.path("not a path")]) }
      let name = try await name(of: one)
      func failure(_ destination: String, _ path: String, _ interface: String = "a.b") async -> BusError? {
        do throws(BusError) {
          _ = try await other.call(BusCall(destination, path, interface, "Do"), before: .soon)
          return nil
        } catch {
          return error
        }
      }
      #expect(await failure(name, "/bad") == .refused(name: "org.bluez.Error.Failed", text: "no"))
      func refusal(_ destination: String, _ path: String, _ interface: String = "a.b") async -> String? {
        guard case .refused(let name, _) = await failure(destination, path, interface) else { return nil }
        return name
      }
      #expect(await refusal(name, "/nothing") == "org.freedesktop.DBus.Error.UnknownMethod")
      #expect(await refusal(name, "/worse") == "org.freedesktop.DBus.Error.Failed")
      #expect(await refusal("nobody.here", "/x") == "org.freedesktop.DBus.Error.NameHasNoOwner")
      #expect(await refusal(name, "/bad", "secret.thing") == "org.freedesktop.DBus.Error.AccessDenied")
      #expect(await failure(name, "no path") == .unwritable(EINVAL))
      #expect(await failure("", "/bad") == .unwritable(EINVAL))
    }
  }

  @Test("what is too deep, and a text with a zero in it, is refused, and the connection works on")
  func limits() async throws {
    try await PrivateBus.run { bus in
      let (one, other) = (try connect(bus), try connect(bus))
      one.serve("/echo") { request in
        guard request.member == "Deep" else { return .values(request.arguments) }
        return .values([(0..<40).reduce(BusValue.byte(1)) { inner, _ in .variant(inner) }])
      }
      let name = try await name(of: one)
      await #expect(throws: BusError.unreadable) {
        try await other.call(BusCall(name, "/echo", "a.b", "Deep"), before: .soon)
      }
      await #expect(throws: BusError.unwritable(EINVAL)) {
        try await other.call(BusCall(name, "/echo", "a.b", "Echo", [.string("a\u{0}b")]), before: .soon)
      }
      let many = BusValue.array(of: "u", (0..<100_000).map { .uint32($0) })
      #expect(try await other.call(BusCall(name, "/echo", "a.b", "Echo", [many]), before: .soon) == [many])
      let tooMany = BusValue.array(of: "y", [])
      #expect(try await other.call(BusCall(name, "/echo", "a.b", "Echo", [tooMany]), before: .soon) == [.bytes([])])
    }
  }

  @Test("where there is no bus every call says so, also later")
  func noBus() async throws {
    for address in ["unix:path=/nonexistent/bus", "nonsense", ""] {
      let ends = Mutex(0)
      let connection = try MessageBus(.at(address)) { _ in ends.withLock { $0 += 1 } }
      for _ in 0..<2 {
        do throws(BusError) {
          _ = try await connection.call(.bus("GetId"), before: .soon)
          Issue.record("there is a bus at “\(address)”")
        } catch {
          guard case .noBus = error else { Issue.record("\(error)"); continue }
        }
      }
      #expect(ends.withLock { $0 } == 1)
    }
  }

  @Test("a bus that ends ends what waits, and is told of once")
  func ending() async throws {
    try await PrivateBus.run { bus in
      let ends = Mutex(0)
      let connection = try MessageBus(bus.address) { event in
        if case .ended = event { ends.withLock { $0 += 1 } }
      }
      let gate = Mutex(false)
      let other = try connect(bus)
      other.serve("/slow") { _ in
        while !gate.withLock({ $0 }) { usleep(1_000) }
        return .values([])
      }
      let name = try await name(of: other)
      let call = Task { try await connection.call(BusCall(name, "/slow", "a.b", "Do"), before: .soon) }
      // Known to the bus by now, and so sent.
      _ = try await connection.call(.bus("GetId"), before: .soon)
      bus.process.signal(SIGKILL)
      await #expect(throws: BusError.self) { try await call.value }
      #expect(ends.withLock { $0 } == 1)
      gate.withLock { $0 = true }
    }
  }

  @Test("calls end by their deadlines and with their tasks, and an answer that comes later is nobody's")
  func waits() async throws {
    try await PrivateBus.run { bus in
      let (one, other) = (try connect(bus), try connect(bus))
      let gate = Mutex(false)
      one.serve("/echo") { request in
        while request.member == "Slow", !gate.withLock({ $0 }) { usleep(1_000) }
        return .values(request.arguments)
      }
      let name = try await name(of: one)
      let slow = BusCall(name, "/echo", "a.b", "Slow", [.byte(1)])
      await #expect(throws: BusError.timedOut) { try await other.call(slow, before: .now + .milliseconds(5)) }
      let cancelled = Task { try await other.call(slow, before: .soon) }
      cancelled.cancel()
      await #expect(throws: BusError.cancelled) { try await cancelled.value }
      gate.withLock { $0 = true }
      #expect(try await other.call(BusCall(name, "/echo", "a.b", "Fast", [.byte(2)]), before: .soon) == [.byte(2)])
      other.close()
      await #expect(throws: BusError.self) { try await other.call(slow, before: .soon) }
    }
  }

  @Test("a hundred calls at once from many tasks each get their own answer")
  func many() async throws {
    try await PrivateBus.run { bus in
      let (one, other) = (try connect(bus), try connect(bus))
      one.serve("/echo") { .values($0.arguments) }
      let name = try await name(of: one)
      try await withThrowingTaskGroup { group in
        for number in 0..<100 {
          group.addTask {
            let value = BusValue.string(String(repeating: "x", count: number * 100) + "\(number)")
            let answer = try await other.call(BusCall(name, "/echo", "a.b", "Echo", [value]), before: .soon)
            #expect(answer == [value])
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("a connection that is dropped leaves no thread and no descriptor")
  func nothingLeft() async throws {
    try await PrivateBus.run { bus in
      func round() async throws {
        let connection = try connect(bus)
        _ = try await connection.call(.bus("GetId"), before: .soon)
      }
      try await round()
      let watcher = try connect(bus)
      func names() async throws -> Int {
        guard case .array(_, let names) = try await watcher.call(.bus("ListNames"), before: .soon).first else {
          return -1
        }
        return names.count
      }
      for _ in 0..<50 { try await round() }
      // The bus itself and the watcher.
      while try await names() > 2 { try await Task.sleep(for: .milliseconds(1)) }
      // The watcher's.
      while threads().count(where: { $0 == "message-bus\n" }) > 1 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// The names of this process's threads.
  private func threads() -> [String] {
    let folder = "/proc/self/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { number in
      try? String(contentsOfFile: "\(folder)/\(number)/comm", encoding: .utf8)
    }
  }
}
