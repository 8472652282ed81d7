package import CheckIn
internal import CheckInCore
internal import SocketIO
internal import Synchronization

/// Advertises and browses with a Bluetooth controller, through the kernel's management interface.
///
/// It is for machines where `bluetoothd` does not run: the program switches the controller on itself, and needs the
/// capability CAP_NET_ADMIN. A controller that was on once and is off later was switched off by somebody, and stays so.
package final class BlueZDiscovery: Sendable {
  private let open: @Sendable () throws(TransportError) -> any Connection
  private let settings: Settings
  /// The controllers that have been on.
  private let wereOn = Mutex<Set<UInt16>>([])

  /// The times.
  package struct Settings: Sendable {
    /// After how long the kernel takes an advertisement away that nobody renews: how long a kiosk that was killed is heard.
    package var lifetime = Duration.seconds(12)
    /// How often an advertisement is renewed.
    package var renewal = Duration.seconds(4)
    /// How long to wait before an advertisement is put out again that a connection has ended.
    package var pause = Duration.milliseconds(200)
    /// How long one round of looking is. Most controllers tell of each device once a round.
    package var round = Duration.milliseconds(1_500)

    /// The usual times.
    package init() {}
  }

  /// Discovery on these loops.
  convenience init(loops: EventLoopGroup, settings: Settings = Settings()) {
    self.init(settings: settings) { () throws(TransportError) in try ManagementSocketOpening.open(loops) }
  }

  /// Discovery over another way to the kernel, for tests.
  package init(settings: Settings, open: @escaping @Sendable () throws(TransportError) -> any Connection) {
    self.settings = settings
    self.open = open
  }

  /// Advertises the listener with that PSM; see ``/CheckIn/DiscoverableTransport``.
  package func advertise(
    _ advertisement: Advertisement, at endpoint: Endpoint
  ) async throws(TransportError) -> any Advertiser {
    let listener = try L2CAPEndpoint(endpoint, of: .lowEnergy)
    guard BluetoothAdvertisement.psms.contains(listener.psm) else {
      throw TransportError(
        .addressMalformed,
        "\(endpoint) cannot be advertised: it needs a PSM from 0x0080 to 0x00ff, as a listener's own endpoint has it.")
    }
    let content = BluetoothAdvertisement(psm: listener.psm, event: advertisement.event, name: advertisement.kiosk)
    let (controller, socket) = try await openController(listener.place)
    do throws(TransportError) {
      return try await BlueZAdvertiser.start(
        content, endpoint: endpoint, controller: controller, socket: socket, settings: settings)
    } catch {
      socket.connection.abort()
      throw error
    }
  }

  /// Looks for kiosks; see ``/CheckIn/DiscoverableTransport``.
  package func browse(at endpoint: Endpoint) async throws(TransportError) -> any Browser {
    let isAnywhere = endpoint == Endpoint(scheme: BluetoothLink.lowEnergy.scheme, address: "")
    let place = isAnywhere ? nil : try L2CAPEndpoint(endpoint, of: .lowEnergy).place
    let (controller, socket) = try await openController(place)
    do throws(TransportError) {
      return try await BlueZBrowser.start(
        at: endpoint, namesController: !isAnywhere, controller: controller, socket: socket,
        round: settings.round)
    } catch {
      socket.connection.abort()
      throw error
    }
  }

  /// Finds the controller and makes it ready.
  private func openController(
    _ place: L2CAPEndpoint.Place?
  ) async throws(TransportError) -> (Controller, ManagementSocket) {
    var socket = ManagementSocket(try open())
    do throws(TransportError) {
      let controller = try await Controller.find(place, over: &socket)
      socket.controller = controller.number
      let wasOn = wereOn.withLock { $0.contains(controller.number) }
      try await controller.prepare(&socket, mayPower: !wasOn)
      wereOn.withLock { _ = $0.insert(controller.number) }
      return (controller, socket)
    } catch {
      socket.connection.abort()
      throw error
    }
  }
}
