/// Bytes without an order, made once: making them anew for each check takes longer than the checks.
private let noise: [UInt8] = {
  var state: UInt64 = 1
  return (0..<300_007).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 56)
  }
}()

/// Bytes that differ from place to place, and from seed to seed.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count)
  var start = (seed &* 7_919) % noise.count
  while bytes.count < count {
    let end = min(noise.count, start + count - bytes.count)
    bytes += noise[start..<end]
    start = 0
  }
  return bytes
}

extension [UInt8] {
  /// How these bytes differ from those that were sent, for a failure’s text.
  func difference(from sent: [UInt8]) -> String {
    let place = zip(self, sent).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    guard let place else { return "\(count) bytes, of \(sent.count) that were sent" }
    return "byte \(place) is \(self[place]) and not \(sent[place]), in \(count) bytes of \(sent.count) that were sent"
  }
}
