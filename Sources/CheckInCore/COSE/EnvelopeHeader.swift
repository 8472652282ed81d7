/// The header labels that this library reads (RFC 9052 §3.1).
struct EnvelopeHeader {
  /// `alg` (1); nil: not there, or not one of ours.
  private(set) var algorithm: SignatureAlgorithm?
  /// Whether `alg` is there at all.
  private(set) var hasAlgorithm = false
  /// `kid` (4).
  private(set) var keyIdentifier: [UInt8]?
  /// How many labels there are.
  let count: Int

  /// Reads a header map. Labels that are not known are passed over; any `crit` is refused, as no label that could be
  /// in it is understood here, and an empty one is not allowed.
  init(_ reader: inout CBORReader) throws(EnvelopeError) {
    do throws(CBORError) {
      guard reader.nextType == .map else { throw CBORError(.wrongType, at: reader.position) }
      count = try reader.readMapHead()
    } catch {
      throw .invalid(.structure)
    }
    for _ in 0..<count {
      try readPair(&reader)
    }
  }

  private mutating func readPair(_ reader: inout CBORReader) throws(EnvelopeError) {
    do throws(CBORError) {
      switch reader.nextType {
      case .unsigned, .negative:
        // A label beyond 64 bits is none that we know; it fails as out of range, which refuses it.
        switch try reader.readInteger() {
        case 1:
          hasAlgorithm = true
          algorithm = try readAlgorithm(&reader)
          return
        case 2:
          break
        case 4:
          keyIdentifier = try reader.readBytes()
          return
        default:
          try reader.skip()
          return
        }
      case .text:
        try reader.skip()
        try reader.skip()
        return
      default:
        throw CBORError(.wrongType, at: reader.position)
      }
    } catch {
      throw .invalid(.header)
    }
    throw .invalid(.critical)
  }

  /// The header that every message of ours has: the algorithm and nothing else.
  init(_ algorithm: SignatureAlgorithm) {
    self.algorithm = algorithm
    hasAlgorithm = true
    count = 1
  }

  /// The encoding of such a header: `{1: -8}` or `{1: -7}`.
  static func encoding(of algorithm: SignatureAlgorithm) -> [UInt8] {
    switch algorithm {
    case .ed25519: ed25519
    case .es256: es256
    }
  }

  private static let ed25519: [UInt8] = [0xa1, 0x01, 0x27]
  private static let es256: [UInt8] = [0xa1, 0x01, 0x26]

  /// A protected header as it came, with the algorithm where it is one of those two: they are not copied.
  static func ofMessage(_ bytes: Span<UInt8>) -> (SignatureAlgorithm?, encoded: [UInt8]) {
    if bytes.count == 3, bytes[0] == 0xa1, bytes[1] == 1 {
      switch bytes[2] {
      case 0x27: return (.ed25519, ed25519)
      case 0x26: return (.es256, es256)
      default: break
      }
    }
    var copy: [UInt8] = []
    copy.append(addingCapacity: bytes.count) { space in
      for index in bytes.indices { space.append(bytes[index]) }
    }
    return (nil, copy)
  }

  /// An algorithm may also be a text; those are never ours.
  private func readAlgorithm(_ reader: inout CBORReader) throws(CBORError) -> SignatureAlgorithm? {
    guard reader.nextType != .text else {
      try reader.skip()
      return nil
    }
    return SignatureAlgorithm(rawValue: try reader.readInteger())
  }
}
