/// Numbers that look random and follow from a seed, so that a failure can be had again.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// The bytes with one change: a bit, a byte, a byte more, a byte less, or a piece doubled.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &self)
    switch Int.random(in: 0..<5, using: &self) {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1 where !bytes.isEmpty: bytes[place] = UInt8.random(in: 0...255, using: &self)
    case 2 where !bytes.isEmpty: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
    default: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
    }
    return bytes
  }
}
