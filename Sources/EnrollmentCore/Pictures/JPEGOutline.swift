/// What the markers of a JPEG say, without decoding any of it (ITU-T T.81, annex B): size, orientation, and whether there is
/// something in it beside the picture. Bounded work for any input.
public struct JPEGOutline: Hashable, Sendable {
  /// Points from left to right, as they are stored.
  public let width: Int
  /// Points from top to bottom, as they are stored.
  public let height: Int
  /// How it has to be turned.
  public let orientation: PictureOrientation
  /// Whether there is EXIF, XMP, a comment or another segment that may say where and by whom the picture was taken.
  public let hasMetadata: Bool

  /// Reads the outline.
  ///
  /// - Parameters:
  ///   - limit: how many bytes are taken.
  ///   - allowsTrailer: whether something may stand behind the picture, as some phones write it.
  /// - Throws: ``EnrollmentResult/notAPicture`` when it is no JPEG that starts and ends as one,
  ///   ``EnrollmentResult/tooLarge`` when it has more bytes, points or longer sides than are taken.
  public init(
    _ bytes: [UInt8], limit: UInt64 = UInt64(EnrollmentLimits.picture), allowsTrailer: Bool = false
  ) throws(EnrollmentResult) {
    guard UInt64(bytes.count) <= limit else { throw .tooLarge }
    guard JPEGOutline.begins(bytes), bytes.count >= 4, allowsTrailer || bytes.suffix(2).elementsEqual([0xff, 0xd9])
    else {
      throw .notAPicture
    }
    var orientation = PictureOrientation.upright
    var hasMetadata = false
    var size: (width: Int, height: Int)?
    var position = 2
    while true {
      guard let segment = JPEGSegment(bytes, at: &position) else { throw .notAPicture }
      switch segment.marker {
      // Start of a frame: baseline, extended and progressive, Huffman-coded. Others are rare and not taken.
      case 0xc0, 0xc1, 0xc2:
        guard size == nil, segment.content.count >= 6 else { throw .notAPicture }
        let at = segment.content.lowerBound
        // Eight bits, grey or in three colours, as cameras write them; not in four, which are for print.
        guard bytes[at] == 8, bytes[at + 5] == 1 || bytes[at + 5] == 3 else { throw .notAPicture }
        size = (Int(bytes[at + 3]) << 8 | Int(bytes[at + 4]), Int(bytes[at + 1]) << 8 | Int(bytes[at + 2]))
      case 0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf: throw .notAPicture
      case 0xe0, 0xee: break
      case 0xe1...0xef, 0xfe:
        hasMetadata = true
        if segment.marker == 0xe1, let found = JPEGOutline.orientation(bytes[segment.content]) { orientation = found }
      // Start of the scan: what follows is the picture itself.
      case 0xda:
        guard let size else { throw .notAPicture }
        guard size.width > 0, size.height > 0 else { throw .notAPicture }
        let longest = max(size.width, size.height)
        guard longest <= EnrollmentLimits.side.upperBound, size.width * size.height <= EnrollmentLimits.pixels else {
          throw .tooLarge
        }
        guard min(size.width, size.height) >= EnrollmentLimits.side.lowerBound else { throw .notAPicture }
        self.width = size.width
        self.height = size.height
        self.orientation = orientation
        self.hasMetadata = hasMetadata
        return
      case 0xd9: throw .notAPicture
      default: break
      }
    }
  }

  /// Whether the bytes begin as a JPEG does: enough to refuse anything else with its first piece.
  public static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xff, 0xd8, 0xff])
  }

  /// The width as it is looked at.
  public var uprightWidth: Int { orientation.swapsSides ? height : width }
  /// The height as it is looked at.
  public var uprightHeight: Int { orientation.swapsSides ? width : height }

  /// The orientation in an EXIF segment (CIPA DC-008); nil when it is none, damaged, or says nothing of it.
  private static func orientation(_ content: ArraySlice<UInt8>) -> PictureOrientation? {
    guard content.starts(with: Array("Exif\u{0}\u{0}".utf8)) else { return nil }
    let tiff = Array(content.dropFirst(6))
    guard tiff.count >= 8 else { return nil }
    let isBig: Bool
    switch (tiff[0], tiff[1]) {
    case (0x4d, 0x4d): isBig = true
    case (0x49, 0x49): isBig = false
    default: return nil
    }
    func number(_ at: Int, _ size: Int) -> Int? {
      guard at >= 0, at <= tiff.count - size else { return nil }
      let bytes = isBig ? Array(tiff[at..<at + size]) : tiff[at..<at + size].reversed()
      return bytes.reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let first = number(4, 4), let count = number(first, 2) else { return nil }
    for index in 0..<min(count, 512) {
      let entry = first + 2 + index * 12
      guard let tag = number(entry, 2) else { return nil }
      guard tag == 274 else { continue }
      // One number of 16 bits, which stands in the entry itself.
      guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1, let value = number(entry + 8, 2) else { return nil }
      return UInt8(exactly: value).flatMap(PictureOrientation.init)
    }
    return nil
  }
}

/// One marker of a JPEG with what belongs to it.
private struct JPEGSegment {
  let marker: UInt8
  let content: Range<Int>

  /// The next segment; nil when there is none, or it reaches over the end.
  init?(_ bytes: [UInt8], at position: inout Int) {
    guard position < bytes.count, bytes[position] == 0xff else { return nil }
    // Any number of bytes 0xFF may stand before a marker.
    while position < bytes.count, bytes[position] == 0xff { position += 1 }
    guard position < bytes.count else { return nil }
    marker = bytes[position]
    position += 1
    switch marker {
    case 0x01, 0xd0...0xd9: content = position..<position
    case 0x00: return nil
    default:
      guard position <= bytes.count - 2 else { return nil }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2, position <= bytes.count - length else { return nil }
      content = position + 2..<position + length
      position += length
    }
  }
}
