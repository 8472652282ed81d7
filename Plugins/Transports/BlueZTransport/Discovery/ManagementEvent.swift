internal import CheckInCore

/// What the management socket tells, as far as discovery needs it. Each event is read strictly: its exact
/// length, or not at all.
enum ManagementEvent: Hashable, Sendable {
  /// A command was done or has begun; what it gives back.
  case done(command: UInt16, status: ManagementStatus, [UInt8])
  /// The controller is gone.
  case controllerRemoved
  /// The controller's settings are others now.
  case settings(ControllerSettings)
  /// A device was heard.
  case found(FoundDevice)
  /// Looking has begun or ended, whoever asked for it.
  case discovering(Bool)
  /// A device has connected or disconnected.
  case connectionsChanged
  /// An advertisement was taken away, by its time-out or by somebody else.
  case advertisementRemoved(UInt8)
  /// Something else, of no use here.
  case other

  /// Reads an event; nil when it is not what the kernel's document says.
  init?(_ packet: ManagementPacket) {
    let bytes = packet.parameters
    switch packet.code {
    case 0x0001:
      guard bytes.count >= 3 else { return nil }
      self = .done(
        command: bytes.littleEndian16(at: 0), status: ManagementStatus(rawValue: bytes[2]), Array(bytes.dropFirst(3)))
    case 0x0002:
      guard bytes.count == 3 else { return nil }
      self = .done(command: bytes.littleEndian16(at: 0), status: ManagementStatus(rawValue: bytes[2]), [])
    case 0x0005:
      guard bytes.isEmpty else { return nil }
      self = .controllerRemoved
    case 0x0006:
      guard bytes.count == 4 else { return nil }
      self = .settings(ControllerSettings(rawValue: bytes.littleEndian32(at: 0)))
    case 0x000b:
      guard bytes.count >= 13 && bytes.count == 13 + Int(bytes.littleEndian16(at: 11)) else { return nil }
      self = .connectionsChanged
    case 0x000c:
      guard bytes.count == 8 else { return nil }
      self = .connectionsChanged
    case 0x0012:
      guard bytes.count >= 14 && bytes.count == 14 + Int(bytes.littleEndian16(at: 12)) else { return nil }
      guard let kind = DeviceAddress.Kind(rawValue: bytes[6]) else { return nil }
      // 127 stands for “unknown” (Core Specification, volume 4, part E, section 7.7.65.2).
      let strength = Int8(bitPattern: bytes[7])
      self = .found(
        FoundDevice(
          address: DeviceAddress(bytes, at: 0, kind: kind),
          signal: strength == 127 ? nil : SignalStrength(decibelMilliwatts: Int(strength)),
          data: Array(bytes.dropFirst(14))))
    case 0x0013:
      guard bytes.count == 2 else { return nil }
      self = .discovering(bytes[1] != 0)
    case 0x0024:
      guard bytes.count == 1 else { return nil }
      self = .advertisementRemoved(bytes[0])
    default:
      self = .other
    }
  }
}

/// A device that was heard: advertisement, and scan response behind it where there was one.
struct FoundDevice: Hashable, Sendable {
  let address: DeviceAddress
  let signal: SignalStrength?
  let data: [UInt8]
}

/// What a controller can do, or does.
struct ControllerSettings: OptionSet, Hashable, Sendable {
  let rawValue: UInt32
  static let powered = ControllerSettings(rawValue: 1 << 0)
  static let lowEnergy = ControllerSettings(rawValue: 1 << 9)
}
