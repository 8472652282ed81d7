package import CheckInCore

/// ``FakeCryptography`` for a simulation: its random source can be made to draw few different PINs, so that equal draws
/// happen.
package struct SimulationCryptography: Cryptography {
  private let toy: FakeCryptography
  private let pins: UInt8?

  /// - Parameter pins: how many PINs there are; nil: all hundred thousand.
  package init(seed: UInt64, pins: UInt8? = nil) {
    toy = FakeCryptography(seed: seed)
    self.pins = pins
  }

  package func sha256(_ bytes: Span<UInt8>) -> Digest { toy.sha256(bytes) }

  package func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool {
    toy.verify(signature, of: message, by: key)
  }

  package func randomBytes(_ count: Int) -> [UInt8] {
    let bytes = toy.randomBytes(count)
    guard let pins, count == 4 else { return bytes }
    return [0, 0, 0, bytes[3] % pins]
  }
}
