internal import CheckIn
internal import CheckInCore
internal import InMemoryTransport
internal import Synchronization

/// Plays the kernel's management interface, as far as discovery uses it: keeps controllers, answers commands, sends events.
final class FakeKernel: Sendable {
  struct Controller: Sendable {
    var address: [UInt8] = [0x00, 0xaa, 0x01, 0x00, 0x00, 0x42]
    var supported: UInt32 = 1 | 1 << 9
    var current: UInt32 = 0
    var instances: [UInt8: [UInt8]] = [:]
    var mostInstances: UInt8 = 5
    var isDiscovering = false
  }

  struct Command: Hashable, Sendable {
    let code: UInt16
    let controller: UInt16
    let parameters: [UInt8]
  }

  private struct State {
    var controllers: [UInt16: Controller]
    var commands: [Command] = []
    /// Statuses to answer with in place of what would be right, by command code.
    var refusals: [UInt16: [UInt8]] = [:]
    /// Whole replies to give in place of the right ones.
    var replies: [UInt16: [UInt8]] = [:]
    var silent: Set<UInt16> = []
    var open: [Int: any Connection] = [:]
    var opened = 0
  }

  private let world = InMemoryTransport()
  private let state: Mutex<State>

  init(_ controllers: [UInt16: Controller] = [0: Controller()]) {
    state = Mutex(State(controllers: controllers))
  }

  /// Ways to the kernel, made beforehand because opening one does not wait.
  func ways(_ count: Int) async throws -> @Sendable () throws(TransportError) -> any Connection {
    let listener = try await world.listen(on: try Endpoint("memory://kernel"))
    var ours: [any Connection] = []
    for _ in 0..<count {
      ours.append(try await world.connect(to: listener.endpoint, before: nil))
      let theirs = try await listener.accept()
      Task { await self.serve(theirs) }
    }
    await listener.close()
    let kept = Kept(ours)
    return { () throws(TransportError) in
      guard let next = kept.take() else { throw TransportError(.resourcesExhausted, "the test made too few ways") }
      return next
    }
  }

  private final class Kept: Sendable {
    private let waiting: Mutex<[any Connection]>

    init(_ connections: [any Connection]) {
      waiting = Mutex(connections)
    }

    func take() -> (any Connection)? {
      waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
  }

  // MARK: - What a test sees and sets

  var commands: [Command] { state.withLock { $0.commands } }
  var openCount: Int { state.withLock { $0.open.count } }

  func controller(_ number: UInt16 = 0) -> Controller? { state.withLock { $0.controllers[number] } }

  func change(_ number: UInt16 = 0, _ body: (inout Controller) -> Void) {
    state.withLock { state in
      guard var controller = state.controllers[number] else { return }
      body(&controller)
      state.controllers[number] = controller
    }
  }

  /// Refuses the next commands of that code with these statuses, one after another.
  func refuse(_ code: UInt16, _ statuses: UInt8...) {
    state.withLock { $0.refusals[code] = statuses }
  }

  func reply(_ code: UInt16, _ bytes: [UInt8]) {
    state.withLock { $0.replies[code] = bytes }
  }

  func beSilent(_ code: UInt16) {
    state.withLock { _ = $0.silent.insert(code) }
  }

  /// Waits until the commands that came satisfy the condition; the test's time limit bounds it.
  func until(_ condition: @Sendable (FakeKernel) -> Bool) async {
    while !condition(self) {
      guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
    }
  }

  func count(of code: UInt16) -> Int { commands.count { $0.code == code } }

  /// Sends an event to every socket.
  func send(_ code: UInt16, controller: UInt16 = 0, _ parameters: [UInt8]) async {
    await sendRaw(FakeKernel.packet(code, controller, parameters))
  }

  func sendRaw(_ bytes: [UInt8]) async {
    let open = state.withLock { Array($0.open.values) }
    for connection in open { try? await connection.send(bytes, before: .now + .seconds(5)) }
  }

  /// Device Found.
  func find(
    _ data: [UInt8], address: [UInt8] = [1, 2, 3, 4, 5, 6], kind: UInt8 = 1, signal: Int8 = -55, controller: UInt16 = 0
  ) async {
    let length = UInt16(data.count)
    await send(
      0x12, controller: controller,
      address.reversed() + [kind, UInt8(bitPattern: signal), 0, 0, 0, 0, UInt8(length & 255), UInt8(length >> 8)] + data
    )
  }

  static func packet(_ code: UInt16, _ controller: UInt16, _ parameters: [UInt8]) -> [UInt8] {
    [code, controller, UInt16(parameters.count)].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + parameters
  }

  // MARK: - Playing the kernel

  private func serve(_ connection: any Connection) async {
    let id = state.withLock { state in
      state.opened += 1
      state.open[state.opened] = connection
      return state.opened
    }
    var queue = ByteQueue()
    while case .bytes = try? await connection.receive(into: &queue, before: nil) {
      while queue.count >= 6 {
        let head = queue.withBytes { bytes in (0..<6).map { UInt16(bytes[$0]) } }
        let length = Int(head[4] | head[5] << 8)
        guard queue.count >= 6 + length else { break }
        queue.drop(6)
        let command = Command(
          code: head[0] | head[1] << 8, controller: head[2] | head[3] << 8, parameters: queue.take(length))
        for answer in answers(to: command) { try? await connection.send(answer, before: .now + .seconds(5)) }
      }
    }
    state.withLock { $0.open[id] = nil }
    connection.abort()
  }

  private func answers(to command: Command) -> [[UInt8]] {
    state.withLock { state in
      state.commands.append(command)
      if state.silent.contains(command.code) { return [] }
      func complete(_ status: UInt8, _ result: [UInt8] = []) -> [UInt8] {
        let code = [UInt8(command.code & 255), UInt8(command.code >> 8)]
        return FakeKernel.packet(0x01, command.controller, code + [status] + result)
      }
      func refused(_ status: UInt8) -> [UInt8] {
        let code = [UInt8(command.code & 255), UInt8(command.code >> 8)]
        return FakeKernel.packet(0x02, command.controller, code + [status])
      }
      if var statuses = state.refusals[command.code], !statuses.isEmpty {
        let status = statuses.removeFirst()
        state.refusals[command.code] = statuses
        return [refused(status)]
      }
      if let reply = state.replies[command.code] { return [complete(0, reply)] }
      if command.code == 0x03 {
        let numbers = state.controllers.keys.sorted()
        return [complete(0, ([UInt16(numbers.count)] + numbers).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })]
      }
      guard var controller = state.controllers[command.controller] else { return [refused(0x11)] }
      defer { state.controllers[command.controller] = controller }
      func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
      switch command.code {
      case 0x04:
        let head = controller.address.reversed() + [12, 0, 0]
        let settings = bytes(controller.supported) + bytes(controller.current)
        return [complete(0, head + settings + [UInt8](repeating: 0, count: 263))]
      case 0x05:
        controller.current |= 1
        return [complete(0, bytes(controller.current))]
      case 0x0d:
        controller.current |= 1 << 9
        return [complete(0, bytes(controller.current))]
      case 0x23:
        guard controller.current & 1 != 0 else { return [complete(0x0f, [6])] }
        controller.isDiscovering = true
        return [complete(0, [6]), FakeKernel.packet(0x13, command.controller, [6, 1])]
      case 0x24:
        guard controller.isDiscovering else { return [complete(0x0b, [6])] }
        controller.isDiscovering = false
        return [complete(0, [6]), FakeKernel.packet(0x13, command.controller, [6, 0])]
      case 0x3d:
        let taken = controller.instances.keys.sorted()
        return [complete(0, bytes(0x7f) + [31, 31, controller.mostInstances, UInt8(taken.count)] + taken)]
      case 0x3e:
        controller.instances[command.parameters[0]] = command.parameters
        return [complete(0, [command.parameters[0]])]
      case 0x3f:
        controller.instances[command.parameters[0]] = nil
        return [complete(0, [command.parameters[0]])]
      default: return [refused(1)]
      }
    }
  }
}
