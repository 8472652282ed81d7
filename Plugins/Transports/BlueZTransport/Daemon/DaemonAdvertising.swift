internal import CheckIn
internal import CheckInCore

/// Keeps one advertisement out through bluetoothd, and the GATT service with the PSM.
///
/// The kernel stops advertising when a phone connects, and bluetoothd does not begin again by itself. So the advertisement is
/// taken back and registered anew whenever connections change. To say that it has changed would do as well, but bluetoothd
/// (5.66) crashes where the kiosk ends at the moment in which it puts the change out.
struct DaemonAdvertising: Sendable {
  static let interface = "org.bluez.LEAdvertisingManager1"
  /// How often in a row it may be put out again that bluetoothd has taken it away.
  private static let mostReleases = 8
  /// How often in a row bluetoothd may refuse it. While a connection comes up, controllers refuse now and then.
  private static let mostRefusals = 8
  /// How long taking it back may take, in a task that nobody can cancel.
  private static let farewell = Duration.seconds(2)
  private static let gattInterface = "org.bluez.GattManager1"

  let daemon: BluetoothDaemon
  let adapter: DaemonAdapter
  let objects: KioskObjects
  let settings: BlueZDiscovery.Settings

  private var what: String { "Advertising with \(adapter.name) through bluetoothd" }

  /// Puts it out.
  func putOut() async throws(TransportError) {
    objects.serve(at: daemon)
    try await registerAdvertisement()
    _ = try await daemon.call(
      adapter.path, DaemonAdvertising.gattInterface, "RegisterApplication",
      [.path(KioskObjects.applicationPath), .properties([:])],
      for: "Publishing the PSM with \(adapter.name) through bluetoothd")
  }

  /// Keeps it out until the task is cancelled; answers why it ended by itself otherwise.
  func run() async -> TransportError {
    // When to put it out anew.
    var refresh: Deadline?
    var (releases, refusals) = (0, 0)
    while true {
      do throws(TransportError) {
        switch try await daemon.inbox.next(before: refresh) {
        case .connectionsChanged:
          if refresh == nil { refresh = .now + settings.pause }
        case .advertisementReleased:
          releases += 1
          guard releases < DaemonAdvertising.mostReleases else { return ManagementStatus.busy.error(what) }
          try await registerAdvertisement()
        case .powered(false):
          guard try await daemon.switchesOn(with: adapter.owner, within: settings.departure) else {
            return ManagementStatus.notPowered.error(what)
          }
          refresh = .now + settings.pause
        case .controllerRemoved: return ManagementStatus.invalidIndex.error(what)
        case .owner(adapter.owner), .powered, .objectAdded, .heard: break
        case .owner, .busLost: return .daemonGone
        }
      } catch {
        guard error.code == .timedOut, refresh != nil else { return error }
        refresh = nil
        guard let refusal = await putOutAnew() else {
          refusals = 0
          continue
        }
        refusals += 1
        guard refusals < DaemonAdvertising.mostRefusals, ![.cancelled, .lost].contains(refusal.code) else {
          return refusal
        }
        refresh = .now + settings.pause * (1 << min(refusals, 6))
      }
    }
  }

  /// Takes it back, also in a cancelled task.
  func takeBack() async {
    let (daemon, adapter) = (daemon, adapter)
    guard daemon.owner == adapter.owner else { return }
    await Task {
      let alarm = Task {
        guard (try? await Task.sleep(for: DaemonAdvertising.farewell)) != nil else { return }
        daemon.close()
      }
      _ = try? await daemon.call(
        adapter.path, DaemonAdvertising.interface, "UnregisterAdvertisement",
        [.path(KioskObjects.advertisementPath)], for: "Taking an advertisement back")
      _ = try? await daemon.call(
        adapter.path, DaemonAdvertising.gattInterface, "UnregisterApplication",
        [.path(KioskObjects.applicationPath)], for: "Taking the PSM back")
      alarm.cancel()
    }.value
  }

  /// Nil: it is out.
  private func putOutAnew() async -> TransportError? {
    do throws(TransportError) {
      do throws(TransportError) {
        _ = try await daemon.call(
          adapter.path, DaemonAdvertising.interface, "UnregisterAdvertisement",
          [.path(KioskObjects.advertisementPath)], for: what)
      } catch {
        // One that is not there, as bluetoothd refused it the last time, need not be taken back.
        guard error.code == .addressUnavailable else { throw error }
      }
      try await registerAdvertisement()
      return nil
    } catch {
      return error
    }
  }

  private func registerAdvertisement() async throws(TransportError) {
    _ = try await daemon.call(
      adapter.path, DaemonAdvertising.interface, "RegisterAdvertisement",
      [.path(KioskObjects.advertisementPath), .properties([:])], for: what)
  }
}
