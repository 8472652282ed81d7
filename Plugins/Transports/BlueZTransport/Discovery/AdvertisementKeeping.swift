internal import CheckIn
internal import CheckInCore

/// Keeps one advertisement of a controller out.
///
/// The kernel stops advertising when a phone connects, so the advertisement is put out again whenever connections change; and
/// from time to time, because the kernel takes away what nobody renews.
struct AdvertisementKeeping: Sendable {
  /// How many refusals in a row end it. While a connection comes up, controllers refuse now and then.
  private static let mostRefusals = 8
  /// How long taking it back may take, in a task that nobody can cancel.
  private static let farewell = Duration.seconds(2)

  let content: BluetoothAdvertisement
  let controller: Controller
  let instance: UInt8
  let settings: BlueZDiscovery.Settings
  var socket: ManagementSocket

  private var what: String { "Advertising with \(controller.name)" }

  /// Puts it out, or renews it.
  mutating func putOut() async throws(TransportError) {
    let lifetime = UInt16(clamping: settings.lifetime.components.seconds)
    let command = ManagementCommand.addAdvertising(
      controller.number, instance: instance, lifetime: lifetime, content)
    let what = what
    let reply = try await socket.request(command, what)
    guard reply == [instance] else { throw .badReply }
  }

  /// Keeps it out until the task is cancelled; answers why it ended by itself otherwise.
  mutating func run() async -> TransportError? {
    var renewal = ContinuousClock.now + settings.renewal
    var refusals = 0
    while true {
      do throws(TransportError) {
        switch try await socket.next(before: renewal) {
        case .connectionsChanged, .advertisementRemoved(instance):
          renewal = min(renewal, .now + settings.pause)
        case .settings(let settings) where !settings.contains(.powered):
          return ManagementStatus.notPowered.error(what)
        case .controllerRemoved:
          return ManagementStatus.invalidIndex.error(what)
        default: break
        }
        continue
      } catch {
        guard error.code == .timedOut else { return error.code == .cancelled ? nil : error }
      }
      do throws(TransportError) {
        try await putOut()
        refusals = 0
        renewal = .now + settings.renewal
      } catch {
        guard error.code != .cancelled else { return nil }
        refusals += 1
        guard refusals < AdvertisementKeeping.mostRefusals, error.code != .lost, error.code != .closed else {
          return error
        }
        renewal = .now + settings.pause * (1 << min(refusals, 6))
      }
    }
  }

  /// Takes it back, also in a cancelled task, and closes the socket.
  func takeBack() async {
    let socket = socket
    let connection = socket.connection
    let command = ManagementCommand.removeAdvertising(controller.number, instance: instance)
    await Task {
      var socket = socket
      let alarm = Task {
        try? await Task.sleep(for: AdvertisementKeeping.farewell)
        connection.abort()
      }
      _ = try? await socket.ask(command, "Taking an advertisement back")
      alarm.cancel()
      connection.abort()
    }.value
  }
}
