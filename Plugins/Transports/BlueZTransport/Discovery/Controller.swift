internal import CheckIn

/// One Bluetooth controller of this machine, as it is found and made ready.
struct Controller: Hashable, Sendable {
  /// The number of hci0, hci1, ….
  let number: UInt16
  /// The address that peers dial.
  let address: DeviceAddress

  var name: String { "hci\(number)" }

  /// Finds the controller that a name means: `hci1`, one's own address, or nothing for the first.
  static func find(
    _ place: String, over socket: inout ManagementSocket
  ) async throws(TransportError) -> Controller {
    if place.hasPrefix("hci") {
      guard let number = UInt16(place.dropFirst(3)), "hci\(number)" == place else {
        throw TransportError(.addressMalformed, "“\(place.prefix(40))” is no controller: write hci0, hci1 and so on.")
      }
      return Controller(number: number, address: try await info(number, &socket).address)
    }
    let list = try await socket.request(ManagementCommand.readControllers, "Listing the controllers")
    guard list.count >= 2, list.count == 2 + 2 * Int(list.littleEndian16(at: 0)) else { throw .badReply }
    for number in stride(from: 2, to: list.count, by: 2).map(list.littleEndian16(at:)).sorted() {
      guard let found = try? await info(number, &socket) else { continue }
      if place.isEmpty ? found.supported.contains(.lowEnergy) : found.address.hasText(place) {
        return Controller(number: number, address: found.address)
      }
    }
    throw TransportError(
      .addressUnavailable,
      place.isEmpty
        ? "This machine has no Bluetooth LE controller. Is it plugged in?"
        : "No Bluetooth controller of this machine has the address \(place.prefix(40)).")
  }

  /// Switches the controller and LE on, where they are off.
  ///
  /// - Parameter mayPower: whether the controller may be switched on. One that was on before and is off now was switched
  ///   off by somebody, and stays so.
  func prepare(
    _ socket: inout ManagementSocket, mayPower: Bool
  ) async throws(TransportError) {
    let what = "Preparing \(name)"
    let info = try await Controller.info(number, &socket)
    guard info.supported.contains(.lowEnergy) else {
      throw TransportError(.unsupported, "\(name) has no Bluetooth LE. Use another controller.")
    }
    if !info.current.contains(.lowEnergy) {
      _ = try await socket.request(ManagementCommand.setLowEnergy(number), what)
    }
    if !info.current.contains(.powered) {
      guard mayPower else { throw ManagementStatus.notPowered.error(what) }
      _ = try await socket.request(ManagementCommand.setPowered(number), what)
    }
  }

  private static func info(
    _ number: UInt16, _ socket: inout ManagementSocket
  ) async throws(TransportError) -> (address: DeviceAddress, supported: ControllerSettings, current: ControllerSettings)
  {
    let reply = try await socket.request(ManagementCommand.readInfo(number), "Looking at hci\(number)")
    // Address, version, manufacturer, supported and current settings, class, name, short name.
    guard reply.count == 280 else { throw .badReply }
    return (
      DeviceAddress(kernelOrder: reply[0..<6], kind: .publicLE),
      ControllerSettings(rawValue: reply.littleEndian32(at: 9)),
      ControllerSettings(rawValue: reply.littleEndian32(at: 13))
    )
  }
}

extension TransportError {
  static let badReply = TransportError(
    .malformed, "The kernel’s Bluetooth management interface gave an answer that cannot be read.")
}
