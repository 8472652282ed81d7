internal import CBluetooth
internal import CheckIn
internal import Glibc
internal import SocketIO

/// The Bluetooth controllers of this machine, as the kernel knows them. Asking needs no permission.
struct BluetoothControllers: ~Copyable {
  /// One controller.
  struct Controller: Hashable, Sendable {
    let number: UInt16
    let address: BluetoothAddress
    let isUp: Bool
  }

  private static let most = 64

  private let descriptor: Descriptor

  init() throws(TransportError) {
    descriptor = try Descriptor.bluetooth(SOCK_RAW, protocol: BTPROTO_HCI)
  }

  /// The controller that a place of an endpoint means; nil where this machine has none such.
  func controller(at place: L2CAPEndpoint.Place) -> Controller? {
    switch place {
    case .controller(let number): controller(number)
    case .device(let address): all.first { $0.address == address }
    }
  }

  /// All of them, also those that are off.
  var all: [Controller] {
    // struct hci_dev_list_req: a count, padding, and for each controller its number and four bytes of state, aligned.
    var list = [UInt16](repeating: 0, count: 2 + 4 * Self.most)
    list[0] = UInt16(Self.most)
    // Unsafe: C writes no more entries than the count that it is given.
    guard unsafe ioctl(descriptor.number, checkin_hci_controllers, &list) == 0 else { return [] }
    return (0..<min(Int(list[0]), Self.most)).compactMap { controller(list[2 + 4 * $0]) }
  }

  private func controller(_ number: UInt16) -> Controller? {
    var info = hci_dev_info()
    info.dev_id = number
    // Unsafe: C fills the structure during the call.
    guard unsafe ioctl(descriptor.number, checkin_hci_controller, &info) == 0 else { return nil }
    return Controller(
      number: number, address: BluetoothAddress(lowestFirst: info.bdaddr.b), isUp: info.flags & 1 << UInt32(HCI_UP) != 0
    )
  }
}

extension Descriptor {
  /// A Bluetooth socket that does not block and is not inherited by programs that this one starts.
  static func bluetooth(_ type: __socket_type, protocol number: Int32) throws(TransportError) -> Descriptor {
    let flags = type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(AF_BLUETOOTH, Int32(flags), number)
    guard descriptor >= 0 else { throw TransportError(bluetooth: errno, "A Bluetooth socket cannot be opened") }
    return Descriptor(owning: descriptor)
  }
}
