/// The claims of a credential by their numbers (RFC 8392 §4, RFC 8747 §3.1, and private ones).
private enum Claim {
  static let issuer: Int64 = 1
  static let subject: Int64 = 2
  static let expiration: Int64 = 4
  static let notBefore: Int64 = 5
  static let issuedAt: Int64 = 6
  static let serial: Int64 = 7
  static let confirmation: Int64 = 8
  static let role: Int64 = -70001
  static let name: Int64 = -70002
  static let gates: Int64 = -70003
  static let eventName: Int64 = -70004
}

extension Credential {
  /// The claims set in deterministic CBOR.
  func claims() throws(CredentialError) -> [UInt8] {
    try checkLimits()
    let times = [
      (Claim.expiration, validity.validUntil), (Claim.notBefore, validity.validFrom),
      (Claim.issuedAt, validity.issuedAt),
    ]
    var count = validity.gates.isEmpty ? 7 : 8
    for (_, time) in times where time != nil {
      count += 1
    }
    var writer = CBORWriter(capacity: 512)
    writer.beginMap(count)
    writer.write(Claim.issuer)
    writer.write(event)
    writer.write(Claim.subject)
    writer.write(subject)
    for (claim, time) in times {
      guard let time else { continue }
      writer.write(claim)
      writer.write(time.secondsSince1970)
    }
    writer.write(Claim.serial)
    writer.write(serial)
    writer.write(Claim.confirmation)
    writer.beginMap(1)
    writer.write(1 as UInt64)
    writer.write(encoded: key.coseKey)
    writer.write(Claim.role)
    writer.write(role.rawValue)
    writer.write(Claim.name)
    writer.write(name)
    if !validity.gates.isEmpty {
      writer.write(Claim.gates)
      writer.beginArray(validity.gates.count)
      for gate in validity.gates {
        writer.write(gate)
      }
    }
    writer.write(Claim.eventName)
    writer.write(eventName)
    return writer.bytes
  }

  /// Reads a claims set. Claims that are not known are passed over (RFC 8392 §3).
  init(claims bytes: [UInt8]) throws(CredentialError) {
    let fields: CredentialFields
    do throws(CBORError) {
      var reader = try CBORReader(bytes)
      fields = try CredentialFields(&reader)
    } catch {
      throw .malformed(error.message)
    }
    guard let event = fields.event, let eventName = fields.eventName, let subject = fields.subject,
      let name = fields.name, let serial = fields.serial, let keyBytes = fields.key, let roleNumber = fields.role
    else { throw .malformed("a claim is missing") }
    guard !event.isEmpty, !subject.isEmpty, !serial.isEmpty else { throw .malformed("a claim is empty") }
    guard let role = Role(rawValue: roleNumber) else { throw .malformed("it is of an unknown role") }
    let key: PublicKey
    do throws(COSEKeyError) {
      key = try PublicKey(coseKey: keyBytes)
    } catch {
      throw .malformed(error.message)
    }
    self.init(
      role: role, event: event, eventName: eventName, subject: subject, name: name, key: key, serial: serial,
      validity: Validity(
        issuedAt: fields.issuedAt, validFrom: fields.notBefore, validUntil: fields.expiration, gates: fields.gates))
  }

  private func checkLimits() throws(CredentialError) {
    let texts = [event, eventName, subject, name]
    guard texts.allSatisfy({ $0.utf8.count <= CredentialLimits.text }), !event.isEmpty, !subject.isEmpty,
      1...CredentialLimits.serial ~= serial.count, validity.gates.count <= CredentialLimits.gates,
      validity.gates.allSatisfy({ $0.utf8.count <= MessageLimits.gate })
    else { throw .limitExceeded }
  }
}

/// The claims as they are read.
private struct CredentialFields {
  var event: String?
  var subject: String?
  var expiration: WallTime?
  var notBefore: WallTime?
  var issuedAt: WallTime?
  var serial: [UInt8]?
  var key: [UInt8]?
  var role: UInt64?
  var name: String?
  var gates: [String] = []
  var eventName: String?

  init(_ reader: inout CBORReader) throws(CBORError) {
    let count = try reader.readMapHead()
    for _ in 0..<count {
      guard reader.nextType != .text else {
        try reader.skip()
        try reader.skip()
        continue
      }
      try readClaim(try reader.readInteger(), &reader)
    }
  }

  private mutating func readClaim(_ claim: Int64, _ reader: inout CBORReader) throws(CBORError) {
    switch claim {
    case Claim.issuer: event = try reader.readText(limit: CredentialLimits.text)
    case Claim.subject: subject = try reader.readText(limit: CredentialLimits.text)
    case Claim.expiration: expiration = WallTime(secondsSince1970: try reader.readInteger())
    case Claim.notBefore: notBefore = WallTime(secondsSince1970: try reader.readInteger())
    case Claim.issuedAt: issuedAt = WallTime(secondsSince1970: try reader.readInteger())
    case Claim.serial: serial = try reader.readBytes(limit: CredentialLimits.serial)
    case Claim.confirmation: key = try confirmationKey(&reader)
    case Claim.role: role = try reader.readUnsigned()
    case Claim.name: name = try reader.readText(limit: CredentialLimits.text)
    case Claim.gates:
      let count = try reader.readArrayHead(limit: CredentialLimits.gates)
      // No gate at all must not be read as every gate.
      guard count > 0 else { throw CBORError(.outOfRange, at: reader.position) }
      for _ in 0..<count {
        gates.append(try reader.readText(limit: MessageLimits.gate))
      }
    case Claim.eventName: eventName = try reader.readText(limit: CredentialLimits.text)
    default: try reader.skip()
    }
  }

  /// The COSE_Key (1) of a `cnf` map, still encoded.
  private func confirmationKey(_ reader: inout CBORReader) throws(CBORError) -> [UInt8]? {
    var key: [UInt8]?
    let count = try reader.readMapHead()
    for _ in 0..<count {
      guard reader.nextType != .text else {
        try reader.skip()
        try reader.skip()
        continue
      }
      let label = try reader.readInteger()
      let encoded = try reader.readEncoded()
      if label == 1 { key = encoded }
    }
    return key
  }
}
