/// The parts of a list by their keys.
private enum Part {
  static let version: UInt64 = 0
  static let event: UInt64 = 1
  static let number: UInt64 = 2
  static let issuedAt: UInt64 = 3
  static let attendees: UInt64 = 4
  static let serials: UInt64 = 5
  /// How many there are: all of them, and no other.
  static let count = 6
}

extension RevocationList {
  /// The form of lists that this library writes and reads.
  private static var version: UInt64 { 1 }

  /// The `external_aad` (RFC 9052 §4.3) of a list: unlike that of any message, which has four parts, and of a ticket, which
  /// is empty.
  package static var externalData: [UInt8] {
    var writer = CBORWriter(capacity: 32)
    writer.beginArray(2)
    writer.write("checkin/1")
    writer.write("revocations")
    return writer.bytes
  }

  /// Signs the list: its bytes.
  ///
  /// - Throws: ``RevocationListError/limitExceeded`` when a part is larger than a reader would accept or empty,
  ///   ``RevocationListError/signingFailed(_:)``.
  public func sign(by issuer: some SigningKey) throws(RevocationListError) -> [UInt8] {
    guard ([event] + attendees).allSatisfy({ 1...CredentialLimits.text ~= $0.utf8.count }), number > 0,
      serials.allSatisfy({ 1...CredentialLimits.serial ~= $0.count })
    else { throw .limitExceeded }
    let bytes: [UInt8]
    do throws(SigningError) {
      bytes = try SignedEnvelope.sign(encoded, externalData: RevocationList.externalData, by: issuer)
    } catch {
      throw .signingFailed(error.message)
    }
    guard bytes.count <= RevocationLimits.list else { throw .limitExceeded }
    return bytes
  }

  /// Reads a list that the issuer signed for the event. Nothing in it is read before the signature was found good.
  ///
  /// It is read strictly: one encoding for each list, every part there, and no other, because a reader must not pass over what
  /// a later version may take back in a part that this one does not know.
  ///
  /// - Throws: ``RevocationListError``.
  public init(
    _ bytes: [UInt8], issuedBy issuer: PublicKey, event: String, cryptography: some Cryptography
  ) throws(RevocationListError) {
    guard SignedEnvelope.begins(bytes, form: .message) else { throw .notAList }
    guard bytes.count <= RevocationLimits.list else { throw .malformed("it is larger than allowed") }
    let envelope: SignedEnvelope
    do throws(EnvelopeError) {
      envelope = try SignedEnvelope(bytes, form: .message)
      try envelope.verify(by: issuer, externalData: RevocationList.externalData, cryptography: cryptography)
    } catch {
      switch error {
      case .notAnEnvelope: throw .notAList
      case .badSignature: throw .forged
      case .malformed, .invalid: throw .malformed(error.message)
      }
    }
    try self.init(encoded: envelope.payload)
    guard self.event.utf8.elementsEqual(event.utf8) else { throw .wrongEvent(self.event) }
  }

  /// The content in deterministic CBOR.
  private var encoded: [UInt8] {
    let size = attendees.reduce(0) { $0 + $1.utf8.count + 3 } + serials.reduce(0) { $0 + $1.count + 2 }
    var writer = CBORWriter(capacity: size + event.utf8.count + 64)
    writer.beginMap(Part.count)
    writer.write(Part.version)
    writer.write(RevocationList.version)
    writer.write(Part.event)
    writer.write(event)
    writer.write(Part.number)
    writer.write(number)
    writer.write(Part.issuedAt)
    writer.write(issuedAt.secondsSince1970)
    writer.write(Part.attendees)
    writer.beginArray(attendees.count)
    for attendee in attendees {
      writer.write(attendee)
    }
    writer.write(Part.serials)
    writer.beginArray(serials.count)
    for serial in serials {
      writer.write(serial)
    }
    return writer.bytes
  }

  private init(encoded bytes: [UInt8]) throws(RevocationListError) {
    let list: RevocationList?
    do throws(CBORError) {
      var reader = try CBORReader(bytes)
      list = try RevocationList.read(&reader)
    } catch {
      throw .malformed(error.message)
    }
    guard let list else { throw .malformed("it has not exactly the parts that version 1 has") }
    self = list
  }

  /// Reads the content; nil when its parts are not those of this version.
  private static func read(_ reader: inout CBORReader) throws(CBORError) -> RevocationList? {
    guard reader.nextType == .map, try reader.readMapHead() == Part.count,
      try reader.readUnsigned() == Part.version, try reader.readUnsigned() == version,
      try reader.readUnsigned() == Part.event
    else { return nil }
    let event = try reader.readText(limit: CredentialLimits.text)
    guard try reader.readUnsigned() == Part.number else { return nil }
    let number = try reader.readInteger()
    guard !event.isEmpty, number > 0 else { throw CBORError(.outOfRange, at: reader.position) }
    guard try reader.readUnsigned() == Part.issuedAt else { return nil }
    let issuedAt = WallTime(secondsSince1970: try reader.readInteger())
    guard try reader.readUnsigned() == Part.attendees else { return nil }
    let attendees = try readItems(&reader) { reader throws(CBORError) in
      try reader.readTextBytes(limit: CredentialLimits.text)
    }
    guard try reader.readUnsigned() == Part.serials else { return nil }
    let serials = try readItems(&reader) { reader throws(CBORError) in
      try reader.readBytes(limit: CredentialLimits.serial)
    }
    return RevocationList(
      event: event, number: number, issuedAt: issuedAt, ordered: attendees.map { String(decoding: $0, as: UTF8.self) },
      serials)
  }

  /// An array of items that are not empty, each standing before the next.
  private static func readItems(
    _ reader: inout CBORReader, _ read: (inout CBORReader) throws(CBORError) -> [UInt8]
  ) throws(CBORError) -> [[UInt8]] {
    let count = try reader.readArrayHead()
    var items: [[UInt8]] = []
    items.reserveCapacity(count)
    for _ in 0..<count {
      let item = try read(&reader)
      guard !item.isEmpty, items.last.map({ stands($0, before: item) }) != false else {
        throw CBORError(.outOfRange, at: reader.position)
      }
      items.append(item)
    }
    return items
  }
}
