/// What a kiosk says of itself over Bluetooth LE, byte for byte. `Documentation/Bluetooth.md` has the same as a table.
///
/// The advertisement holds the PSM to dial and the short event id, as service data of a service UUID of our own: 25 bytes,
/// so that it fits into the 31 of a legacy advertisement beside the flags (3 bytes), which the host adds. The scan response
/// holds the kiosk's name, cut where it is too long. None of it is proof of anything; see ``ShortEventID``.
public struct BluetoothAdvertisement: Hashable, Sendable {
  /// The UUID of the kiosk's service, as text.
  public static let service = "05958059-E5B0-411D-901B-73BBD41FC1F6"
  /// The same, in the order in which it is on the air: the last byte first.
  public static let serviceBytes: [UInt8] = [
    0xf6, 0xc1, 0x1f, 0xd4, 0xbb, 0x73, 0x1b, 0x90,
    0x1d, 0x41, 0xb0, 0xe5, 0x59, 0x80, 0x95, 0x05,
  ]
  /// The version of the layout, in the high half of the first byte.
  public static let version: UInt8 = 1
  /// The PSMs that a kiosk may have: those that the system gives out for LE channels.
  public static let psms: ClosedRange<UInt16> = 0x80...0xff
  /// Flag 1, in the low half of the first byte: the channel carries TLS.
  static let tlsFlag: UInt8 = 1
  /// The bytes of a legacy advertisement, and of a scan response.
  public static let capacity = 31
  /// The bytes of the flags structure, which the host adds in front of ``advertisingData``.
  public static let flagsSize = 3
  /// The UTF-8 bytes of a name that fit into a scan response.
  public static let nameCapacity = capacity - 2

  /// The protocol and service multiplexer of the kiosk's LE channel.
  public let psm: UInt16
  /// The channel carries TLS: whoever dials begins with its handshake. Nobody's word, as the rest: whoever sets or clears
  /// it can make a dial fail, and must not be able to do more.
  public let carriesTLS: Bool
  /// Which event, shortened.
  public let event: ShortEventID
  /// The kiosk's name, or its beginning; nil where it was not heard.
  public let name: String?
  /// The name is only the beginning of a longer one.
  public let isNameShortened: Bool

  /// What to advertise. Control characters of the name are left out, and what does not fit is cut off between two characters.
  ///
  /// - Precondition: the PSM is one of ``psms``.
  public init(psm: UInt16, carriesTLS: Bool = false, event: ShortEventID, name: String) {
    precondition(Self.psms.contains(psm), "no PSM that the system gives out for LE channels")
    self.psm = psm
    self.carriesTLS = carriesTLS
    self.event = event
    var kept: [UInt8] = []
    var isShortened = false
    for scalar in name.unicodeScalars where !isControl(scalar) {
      let bytes = Array(String(Character(scalar)).utf8)
      guard kept.count + bytes.count <= Self.nameCapacity else {
        isShortened = true
        break
      }
      kept += bytes
    }
    self.name = kept.isEmpty ? nil : String(decoding: kept, as: UTF8.self)
    isNameShortened = isShortened
  }

  private init(psm: UInt16, carriesTLS: Bool, event: ShortEventID, heardName: String?, isShortened: Bool) {
    self.psm = psm
    self.carriesTLS = carriesTLS
    self.event = event
    name = heardName
    isNameShortened = isShortened
  }

  /// What stands behind the UUID in the service data: seven bytes. A kiosk's GATT service has the same.
  public var fields: [UInt8] {
    [Self.version << 4 | (carriesTLS ? Self.tlsFlag : 0), UInt8(psm & 0xff), UInt8(psm >> 8)] + event.bytes
  }

  /// The advertisement without its flags.
  public var advertisingData: [UInt8] {
    AdvertisingStructure(type: AdvertisingStructure.serviceData128, data: Self.serviceBytes + fields).encoded
  }

  /// The scan response; empty without a name.
  public var scanResponse: [UInt8] {
    guard let name else { return [] }
    let type = isNameShortened ? AdvertisingStructure.shortenedName : AdvertisingStructure.completeName
    return AdvertisingStructure(type: type, data: Array(name.utf8)).encoded
  }

  /// Reads an advertisement, with its scan response behind it where that was heard; nil when it is not a kiosk's.
  ///
  /// - Throws: when it has our service UUID and is not what a kiosk sends. Whoever sends it, nothing of it may be used.
  public static func read(_ bytes: Span<UInt8>) throws(BluetoothAdvertisementError) -> BluetoothAdvertisement? {
    guard let structures = AdvertisingStructure.all(in: bytes) else {
      // Whether it is ours cannot be known: what cannot be taken apart is nobody's.
      return nil
    }
    var fields: [UInt8]?
    for structure in structures where structure.type == AdvertisingStructure.serviceData128 {
      guard structure.data.starts(with: serviceBytes) else { continue }
      guard fields == nil else { throw .repeated }
      fields = Array(structure.data.dropFirst(serviceBytes.count))
    }
    guard let fields else { return nil }
    guard let first = fields.first else { throw .length(0) }
    guard first >> 4 == version else { throw .version(first >> 4) }
    guard fields.count == 7 else { throw .length(fields.count) }
    let flags = first & 15
    guard flags & ~tlsFlag == 0 else { throw .flags(flags) }
    let psm = UInt16(fields[1]) | UInt16(fields[2]) << 8
    guard psms.contains(psm) else { throw .psm(psm) }
    let event = ShortEventID(rawValue: fields[3...].reduce(0) { $0 << 8 | UInt32($1) })
    let (name, isShortened) = try name(in: structures)
    return BluetoothAdvertisement(
      psm: psm, carriesTLS: flags & tlsFlag != 0, event: event, heardName: name, isShortened: isShortened)
  }

  private static func name(
    in structures: [AdvertisingStructure]
  ) throws(BluetoothAdvertisementError) -> (String?, Bool) {
    var found: (String?, Bool) = (nil, false)
    for structure in structures {
      let isShortened = structure.type == AdvertisingStructure.shortenedName
      guard isShortened || structure.type == AdvertisingStructure.completeName else { continue }
      guard found.0 == nil else { throw .repeated }
      guard !structure.data.isEmpty, structure.data.count <= nameCapacity, isUTF8(structure.data.span) else {
        throw .name
      }
      let name = String(decoding: structure.data, as: UTF8.self)
      guard !name.unicodeScalars.contains(where: isControl) else { throw .name }
      found = (name, isShortened)
    }
    return found
  }
}

/// What is wrong with an advertisement that claims to be a kiosk's.
public enum BluetoothAdvertisementError: Error, Hashable, Sendable {
  /// A structure stands twice.
  case repeated
  /// The service data has another number of bytes after the UUID than version 1 has.
  case length(Int)
  /// It is of another version, perhaps of a newer program.
  case version(UInt8)
  /// It has flags that version 1 does not have.
  case flags(UInt8)
  /// The PSM is none that the system gives out for LE channels.
  case psm(UInt16)
  /// The name is empty, too long, not UTF-8, or has control characters.
  case name
}

/// Whether a character is a control character of ISO 6429.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
}
