internal import EnrollmentCore
internal import Testing

/// What can be said of a JPEG without decoding it.
@Suite struct JPEGOutlineTests {
  /// The markers of a JPEG without a picture in it.
  static func jpeg(
    width: Int = 640, height: Int = 480, orientation: UInt8? = nil, big: Bool = true, frame: UInt8 = 0xc0,
    components: UInt8 = 1, extra: [UInt8] = [], end: [UInt8] = [0xff, 0xd9]
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF\u{0}".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    if let orientation {
      let entry: [UInt8] =
        big ? [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] : [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      let head: [UInt8] = big ? [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1] : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
      let exif = Array("Exif\u{0}\u{0}".utf8) + head + entry + [0, 0, 0, 0]
      bytes += [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
    }
    bytes += extra
    bytes += [
      0xff, frame, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), components,
      1,
      0x11, 0,
    ]
    bytes += [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3]
    return bytes + end
  }

  @Test("Size and orientation are found, in both byte orders", arguments: 1...8 as ClosedRange<UInt8>, [true, false])
  func outline(orientation: UInt8, big: Bool) throws {
    let outline = try JPEGOutline(JPEGOutlineTests.jpeg(orientation: orientation, big: big))
    #expect(outline.width == 640 && outline.height == 480)
    #expect(outline.orientation.rawValue == orientation)
    #expect(outline.hasMetadata)
    #expect(outline.uprightWidth == (orientation < 5 ? 640 : 480))
  }

  @Test("Without EXIF it is upright, and has nothing to tell")
  func plain() throws {
    let outline = try JPEGOutline(JPEGOutlineTests.jpeg())
    #expect(outline.orientation == .upright && !outline.hasMetadata)
    #expect(try JPEGOutline(JPEGOutlineTests.jpeg(extra: [0xff, 0xfe, 0, 4, 65, 66])).hasMetadata, "a comment")
  }

  @Test("Too many bytes or points are too large, and not: no picture")
  func large() {
    #expect(throws: EnrollmentResult.tooLarge) { try JPEGOutline(JPEGOutlineTests.jpeg(), limit: 20) }
    #expect(throws: EnrollmentResult.tooLarge) { try JPEGOutline(JPEGOutlineTests.jpeg(width: 10_000, height: 10_000)) }
    #expect(throws: EnrollmentResult.tooLarge) { try JPEGOutline(JPEGOutlineTests.jpeg(width: 20_000, height: 100)) }
  }

  @Test("What is no JPEG is none")
  func none() {
    let whole = JPEGOutlineTests.jpeg()
    var bad: [[UInt8]] = [
      [], [0xff, 0xd8], Array("GIF89a and so on".utf8), Array(whole.dropLast(2)), JPEGOutlineTests.jpeg(width: 0),
      JPEGOutlineTests.jpeg(components: 4), JPEGOutlineTests.jpeg(components: 0),
      JPEGOutlineTests.jpeg(width: 20), JPEGOutlineTests.jpeg(frame: 0xc9), [0x89, 0x50, 0x4e, 0x47] + whole,
      JPEGOutlineTests.jpeg(extra: [0xff, 0xfe, 0xff, 0xff]), JPEGOutlineTests.jpeg(extra: [0xff, 0xfe, 0, 1]),
    ]
    bad.append([0xff, 0xd8, 0xff, 0xd9])
    for bytes in bad {
      #expect(throws: EnrollmentResult.notAPicture) { try JPEGOutline(bytes) }
    }
  }

  @Test("No first part of a JPEG, and no JPEG with one byte changed, traps")
  func survives() {
    let whole = JPEGOutlineTests.jpeg(orientation: 6)
    for count in whole.indices { _ = try? JPEGOutline(Array(whole.prefix(count)) + [0xff, 0xd9]) }
    for index in whole.indices {
      for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
        var changed = whole
        changed[index] = value
        _ = try? JPEGOutline(changed)
      }
    }
  }

  @Test("The frame is in the middle, of its proportion, and on the grid; one that reaches over an edge is none")
  func frames() throws {
    let passport = try #require(PictureFrame.standard(.passport).rectangle(inWidth: 4000, height: 3000))
    #expect(passport.width == 3600 && passport.height == 3600 * 88 / 125)
    #expect(passport.x % 16 == 0 && passport.y % 16 == 0)
    let selfie = try #require(PictureFrame.standard(.selfie).rectangle(inWidth: 4000, height: 3000))
    #expect(selfie.height == 2700 && selfie.width == 2700 * 35 / 45)
    for (x, y, w, h) in [(-1, 0, 5, 5), (0, 0, 101, 5), (96, 0, 5, 5), (0, 0, 0, 5), (.max, 0, 5, 5), (5, 5, .max, 5)] {
      let frame = PictureFrame.rectangle(PictureRectangle(x: x, y: y, width: w, height: h))
      #expect(frame.rectangle(inWidth: 100, height: 100) == nil)
    }
    let frame = PictureFrame.rectangle(PictureRectangle(x: 95, y: 0, width: 5, height: 100))
    #expect(frame.rectangle(inWidth: 100, height: 100) != nil)
  }
}
