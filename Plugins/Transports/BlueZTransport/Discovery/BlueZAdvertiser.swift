package import CheckIn
internal import CheckInCore
internal import Synchronization

/// An advertisement of one listener, kept out by bluetoothd where it runs, else by this program itself through the kernel's
/// management interface. When bluetoothd begins, begins anew or goes away, the other way goes on with it.
package final class BlueZAdvertiser: Advertiser {
  package let endpoint: Endpoint
  private let keeper: Task<Void, Never>
  private let end: EndBell
  /// Why it was ended by what is not its keeper.
  private let reason: Reason
  private let listeners = Mutex<(list: OpenListeners, number: UInt64)?>(nil)

  private final class Reason: Sendable {
    let error = Mutex<TransportError?>(nil)
  }

  /// An advertisement that has been put out.
  init(_ advertising: AdvertisingEitherWay, endpoint: Endpoint, way: AdvertisingEitherWay.Way) {
    self.endpoint = endpoint
    let (end, reason) = (EndBell(), Reason())
    self.end = end
    self.reason = reason
    keeper = Task {
      var advertising = advertising
      let error = await advertising.keep(way)
      end.ring(error ?? reason.error.withLock { $0 })
    }
  }

  deinit {
    keeper.cancel()
    if let listeners = listeners.withLock({ $0 }) { listeners.list.forget(listeners.number, at: endpoint) }
  }

  /// Ends when its listener, which was open when this began, is closed (A4).
  func end(with listeners: OpenListeners) {
    let number = listeners.tell(of: endpoint) { [weak self, endpoint] in
      self?.end(TransportError(.closed, "The listener at \(endpoint) was closed, and so its advertisement ended."))
    }
    if let number { self.listeners.withLock { $0 = (listeners, number) } }
  }

  private func end(_ error: TransportError) {
    reason.error.withLock { $0 = $0 ?? error }
    keeper.cancel()
  }

  package func ended() async throws(TransportError) {
    try await end.wait()
  }

  package func stop() async {
    keeper.cancel()
    await keeper.value
  }
}
