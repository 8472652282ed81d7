internal import CheckIn
internal import CheckInCore

/// An advertisement of one listener through the kernel's management interface, which a task keeps out until it is stopped.
final class KernelAdvertiser: Advertiser {
  let endpoint: Endpoint
  private let keeper: Task<Void, Never>
  private let end: EndBell

  private init(endpoint: Endpoint, keeper: Task<Void, Never>, end: EndBell) {
    self.endpoint = endpoint
    self.keeper = keeper
    self.end = end
  }

  deinit {
    keeper.cancel()
  }

  /// Puts the advertisement out. The socket is the advertiser's from now on.
  static func start(
    _ content: BluetoothAdvertisement, endpoint: Endpoint, controller: Controller, socket: ManagementSocket,
    settings: BlueZDiscovery.Settings
  ) async throws(TransportError) -> KernelAdvertiser {
    var socket = socket
    let instance = try await freeInstance(controller, &socket)
    var keeping = AdvertisementKeeping(
      content: content, controller: controller, instance: instance, settings: settings, socket: socket)
    do throws(TransportError) {
      try await keeping.putOut()
    } catch {
      await keeping.takeBack()
      throw error
    }
    let end = EndBell()
    let keeper = Task { [keeping] in
      var keeping = keeping
      let error = await keeping.run()
      await keeping.takeBack()
      end.ring(error)
    }
    return KernelAdvertiser(endpoint: endpoint, keeper: keeper, end: end)
  }

  func ended() async throws(TransportError) {
    try await end.wait()
  }

  func stop() async {
    keeper.cancel()
    await keeper.value
  }

  /// The lowest number that no advertisement of the controller has.
  private static func freeInstance(
    _ controller: Controller, _ socket: inout ManagementSocket
  ) async throws(TransportError) -> UInt8 {
    let what = "Advertising with \(controller.name)"
    let features = try await socket.request(ManagementCommand.readAdvertisingFeatures(controller.number), what)
    guard features.count >= 8, features.count == 8 + Int(features[7]) else { throw .badReply }
    let most = features[6]
    guard most > 0 else { throw ManagementStatus.notSupported.error(what) }
    let taken = features.dropFirst(8)
    guard let free = (1...most).first(where: { !taken.contains($0) }) else {
      throw TransportError(
        .resourcesExhausted,
        "\(what): all \(most) advertisements of the controller are taken. End another program that advertises.")
    }
    return free
  }
}
