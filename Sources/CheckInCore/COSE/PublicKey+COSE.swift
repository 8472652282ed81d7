extension PublicKey {
  /// The key as a COSE_Key (RFC 9053 §7.1, §7.2): `{1: 1, -1: 6, -2: x}` for Ed25519, `{1: 2, -1: 1, -2: x, -3: y}` for P-256.
  public var coseKey: [UInt8] {
    var writer = CBORWriter(capacity: bytes.count + 16)
    switch algorithm {
    case .ed25519:
      writer.beginMap(3)
      writer.write(1 as UInt64)
      writer.write(1 as UInt64)
      writer.write(-1 as Int64)
      writer.write(6 as UInt64)
      writer.write(-2 as Int64)
      writer.write(bytes)
    case .es256:
      writer.beginMap(4)
      writer.write(1 as UInt64)
      writer.write(2 as UInt64)
      writer.write(-1 as Int64)
      writer.write(1 as UInt64)
      writer.write(-2 as Int64)
      writer.write(Array(bytes[..<32]))
      writer.write(-3 as Int64)
      writer.write(Array(bytes[32...]))
    }
    return writer.bytes
  }

  /// Reads a COSE_Key.
  ///
  /// - Throws: ``COSEKeyError`` when it is not one, or not a public key that this library can use.
  public init(coseKey bytes: [UInt8]) throws(COSEKeyError) {
    let fields: COSEKeyFields
    do throws(CBORError) {
      var reader = try CBORReader(bytes)
      fields = try COSEKeyFields(&reader)
    } catch {
      throw .malformed(error)
    }
    guard !fields.hasPrivatePart else { throw .privateKey }
    let algorithm: SignatureAlgorithm
    let raw: [UInt8]
    switch (fields.keyType, fields.curve) {
    case (1, 6):
      guard let x = fields.x, fields.y == nil else { throw .incomplete }
      (algorithm, raw) = (.ed25519, x)
    case (2, 1):
      guard let x = fields.x, let y = fields.y, x.count == 32 else { throw .incomplete }
      (algorithm, raw) = (.es256, x + y)
    default:
      throw .unsupported
    }
    if let named = fields.algorithm, named != algorithm.rawValue { throw .unsupported }
    guard let key = PublicKey(algorithm: algorithm, bytes: raw) else { throw .incomplete }
    self = key
  }
}

/// Why bytes are not a COSE_Key that can verify.
public enum COSEKeyError: Error, Hashable, Sendable {
  /// They are not deterministic CBOR, or a label has a value of the wrong type.
  case malformed(CBORError)
  /// Key type, curve or algorithm are none that this library knows.
  case unsupported
  /// A coordinate is missing or has a wrong size. Compressed points are not accepted.
  case incomplete
  /// The private part is in it, which never belongs where a public key is expected.
  case privateKey

  /// What is wrong, for people.
  public var message: String {
    switch self {
    case .malformed(let cause): cause.message
    case .unsupported: "the key is neither Ed25519 nor P-256"
    case .incomplete: "a coordinate of the key is missing or has a wrong size"
    case .privateKey: "the private part of the key is in it"
    }
  }
}

/// The labels of a COSE_Key that matter here (RFC 9052 §7.1, RFC 9053 §7).
private struct COSEKeyFields {
  var keyType: Int64?
  var algorithm: Int64?
  var curve: Int64?
  var x: [UInt8]?
  var y: [UInt8]?
  var hasPrivatePart = false

  init(_ reader: inout CBORReader) throws(CBORError) {
    let count = try reader.readMapHead()
    for _ in 0..<count {
      guard reader.nextType != .text else {
        try reader.skip()
        try reader.skip()
        continue
      }
      switch try reader.readInteger() {
      case 1: keyType = try reader.readInteger()
      case 3: algorithm = try reader.readInteger()
      case -1: curve = try reader.readInteger()
      case -2: x = try reader.readBytes()
      case -3: y = try reader.readBytes()
      case -4:
        hasPrivatePart = true
        try reader.skip()
      default: try reader.skip()
      }
    }
  }
}
