internal import BlueZTransport
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import Synchronization
internal import Testing

/// Plays bluetoothd on a bus, as far as discovery uses it: keeps controllers, answers calls, sends signals, and reads what
/// was registered with it as bluetoothd does.
final class FakeDaemon: Sendable {
  struct Call: Hashable, Sendable {
    let sender: String
    let path: String
    let member: String
    let arguments: [BusValue]
  }

  fileprivate struct State {
    var adapters: [String: [String: BusValue]] = [:]
    /// Other objects: path, interface, properties.
    var devices: [String: [String: BusValue]] = [:]
    var calls: [Call] = []
    /// Errors to answer with, in order, by method; the last of them for ever where it is marked so.
    var refusals: [String: [String]] = [:]
    var answers: [String: [BusValue]] = [:]
    /// Methods that are answered when this is closed.
    var silent: Set<String> = []
    /// What was registered: the properties of advertisements, and the objects of applications, by their owners and paths.
    var advertisements: [String: [String: BusValue]] = [:]
    /// What was registered and not taken back, whether or not it has been read yet.
    var registered: Set<String> = []
    var applications: [String: [BusValue]] = [:]
    /// `PropertiesChanged` of objects that were registered.
    var changes: [BusSignal] = []
  }

  static let hci0 = "/org/bluez/hci0"

  let bus: MessageBus
  private let state: Mutex<State>
  private let released = DispatchGate()

  private init(bus: MessageBus, state: consuming State) {
    self.bus = bus
    self.state = Mutex(state)
  }

  /// Begins to play, with these controllers.
  static func start(
    on address: BusAddress, adapters: [String: [String: BusValue]] = [FakeDaemon.hci0: FakeDaemon.adapter()]
  ) async throws -> FakeDaemon {
    let hearing = Hearing()
    let bus = try MessageBus(address) { event in hearing.hear(event) }
    let daemon = FakeDaemon(bus: bus, state: State(adapters: adapters))
    hearing.daemon.withLock { $0 = Hearing.Weak(daemon) }
    bus.serve("/") { [weak daemon] request in daemon?.answer(request) ?? .unknown(request) }
    for path in adapters.keys { bus.serve(path) { [weak daemon] in daemon?.answer($0) ?? .unknown($0) } }
    _ = try await bus.call(.bus("AddMatch", .string("type='signal',path_namespace='/checkin'")), before: .soon)
    // The bus frees the name of one that was stopped when it has seen that one's connection end, a moment later.
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let answer = try await bus.call(.bus("RequestName", .string("org.bluez"), .uint32(4)), before: .soon)
      if answer == [.uint32(1)] { return daemon }
      guard answer == [.uint32(3)], .now < deadline else { throw FakeDaemonFailure(answer: answer) }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  static func adapter(address: String = "00:AA:01:00:00:42", isPowered: Bool = true) -> [String: BusValue] {
    ["Address": .string(address), "Powered": .bool(isPowered)]
  }

  /// Goes away, as a service that was stopped.
  func stop() {
    released.open()
    bus.close()
  }

  // MARK: - What a test sees and sets

  var calls: [Call] { state.withLock { $0.calls } }
  var advertisements: [[String: BusValue]] { state.withLock { Array($0.advertisements.values) } }
  var applications: [[BusValue]] { state.withLock { Array($0.applications.values) } }
  var changes: [BusSignal] { state.withLock { $0.changes } }

  func count(of member: String) -> Int { calls.count { $0.member == member } }

  func property(_ name: String, of adapter: String = FakeDaemon.hci0) -> BusValue? {
    state.withLock { $0.adapters[adapter]?[name] }
  }

  /// Answers the next calls of that method with these errors, one after another; an empty one is none.
  func refuse(_ member: String, _ names: String...) {
    state.withLock { $0.refusals[member] = names }
  }

  func answer(_ member: String, _ values: [BusValue]) {
    state.withLock { $0.answers[member] = values }
  }

  func beSilent(_ member: String) {
    state.withLock { _ = $0.silent.insert(member) }
  }

  func addDevice(_ path: String, _ properties: [String: BusValue]) {
    state.withLock { $0.devices[path] = properties }
  }

  /// Adds a controller, and tells of it.
  func addAdapter(_ path: String, _ properties: [String: BusValue]) {
    state.withLock { $0.adapters[path] = properties }
    bus.serve(path) { [weak self] in self?.answer($0) ?? .unknown($0) }
    bus.emit(
      BusSignal(
        "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
        [.path(path), FakeDaemon.interfaces(ofAdapter: properties)]))
  }

  /// Changes properties of a controller, and tells of it.
  func change(_ properties: [String: BusValue], at path: String = FakeDaemon.hci0) {
    state.withLock { state in state.adapters[path]?.merge(properties) { $1 } }
    changed(path, "org.bluez.Adapter1", properties)
  }

  func changed(_ path: String, _ interface: String, _ properties: [String: BusValue]) {
    bus.emit(
      BusSignal(
        path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string(interface), .properties(properties), .array(of: "s", [])]))
  }

  /// Waits until the condition holds; the test's time limit bounds it.
  func until(_ condition: @Sendable (FakeDaemon) -> Bool) async {
    while !condition(self) {
      guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
    }
  }

  /// Whether a connection still lives.
  func isConnected(_ name: String) async -> Bool {
    (try? await bus.call(.bus("NameHasOwner", .string(name)), before: .soon)) == [.bool(true)]
  }

  /// Calls a method of an object that was registered.
  func call(_ sender: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [])
    async throws(BusError) -> [BusValue]
  {
    try await bus.call(BusCall(sender, path, interface, member, arguments), before: .soon)
  }

  /// Waits until an advertisement and an application are registered and read: whose they are, and their paths.
  func registered() async throws -> (sender: String, advertisement: String, gatt: String) {
    await until { !$0.advertisements.isEmpty && !$0.applications.isEmpty }
    let advertising = try #require(calls.last { $0.member == "RegisterAdvertisement" })
    let application = try #require(calls.last { $0.member == "RegisterApplication" })
    return (
      advertising.sender, try #require(advertising.arguments.first?.path),
      try #require(application.arguments.first?.path)
    )
  }

  // MARK: - Playing bluetoothd

  private final class Hearing: Sendable {
    struct Weak: Sendable {
      weak let daemon: FakeDaemon?
      init(_ daemon: FakeDaemon) { self.daemon = daemon }
    }

    let daemon = Mutex<Weak?>(nil)

    func hear(_ event: BusEvent) {
      guard case .signal(let signal) = event, signal.member == "PropertiesChanged" else { return }
      daemon.withLock { $0?.daemon }?.state.withLock { $0.changes.append(signal) }
    }
  }

  private func answer(_ request: BusRequest) -> BusAnswer {
    let isSilent = state.withLock { state in
      state.calls.append(
        Call(sender: request.sender, path: request.path, member: request.member, arguments: request.arguments))
      return state.silent.contains(request.member)
    }
    if isSilent { released.wait() }
    return state.withLock { state in
      if var names = state.refusals[request.member], !names.isEmpty {
        let name = names.removeFirst()
        state.refusals[request.member] = names
        if !name.isEmpty { return .error(name: name, text: "said the\u{7} test") }
      }
      if let values = state.answers[request.member] { return .values(values) }
      return state.answer(request, self)
    }
  }

  fileprivate func read(_ sender: String, advertisement path: String) {
    Task {
      let answer = try await call(
        sender, path, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.LEAdvertisement1")])
      state.withLock { state in
        if state.registered.contains(sender + path) { state.advertisements[sender + path] = answer.first?.properties }
      }
    }
  }

  fileprivate func read(_ sender: String, application path: String) {
    Task {
      let answer = try await call(sender, path, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
      state.withLock { state in
        if state.registered.contains(sender + path) { state.applications[sender + path] = answer }
      }
    }
  }

  static func interfaces(ofAdapter properties: [String: BusValue]) -> BusValue {
    .dictionary(
      of: "{sa{sv}}",
      [
        (.string("org.bluez.Adapter1"), .properties(properties)),
        (.string("org.bluez.LEAdvertisingManager1"), .properties([:])),
        (.string("org.bluez.GattManager1"), .properties([:])),
      ])
  }
}

extension FakeDaemon.State {
  fileprivate mutating func answer(_ request: BusRequest, _ daemon: FakeDaemon) -> BusAnswer {
    let path = request.arguments.first?.path ?? ""
    switch request.member {
    case "GetManagedObjects":
      let objects =
        adapters.map { (BusValue.path($0.key), FakeDaemon.interfaces(ofAdapter: $0.value)) }
        + devices.map {
          (
            BusValue.path($0.key),
            BusValue.dictionary(of: "{sa{sv}}", [(.string("org.bluez.Device1"), .properties($0.value))])
          )
        }
      return .values([.dictionary(of: "{oa{sa{sv}}}", objects)])
    case "Get":
      guard let name = request.arguments.last?.string, let value = adapters[request.path]?[name] else { break }
      return .values([.variant(value)])
    case "Set":
      guard request.arguments.count == 3, let name = request.arguments[1].string,
        let value = request.arguments[2].content
      else { break }
      adapters[request.path]?[name] = value
      return .values([])
    case "RegisterAdvertisement":
      registered.insert(request.sender + path)
      daemon.read(request.sender, advertisement: path)
      return .values([])
    case "UnregisterAdvertisement":
      guard registered.remove(request.sender + path) != nil else { break }
      advertisements[request.sender + path] = nil
      return .values([])
    case "RegisterApplication":
      registered.insert(request.sender + path)
      daemon.read(request.sender, application: path)
      return .values([])
    case "UnregisterApplication":
      guard registered.remove(request.sender + path) != nil else { break }
      applications[request.sender + path] = nil
      return .values([])
    case "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery": return .values([])
    default: return .unknown(request)
    }
    return .error(name: "org.bluez.Error.DoesNotExist", text: "Does Not Exist")
  }
}

struct FakeDaemonFailure: Error {
  let answer: [BusValue]
}

/// Holds a thread up until it is opened.
private final class DispatchGate: Sendable {
  private let isOpen = Mutex(false)

  func open() {
    isOpen.withLock { $0 = true }
  }

  func wait() {
    while !isOpen.withLock({ $0 }) { usleep(1_000) }
  }
}

extension BusCall {
  /// A call of the bus itself.
  static func bus(_ member: String, _ arguments: BusValue...) -> BusCall {
    BusCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }
}

extension ContinuousClock.Instant {
  /// A bound that is never reached where all is well.
  static var soon: ContinuousClock.Instant { .now + .seconds(20) }
}
