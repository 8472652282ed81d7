/// Draws that depend on nothing but a key and a place: asking again, or in another order, answers the same.
///
/// The mixing is that of SplitMix64 (Steele, Lea, Flood 2014), a counter whose values are mixed.
struct FaultDraws: Hashable, Sendable {
  private let key: UInt64

  /// The root of all draws of a seed.
  init(seed: UInt64) {
    key = Self.mixed(seed)
  }

  private init(key: UInt64) {
    self.key = key
  }

  /// Draws of their own for one purpose.
  func derived(_ purpose: UInt64) -> FaultDraws {
    FaultDraws(key: Self.mixed(key ^ Self.mixed(purpose &* 2 &+ 1)))
  }

  /// 64 random bits for a place.
  func bits(at place: UInt64) -> UInt64 {
    Self.mixed(key &+ (place &+ 1) &* 0x9e37_79b9_7f4a_7c15)
  }

  /// Whether a thing of that chance happens at a place.
  func happens(_ chance: FaultChance, at place: UInt64) -> Bool {
    switch chance {
    case .never: false
    case .always: true
    case .below(let threshold): bits(at: place) < threshold
    }
  }

  /// A number of the range for a place.
  func pick(_ range: ClosedRange<UInt64>, at place: UInt64) -> UInt64 {
    let width = range.upperBound - range.lowerBound
    guard width < .max else { return bits(at: place) }
    return range.lowerBound + bits(at: place).multipliedFullWidth(by: width + 1).high
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}

/// How likely a thing is.
enum FaultChance: Hashable, Sendable {
  case never
  case always
  /// When 64 random bits are below this.
  case below(UInt64)
}
