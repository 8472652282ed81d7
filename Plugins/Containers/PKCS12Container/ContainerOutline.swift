/// The outermost shape of a container, looked at before the library sees a byte: `PFX ::= SEQUENCE { version INTEGER (3), …`
/// (RFC 7292 §4). It tells a file that is cut off from one that is something else.
enum ContainerOutline {
  /// How many values without a stated length may stand in each other.
  private static let deepest = 16

  /// Throws unless the bytes are, from the first to the last, one value that begins as a container does.
  static func check(_ bytes: [UInt8]) throws(ContainerError) {
    var reader = TLVReader(bytes: bytes)
    guard !bytes.isEmpty else { throw ContainerError(.truncated, "The file is empty.") }
    guard bytes[0] == 0x30 else { throw notContainer(bytes) }
    guard let header = try reader.header() else { throw notContainer(bytes) }
    // The version, as far as the file goes.
    let version: [UInt8] = [0x02, 0x01, 0x03]
    let found = bytes[reader.position...].prefix(version.count)
    guard version.starts(with: found) else { throw notContainer(bytes) }
    switch header.length {
    case .some(let length): try reader.skip(length)
    case nil: try skipUntilEnd(&reader, in: bytes)
    }
    guard reader.position == bytes.count else {
      throw ContainerError(
        .damaged, "The container has \(bytes.count - reader.position) bytes behind its end. Copy the file again.")
    }
  }

  /// Skips what is in a value without a stated length (X.690 §8.1.3.6), to behind its end.
  private static func skipUntilEnd(_ reader: inout TLVReader, in bytes: [UInt8]) throws(ContainerError) {
    var depth = 1
    while depth > 0 {
      guard let header = try reader.header() else {
        throw ContainerError(.damaged, "The container is damaged: it cannot be read as ASN.1.")
      }
      switch (header.tag, header.length) {
      case (0, 0): depth -= 1
      case (_, .some(let length)): try reader.skip(length)
      case (_, nil):
        depth += 1
        guard depth <= deepest else {
          throw ContainerError(.damaged, "The container is damaged: it is nested without end.")
        }
      }
    }
  }

  private static func notContainer(_ bytes: [UInt8]) -> ContainerError {
    let what =
      if bytes.starts(with: "-----BEGIN".utf8) {
        "It is text in PEM. To make a container of it: openssl pkcs12 -export -in FILE.pem -out NEW.p12"
      } else if bytes[0] == 0x30 {
        "It may be a certificate or a key by itself."
      } else {
        "Is it the right file?"
      }
    return ContainerError(.notPKCS12, "The file is no PKCS#12 container. \(what)")
  }
}

/// Reads tags and lengths (X.690 §8.1.2, §8.1.3), and skips contents.
private struct TLVReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next tag and length, where a length of nil is not stated; nil when they are none that a container has.
  mutating func header() throws(ContainerError) -> (tag: UInt8, length: Int?)? {
    let tag = try byte()
    // Tags of several bytes do not occur.
    guard tag & 0x1f != 0x1f else { return nil }
    let first = try byte()
    switch first {
    case 0..<0x80: return (tag, Int(first))
    case 0x80: return tag & 0x20 == 0 ? nil : (tag, nil)
    case 0x81...0x84:
      var length = 0
      for _ in 0..<(first & 0x7f) { length = try length << 8 | Int(byte()) }
      return (tag, length)
    default: return nil
    }
  }

  mutating func skip(_ count: Int) throws(ContainerError) {
    guard count <= bytes.count - position else {
      let whole = position + count
      throw ContainerError(
        .truncated,
        "The container is cut off: at least \(whole) bytes belong to it, and the file has \(bytes.count). Copy it again."
      )
    }
    position += count
  }

  private mutating func byte() throws(ContainerError) -> UInt8 {
    guard position < bytes.count else {
      throw ContainerError(.truncated, "The container is cut off after \(bytes.count) bytes. Copy it again.")
    }
    defer { position += 1 }
    return bytes[position]
  }
}
