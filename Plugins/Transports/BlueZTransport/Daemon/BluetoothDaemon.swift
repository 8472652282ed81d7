internal import CheckIn
internal import Synchronization

/// `bluetoothd`, as the message bus shows it: whoever owns the name `org.bluez` on the bus that is now.
///
/// A connection of its own for each advertisement or look-out. `bluetoothd` keeps what it does for a connection as long as
/// that lives, so a program that ends, however it ends, leaves nothing behind.
final class BluetoothDaemon: Sendable {
  /// What it tells.
  enum Event: Sendable {
    /// It runs now, or another one does, or none does (nil).
    case owner(String?)
    /// The connection with the bus has ended.
    case busLost
    /// The controller is gone.
    case controllerRemoved
    /// The controller was switched on or off.
    case powered(Bool)
    /// A device has connected or disconnected.
    case connectionsChanged
    /// bluetoothd has taken the advertisement away.
    case advertisementReleased
    /// An object has come, perhaps a controller.
    case objectAdded
    /// A kiosk was heard, and none before that nobody has asked for.
    case heard
  }

  static let name = "org.bluez"
  private static let bus = "org.freedesktop.DBus"
  private static let matches = [
    "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged',arg0='\(name)'",
    "type='signal',sender='\(name)',interface='\(bus).ObjectManager',path='/'",
    "type='signal',sender='\(name)',interface='\(bus).Properties',path_namespace='/org/bluez'",
  ]

  /// What it tells, in order; what its signals say as ``read(_:)`` has it.
  let inbox = DaemonInbox<Event>()
  private let connection: MessageBus
  private let hearing: Hearing
  private let patience: Duration

  private init(connection: MessageBus, hearing: Hearing, patience: Duration) {
    self.connection = connection
    self.hearing = hearing
    self.patience = patience
  }

  /// Looks for it on a bus; nil where there is no such bus. It need not run, and is not started by this.
  static func find(on address: BusAddress, patience: Duration) async throws(TransportError) -> BluetoothDaemon? {
    let hearing = Hearing()
    let connection: MessageBus
    do throws(BusError) {
      connection = try MessageBus(address) { [hearing] event in hearing.hear(event) }
    } catch {
      throw TransportError(daemon: error, "The message bus cannot be reached")
    }
    let daemon = BluetoothDaemon(connection: connection, hearing: hearing, patience: patience)
    hearing.inbox.withLock { [inbox = daemon.inbox] in $0 = inbox }
    do throws(BusError) {
      for rule in matches { try await daemon.addMatch(rule) }
      try await daemon.askOwner()
    } catch {
      connection.close()
      if case .noBus = error { return nil }
      throw TransportError(daemon: error, "Looking for bluetoothd on the message bus")
    }
    return daemon
  }

  deinit {
    connection.close()
  }

  /// The unique name of the one that runs; nil when none does.
  var owner: String? { hearing.owner.withLock { $0 } }
  /// Whether the connection with the bus has ended.
  var isLost: Bool { hearing.isLost.withLock { $0 } }

  /// Has its signals read: of its objects, and of their properties.
  ///
  /// - Parameter reading: what a signal says, as far as the inbox is to have it. Runs on the bus's thread, and must not block.
  func read(_ reading: @escaping @Sendable (BusSignal) -> Event?) {
    hearing.reading.withLock { $0 = reading }
  }

  /// Calls a method of an object of its.
  ///
  /// - Parameter what: what is done, to what: the beginning of a sentence.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    for what: @autoclosure () -> String
  ) async throws(TransportError) -> [BusValue] {
    do throws(BusError) {
      return try await connection.call(
        BusCall(BluetoothDaemon.name, path, interface, member, arguments), before: .now + patience)
    } catch {
      throw TransportError(daemon: error, what())
    }
  }

  /// Answers its calls to an object of ours. Nobody else's are answered: nothing is here for others.
  func serve(_ path: String, _ handler: @escaping @Sendable (BusRequest) -> BusAnswer) {
    connection.serve(path) { [hearing] request in
      guard request.sender == hearing.owner.withLock({ $0 }) else {
        return .error(name: "org.freedesktop.DBus.Error.AccessDenied", text: "This object is for bluetoothd alone.")
      }
      return handler(request)
    }
  }

  /// Ends the connection.
  func close() {
    connection.close()
  }

  private func addMatch(_ rule: String) async throws(BusError) {
    _ = try await connection.call(
      BusCall(BluetoothDaemon.bus, "/org/freedesktop/DBus", BluetoothDaemon.bus, "AddMatch", [.string(rule)]),
      before: .now + patience)
  }

  private func askOwner() async throws(BusError) {
    do throws(BusError) {
      let answer = try await connection.call(
        BusCall(
          BluetoothDaemon.bus, "/org/freedesktop/DBus", BluetoothDaemon.bus, "GetNameOwner",
          [.string(BluetoothDaemon.name)]), before: .now + patience)
      guard let owner = answer.first?.string else { throw .unreadable }
      hearing.learnOwner(owner)
    } catch {
      guard case .refused("org.freedesktop.DBus.Error.NameHasNoOwner", _) = error else { throw error }
    }
  }

  /// What the bus's thread has to itself. It holds no connection, so that a connection that nobody holds ends.
  private final class Hearing: Sendable {
    let owner = Mutex<String?>(nil)
    let reading = Mutex<@Sendable (BusSignal) -> Event?> { $0.member == "InterfacesAdded" ? .objectAdded : nil }
    let inbox = Mutex<DaemonInbox<Event>?>(nil)
    let isLost = Mutex(false)
    private let hasHeardOwner = Mutex(false)

    func hear(_ event: BusEvent) {
      let inbox = inbox.withLock { $0 }
      switch event {
      case .ended:
        isLost.withLock { $0 = true }
        owner.withLock { $0 = nil }
        inbox?.put(.busLost)
      case .signal(let signal) where signal.sender == BluetoothDaemon.bus:
        guard signal.member == "NameOwnerChanged", signal.arguments.count == 3,
          signal.arguments[0].string == BluetoothDaemon.name, let now = signal.arguments[2].string
        else { return }
        hasHeardOwner.withLock { $0 = true }
        owner.withLock { $0 = now.isEmpty ? nil : now }
        inbox?.put(.owner(now.isEmpty ? nil : now))
      case .signal(let signal):
        // Anyone may send a signal to this program alone; bluetoothd's are those that count.
        guard signal.sender == owner.withLock({ $0 }) else { return }
        if let event = reading.withLock({ $0 })(signal) { inbox?.put(event) }
      }
    }

    /// Takes the answer to the question who owns the name, unless a change that was told later has come first.
    func learnOwner(_ name: String) {
      guard !hasHeardOwner.withLock({ $0 }) else { return }
      owner.withLock { $0 = name }
    }
  }
}
