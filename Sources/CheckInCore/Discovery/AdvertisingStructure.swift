/// One structure of an advertisement: length, type, data (Bluetooth Core Specification, volume 3, part C, section 11).
struct AdvertisingStructure {
  /// Assigned numbers, section 2.3: “Shortened Local Name”.
  static let shortenedName: UInt8 = 0x08
  /// “Complete Local Name”.
  static let completeName: UInt8 = 0x09
  /// “Service Data - 128-bit UUID”.
  static let serviceData128: UInt8 = 0x21

  let type: UInt8
  let data: [UInt8]

  /// The structure as it is sent.
  ///
  /// - Precondition: the data has at most 254 bytes.
  var encoded: [UInt8] {
    [UInt8(data.count + 1), type] + data
  }

  /// Reads all structures; nil where one is longer than what is left. A length of zero is padding: nothing follows it in
  /// one advertisement, and where a system joins advertisement and scan response the second one follows.
  static func all(in bytes: Span<UInt8>) -> [AdvertisingStructure]? {
    var structures: [AdvertisingStructure] = []
    var index = 0
    while index < bytes.count {
      let length = Int(bytes[index])
      index += 1
      guard length > 0 else { continue }
      guard length <= bytes.count - index else { return nil }
      var data: [UInt8] = []
      for offset in 1..<length { data.append(bytes[index + offset]) }
      structures.append(AdvertisingStructure(type: bytes[index], data: data))
      index += length
    }
    return structures
  }
}
