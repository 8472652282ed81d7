internal import CTurboJPEG
internal import EnrollmentCore
internal import JPEGCropping
internal import PictureMaking
internal import Testing

/// Pictures in, and only what is inside of the frame out.
@Suite struct JPEGCroppingTests {
  /// The upright form of stored points, point by point: another way than the plugin's.
  private func upright(
    _ picture: (points: [UInt8], width: Int, height: Int), _ orientation: PictureOrientation
  ) -> (points: [UInt8], width: Int, height: Int) {
    let (w, h) = (picture.width, picture.height)
    let (width, height) = orientation.swapsSides ? (h, w) : (w, h)
    var points: [UInt8] = []
    points.reserveCapacity(w * h * 3)
    for y in 0..<height {
      for x in 0..<width {
        // Where the point that is seen at (x, y) is stored, by the table of EXIF (CIPA DC-008, tag 274).
        let (column, row) =
          switch orientation {
          case .upright: (x, y)
          case .mirrored: (w - 1 - x, y)
          case .upsideDown: (w - 1 - x, h - 1 - y)
          case .flipped: (x, h - 1 - y)
          case .transposed: (y, x)
          case .quarterClockwise: (y, h - 1 - x)
          case .transverse: (w - 1 - y, h - 1 - x)
          case .quarterAnticlockwise: (w - 1 - y, x)
          }
        let at = (row * w + column) * 3
        points += picture.points[at..<at + 3]
      }
    }
    return (points, width, height)
  }

  private func part(
    _ picture: (points: [UInt8], width: Int, height: Int), _ r: PictureRectangle
  ) -> [UInt8] {
    var points: [UInt8] = []
    for row in r.y..<r.y + r.height {
      let start = (row * picture.width + r.x) * 3
      points += picture.points[start..<start + r.width * 3]
    }
    return points
  }

  private func difference(_ one: [UInt8], _ two: [UInt8]) -> (most: Int, mean: Double) {
    var most = 0
    var sum = 0
    for (left, right) in zip(one, two) {
      let difference = abs(Int(left) - Int(right))
      most = max(most, difference)
      sum += difference
    }
    return (most, Double(sum) / Double(max(1, one.count)))
  }

  @Test("On the grid nothing is lost, whichever way it was held", arguments: PictureOrientation.allCases)
  func lossless(orientation: PictureOrientation) throws {
    let jpeg = TestPicture.jpeg(
      width: 160, height: 128, orientation: orientation.rawValue, noise: 40, sampling: TJSAMP_444)
    let frame = PictureRectangle(x: 16, y: 32, width: 70, height: 51)
    let result = try JPEGCropping().crop(jpeg, to: .rectangle(frame))
    #expect(result.isLossless)
    let (points, width, height) = TestPicture.points(result.bytes)
    #expect(width == 70 && height == 51)
    let expected = part(upright(TestPicture.points(jpeg), orientation), frame)
    // The same blocks: only the rounding of their decoding differs when they are turned.
    #expect(difference(points, expected).most <= 3)
  }

  @Test("Off the grid it is compressed again, and looks the same", arguments: PictureOrientation.allCases)
  func recompressed(orientation: PictureOrientation) throws {
    let jpeg = TestPicture.jpeg(width: 150, height: 130, orientation: orientation.rawValue, noise: 0)
    let frame = PictureRectangle(x: 13, y: 7, width: 64, height: 90)
    let result = try JPEGCropping().crop(jpeg, to: .rectangle(frame))
    #expect(!result.isLossless)
    let (points, width, height) = TestPicture.points(result.bytes)
    #expect(width == 64 && height == 90)
    let expected = part(upright(TestPicture.points(jpeg), orientation), frame)
    #expect(difference(points, expected).mean < 4)
  }

  @Test("Nothing beside the picture goes along: no EXIF, no place", arguments: [16, 13])
  func metadata(x: Int) throws {
    let jpeg = TestPicture.jpeg(width: 160, height: 128, orientation: 1)
    #expect(jpeg.firstRange(of: Array(TestPicture.place.utf8)) != nil, "the test has something to find")
    let frame = PictureFrame.rectangle(PictureRectangle(x: x, y: 16, width: 80, height: 80))
    let result = try JPEGCropping().crop(jpeg, to: frame)
    #expect(result.isLossless == (x == 16))
    #expect(try !JPEGOutline(result.bytes).hasMetadata)
    #expect(result.bytes.firstRange(of: Array(TestPicture.place.utf8)) == nil)
  }

  @Test(
    "The usual frames have their proportion, and lose nothing of an ordinary photograph",
    arguments: PictureKind.allCases)
  func standard(kind: PictureKind) throws {
    let jpeg = TestPicture.jpeg(width: 800, height: 640, orientation: 6)
    let result = try JPEGCropping().crop(jpeg, to: .standard(kind))
    #expect(result.isLossless)
    let outline = try JPEGOutline(result.bytes)
    let proportion = Double(outline.width) / Double(outline.height)
    #expect(abs(proportion - (kind == .passport ? 125.0 / 88 : 35.0 / 45)) < 0.01)
  }

  @Test("What is no whole JPEG, or a frame that is not in it, is refused")
  func refuses() {
    let jpeg = TestPicture.jpeg(width: 160, height: 128)
    var damaged = jpeg
    for index in damaged.count / 2..<damaged.count / 2 + 40 { damaged[index] = 0xff }
    let cut = Array(jpeg.prefix(jpeg.count / 2)) + [0xff, 0xd9]
    for bytes in [[], Array("GIF89a".utf8), Array(jpeg.dropLast(1)), cut, damaged] {
      #expect(throws: EnrollmentResult.notAPicture) { try JPEGCropping().crop(bytes, to: .standard(.passport)) }
    }
    let over = PictureFrame.rectangle(PictureRectangle(x: 100, y: 0, width: 61, height: 10))
    #expect(throws: EnrollmentResult.notAPicture) { try JPEGCropping().crop(jpeg, to: over) }
  }

  @Test("What a phone writes behind the picture is left behind")
  func trailer() throws {
    let jpeg = TestPicture.jpeg(width: 160, height: 128) + Array("SEFT \(TestPicture.place)".utf8)
    let result = try JPEGCropping().crop(jpeg, to: .standard(.passport))
    #expect(
      result.bytes.firstRange(of: Array("SEFT".utf8)) == nil && result.bytes.suffix(2).elementsEqual([0xff, 0xd9]))
  }

  @Test("Too many bytes are refused before anything is decoded")
  func large() {
    let jpeg = TestPicture.jpeg(width: 160, height: 128)
    let padded = Array(jpeg.dropLast(2)) + [UInt8](repeating: 0, count: 10 << 20) + [0xff, 0xd9]
    #expect(throws: EnrollmentResult.tooLarge) { try JPEGCropping().crop(padded, to: .standard(.selfie)) }
  }

  @Test("No JPEG with bytes changed at random brings it down")
  func survives() {
    let jpeg = TestPicture.jpeg(width: 96, height: 80, orientation: 3, noise: 80)
    var state: UInt64 = 7
    for _ in 0..<400 {
      var changed = jpeg
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        changed[Int(state >> 33) % changed.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      _ = try? JPEGCropping().crop(changed, to: .standard(.selfie))
    }
  }
}
