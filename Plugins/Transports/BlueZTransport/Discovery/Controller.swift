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
    let list = try await socket.request(ManagementCommand.readControllers, "Listing the controllers")
    guard list.count >= 2, list.count == 2 + 2 * Int(list.littleEndian16(at: 0)) else { throw .badReply }
    let numbers = stride(from: 2, to: list.count, by: 2).map { list.littleEndian16(at: $0) }.sorted()
    for number in numbers {
      switch place {
      case .controller(number): return Controller(number: number)
      case .controller: continue
      case nil, .device:
        // One that cannot be asked is not the one.
        guard let info = try? await info(number, &socket) else { continue }
        if place == nil ? info.supported.contains(.lowEnergy) : place == .device(info.address) {
          return Controller(number: number)
        }
      }
    }
    let known = numbers.isEmpty ? "It has none." : "It has \(numbers.map { "hci\($0)" }.inWords)."
    throw TransportError(
      .addressUnavailable,
      "This machine has no Bluetooth controller \(place.map { "\($0)" } ?? "with Low Energy"). \(known)")
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
      throw TransportError(.addressUnavailable, "\(name) has no Bluetooth LE. Use another controller.")
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
