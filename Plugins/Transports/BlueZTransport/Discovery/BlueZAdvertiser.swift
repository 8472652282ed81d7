internal import CheckIn
internal import CheckInCore

/// An advertisement of one listener, kept out by bluetoothd where it runs, else by this program itself through the kernel's
/// management interface. When bluetoothd begins, begins anew or goes away, the other way goes on with it.
final class BlueZAdvertiser: Advertiser {
  let endpoint: Endpoint
  private let keeper: Task<Void, Never>
  private let end: EndBell

  /// An advertisement that has been put out.
  init(_ advertising: AdvertisingEitherWay, endpoint: Endpoint, way: AdvertisingEitherWay.Way) {
    self.endpoint = endpoint
    let end = EndBell()
    self.end = end
    keeper = Task {
      var advertising = advertising
      let error = await advertising.keep(way)
      end.ring(error)
    }
  }

  deinit {
    keeper.cancel()
  }

  func ended() async throws(TransportError) {
    try await end.wait()
  }

  func stop() async {
    keeper.cancel()
    await keeper.value
  }
}
