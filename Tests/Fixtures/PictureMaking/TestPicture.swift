package import CTurboJPEG

/// Makes JPEG pictures for tests: a gradient with coarse noise, so that they compress like photographs, and EXIF as a phone
/// writes it, with an orientation and a place.
package enum TestPicture {
  /// Where the EXIF says that it was taken: what must never leave the phone.
  package static let place = "59.3293N 18.0686E"

  /// A picture of that size.
  ///
  /// - Parameters:
  ///   - orientation: the number in its EXIF; nil: it has none.
  ///   - seed: what the noise follows from.
  ///   - noise: how strong that is, 0 to 255: with 255 nothing can be compressed.
  package static func jpeg(
    width: Int, height: Int, orientation: UInt8? = nil, seed: UInt64 = 1, noise: UInt64 = 24, quality: Int32 = 90,
    sampling: TJSAMP = TJSAMP_420
  ) -> [UInt8] {
    var state = seed
    let points = unsafe [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
      // Unsafe: every index lies below the capacity; this is where the time goes.
      for row in 0..<height {
        for column in 0..<width {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let random = noise == 0 ? 0 : (state >> 33) % noise
          let at = (row * width + column) * 3
          unsafe target[at] = UInt8(truncatingIfNeeded: min(255, UInt64(column * 200 / width) + random))
          unsafe target[at + 1] = UInt8(truncatingIfNeeded: min(255, UInt64(row * 200 / height) + random))
          unsafe target[at + 2] = UInt8(truncatingIfNeeded: min(255, 60 + random))
        }
      }
      count = width * height * 3
    }
    return compressed(points, width, height, orientation, quality, sampling)
  }

  /// A picture from points, three bytes each.
  package static func compressed(
    _ points: [UInt8], _ width: Int, _ height: Int, _ orientation: UInt8? = nil, _ quality: Int32 = 90,
    _ sampling: TJSAMP = TJSAMP_420
  ) -> [UInt8] {
    guard let encoder = unsafe tjInitCompress() else { fatalError("libjpeg-turbo has no memory") }
    defer { _ = unsafe tjDestroy(encoder) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    // Unsafe: the library reads the points, and makes the output, which is ours to free.
    let result = unsafe tjCompress2(
      encoder, points, Int32(width), Int32(width * 3), Int32(height), Int32(TJPF_RGB.rawValue), &output, &size,
      Int32(sampling.rawValue), quality, 0)
    defer { unsafe tjFree(output) }
    guard result == 0, let start = unsafe output else { fatalError("libjpeg-turbo cannot compress") }
    let jpeg = unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(size)))
    guard let orientation else { return jpeg }
    return Array(jpeg.prefix(2)) + exif(orientation) + jpeg.dropFirst(2)
  }

  /// The points of a picture, three bytes each, as it is stored.
  package static func points(_ jpeg: [UInt8]) -> (points: [UInt8], width: Int, height: Int) {
    guard let decoder = unsafe tjInitDecompress() else { fatalError("libjpeg-turbo has no memory") }
    defer { _ = unsafe tjDestroy(decoder) }
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colours: Int32 = 0
    // Unsafe: the library reads the picture during the call.
    guard unsafe tjDecompressHeader3(decoder, jpeg, UInt(jpeg.count), &width, &height, &sampling, &colours) == 0 else {
      fatalError("this is no picture")
    }
    var points = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
    // Unsafe: there is room for as many points as the header says.
    guard
      unsafe tjDecompress2(
        decoder, jpeg, UInt(jpeg.count), &points, width, width * 3, height, Int32(TJPF_RGB.rawValue), 0) == 0
    else { fatalError("this picture is damaged") }
    return (points, Int(width), Int(height))
  }

  /// An EXIF segment (CIPA DC-008) with an orientation, and a description that names a place.
  private static func exif(_ orientation: UInt8) -> [UInt8] {
    let text = Array(place.utf8) + [0]
    let tiff: [UInt8] =
      [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 2] + [1, 0x0e, 0, 2, 0, 0, 0, UInt8(text.count), 0, 0, 0, 38]
      + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0] + [0, 0, 0, 0] + text
    let content = Array("Exif\u{0}\u{0}".utf8) + tiff
    return [0xff, 0xe1, 0, UInt8(content.count + 2)] + content
  }
}
