internal import CheckIn

/// One Bluetooth controller of this machine, as it is found and made ready.
struct Controller: Hashable, Sendable {
  /// The number of hci0, hci1, ….
  let number: UInt16

  var name: String { "hci\(number)" }

  /// Finds a controller by its number or its address; nil: the first that has LE.
  static func find(
    _ place: L2CAPEndpoint.Place?, over socket: inout ManagementSocket
  ) async throws(TransportError) -> Controller {
    if case .controller(let number) = place { return Controller(number: number) }
    let list = try await socket.request(ManagementCommand.readControllers, "Listing the controllers")
    guard list.count >= 2, list.count == 2 + 2 * Int(list.littleEndian16(at: 0)) else { throw .badReply }
    for number in stride(from: 2, to: list.count, by: 2).map({ list.littleEndian16(at: $0) }).sorted() {
      // One that cannot be asked is not the one.
      guard let info = try? await info(number, &socket) else { continue }
      switch place {
      case nil where info.supported.contains(.lowEnergy): return Controller(number: number)
      case .device(info.address): return Controller(number: number)
      default: continue
      }
    }
    throw TransportError(
      .addressUnavailable,
      place.map { "This machine has no Bluetooth controller \($0)." }
        ?? "This machine has no Bluetooth controller with Low Energy. Is it plugged in?")
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
  ) async throws(TransportError) -> (
    address: BluetoothAddress, supported: ControllerSettings, current: ControllerSettings
  ) {
    let reply = try await socket.request(ManagementCommand.readInfo(number), "Looking at hci\(number)")
    // Address, version, manufacturer, supported and current settings, class, name, short name.
    guard reply.count == 280 else { throw .badReply }
    return (
      DeviceAddress(reply, at: 0, kind: .publicLE).address,
      ControllerSettings(rawValue: reply.littleEndian32(at: 9)),
      ControllerSettings(rawValue: reply.littleEndian32(at: 13))
    )
  }
}

extension TransportError {
  static let badReply = TransportError(
    .malformed, "The kernel’s Bluetooth management interface gave an answer that cannot be read.")
}
