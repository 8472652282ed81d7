internal import CBluetooth

/// Which of the two radios of Bluetooth carries an L2CAP channel.
public enum BluetoothLink: Hashable, Sendable {
  /// Bluetooth Low Energy, with connection-oriented channels: what phones let their apps use. Scheme `l2cap`.
  case lowEnergy
  /// Bluetooth Classic (BR/EDR), whose two devices usually have to be paired first. Scheme `l2cap+bredr`.
  case classic

  /// The URL scheme.
  var scheme: String {
    switch self {
    case .lowEnergy: "l2cap"
    case .classic: "l2cap+bredr"
    }
  }

  /// The least number of bytes that every peer takes in one packet (Bluetooth Core 5.4, Vol 3 Part A §4.22 and §5.1).
  var leastMTU: Int {
    switch self {
    case .lowEnergy: 23
    case .classic: 48
    }
  }

  /// The address type of a listener, and of a dialler that is free to choose.
  var ownType: UInt8 {
    switch self {
    case .lowEnergy: UInt8(BDADDR_LE_PUBLIC)
    case .classic: UInt8(BDADDR_BREDR)
    }
  }

  /// Whether a channel can have that number (Bluetooth Core 5.4, Vol 3 Part A §4.2 and §4.22); zero is none.
  func isPSM(_ number: UInt16) -> Bool {
    switch self {
    case .lowEnergy: (1...255).contains(number)
    // Odd, and the lowest bit of the upper byte clear.
    case .classic: number & 0x0101 == 0x0001
    }
  }

  /// What a number has to be, for people.
  var rangeOfPSM: String {
    switch self {
    case .lowEnergy: "take 0x80 to 0xff, or 0 for a free one when listening"
    case .classic: "take an odd number from 0x1001 on whose ninth bit is clear, or 0 for a free one when listening"
    }
  }
}
