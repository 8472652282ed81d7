internal import CheckIn

/// An advertisement in a world; dropping it takes it back.
final class MemoryAdvertiser: Advertiser {
  let endpoint: Endpoint
  private let id: UInt64
  private let air: MemoryAir
  private let end: EndBell

  init(endpoint: Endpoint, id: UInt64, air: MemoryAir, end: EndBell) {
    self.endpoint = endpoint
    self.id = id
    self.air = air
    self.end = end
  }

  deinit {
    air.silence(id)
  }

  func ended() async throws(TransportError) {
    try await end.wait()
  }

  func stop() async {
    air.silence(id)
  }
}
