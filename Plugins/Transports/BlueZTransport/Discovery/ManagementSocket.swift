internal import CBluetooth
internal import CheckIn
internal import CheckInCore
internal import Glibc
internal import SocketIO

/// The kernel's management interface for Bluetooth controllers, on one socket. One task at a time uses it.
///
/// Commands are answered in the order in which they were given; events of all kinds come between. What comes while a command
/// waits for its answer is kept for ``next(before:)``, the newest few hundred.
struct ManagementSocket: Sendable {
  /// How long an answer may take. The kernel's own bound for a controller that does not answer is two seconds a command.
  static let patience = Duration.seconds(5)
  private static let mostKept = 256

  /// What carries the packets.
  let connection: any Connection
  /// The controller that events are heard of.
  var controller = ManagementPacket.noController
  private var incoming = ByteQueue()
  private var kept: [ManagementEvent] = []

  /// The interface on a connection that carries its packets.
  init(_ connection: any Connection) {
    self.connection = connection
  }

  /// Gives a command and waits for what it gives back.
  ///
  /// - Throws: as the status says, with `what` as the beginning of the sentence; ``/CheckIn/TransportError/Code/other``
  ///   when no answer comes.
  mutating func request(
    _ command: ManagementPacket, _ what: @autoclosure () -> String
  ) async throws(TransportError) -> [UInt8] {
    let (status, result) = try await ask(command, what())
    guard status == .success else { throw status.error(what()) }
    return result
  }

  /// Gives a command and waits for its status and what it gives back.
  mutating func ask(
    _ command: ManagementPacket, _ what: @autoclosure () -> String
  ) async throws(TransportError) -> (ManagementStatus, [UInt8]) {
    let deadline = ContinuousClock.now + ManagementSocket.patience
    try await connection.send(command.bytes, before: deadline)
    while true {
      let packet: ManagementPacket
      do throws(TransportError) {
        packet = try await receive(before: deadline)
      } catch {
        guard error.code == .timedOut else { throw error }
        throw TransportError(.other, "\(what()): the kernel did not answer in time.")
      }
      guard let event = ManagementEvent(packet), event != .other else { continue }
      if case .done(let code, let status, let result) = event {
        if code == command.code, packet.controller == command.controller { return (status, result) }
      } else if packet.controller == controller {
        if kept.count == ManagementSocket.mostKept { kept.removeFirst() }
        kept.append(event)
      }
    }
  }

  /// Waits for the controller's next event. Answers to commands that nobody waits for any more are passed over.
  mutating func next(before deadline: Deadline?) async throws(TransportError) -> ManagementEvent {
    if !kept.isEmpty { return kept.removeFirst() }
    while true {
      let packet = try await receive(before: deadline)
      guard packet.controller == controller, let event = ManagementEvent(packet) else { continue }
      switch event {
      case .done, .other: continue
      default: return event
      }
    }
  }

  private mutating func receive(before deadline: Deadline?) async throws(TransportError) -> ManagementPacket {
    while true {
      do throws(ManagementFault) {
        if let packet = try ManagementPacket.take(from: &incoming) { return packet }
      } catch {
        throw TransportError(
          .malformed, "The kernel’s Bluetooth management interface said what cannot be read: \(error.what).")
      }
      guard case .bytes = try await connection.receive(into: &incoming, before: deadline) else {
        throw TransportError(.lost, "The kernel closed the Bluetooth management socket.")
      }
    }
  }
}

/// Opens management sockets.
enum ManagementSocketOpening {
  /// A connection to the kernel's management interface, which sends and receives whole packets.
  ///
  /// - Throws: ``/CheckIn/TransportError/Code/addressUnavailable`` where the kernel has no Bluetooth.
  static func open(_ loops: EventLoopGroup) throws(TransportError) -> any Connection {
    let bluetooth: Int32 = 31
    let hci: Int32 = 1
    let flags = SOCK_RAW.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let number = socket(bluetooth, Int32(flags), hci)
    guard number >= 0 else {
      let error = errno
      guard error != EAFNOSUPPORT, error != EPROTONOSUPPORT else {
        throw TransportError(
          .addressUnavailable,
          "This machine’s kernel has no Bluetooth. Load the module “bluetooth”, or use another transport.")
      }
      throw TransportError(system: error, "A Bluetooth management socket cannot be opened")
    }
    let descriptor = Descriptor(owning: number)
    // Family, “no controller” and the control channel: the layout of sockaddr_hci, in the machine's byte order.
    let fields: [UInt16] = [UInt16(bluetooth), ManagementPacket.noController, 3]
    // Unsafe: six bytes are written, and the storage is larger and aligned for every address.
    let address = unsafe SocketAddress { pointer, length in
      unsafe fields.withUnsafeBytes {
        unsafe UnsafeMutableRawPointer(pointer).copyMemory(from: $0.baseAddress!, byteCount: 6)
      }
      length = 6
      return true
    }
    guard let address else { throw TransportError(.other, "A Bluetooth management address cannot be made.") }
    let result = descriptor.bind(to: address)
    guard result == 0 else { throw TransportError(system: result, "A Bluetooth management socket cannot be bound") }
    var traits = SocketTraits(hasHalfClose: false, shortReceiveDrains: false, linger: .zero)
    traits.keepsPackets = true
    return try SocketConnection(descriptor, peer: address, loops: loops, traits: traits) { _, _ in
      (Endpoint(scheme: "hci", address: "program"), Endpoint(scheme: "hci", address: "kernel"))
    }
  }
}
