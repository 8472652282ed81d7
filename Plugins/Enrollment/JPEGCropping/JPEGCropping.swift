internal import CTurboJPEG
public import EnrollmentCore

/// Cuts a JPEG to a frame, turned upright and without anything beside the picture, by libjpeg-turbo.
///
/// Where the frame and the turning agree with the blocks of the JPEG nothing is compressed again, so nothing is lost.
/// Elsewhere the part is decoded and compressed anew, at quality 95. It blocks the thread meanwhile: up to some seconds.
public struct JPEGCropping: Sendable {
  /// A picture that was cut.
  public struct Result: Sendable {
    /// The JPEG.
    public let bytes: [UInt8]
    /// Whether it holds the very blocks of the original.
    public let isLossless: Bool
  }

  private static let quality: Int32 = 95

  /// A cropping.
  public init() {}

  /// Cuts a picture.
  ///
  /// - Throws: ``/EnrollmentCore/EnrollmentResult/tooLarge`` before anything is decoded,
  ///   ``/EnrollmentCore/EnrollmentResult/notAPicture`` when it is no JPEG, is damaged, or the frame does not lie in it.
  public func crop(_ picture: [UInt8], to frame: PictureFrame) throws(EnrollmentResult) -> Result {
    let outline = try JPEGOutline(picture, allowsTrailer: true)
    guard let part = frame.rectangle(inWidth: outline.uprightWidth, height: outline.uprightHeight) else {
      throw .notAPicture
    }
    if let bytes = transformed(picture, part, outline.orientation) { return Result(bytes: bytes, isLossless: true) }
    guard let bytes = recompressed(picture, part, outline) else { throw .notAPicture }
    return Result(bytes: bytes, isLossless: false)
  }

  /// Turns and cuts the blocks themselves; nil when the blocks do not allow it.
  private func transformed(
    _ picture: [UInt8], _ part: PictureRectangle, _ orientation: PictureOrientation
  ) -> [UInt8]? {
    guard let handle = unsafe tjInitTransform() else { return nil }
    defer { _ = unsafe tjDestroy(handle) }
    var transform = unsafe tjtransform()
    unsafe transform.r = tjregion(
      x: Int32(part.x), y: Int32(part.y), w: Int32(part.width), h: Int32(part.height))
    unsafe transform.op = Int32(orientation.operation.rawValue)
    // TJXOPT_PERFECT: fail rather than leave out the edges; TJXOPT_CROP; TJXOPT_COPYNONE: no EXIF, no comments.
    unsafe transform.options = 1 | 4 | 64
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    // Unsafe: the library reads the picture during the call, and makes the output, which is ours to free.
    let result = unsafe tjTransform(
      handle, picture, UInt(picture.count), 1, &output, &size, &transform, TJFLAG_STOPONWARNING)
    defer { unsafe tjFree(output) }
    guard result == 0, let bytes = unsafe output else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  /// Decodes, turns, cuts, and compresses again; nil when the picture is damaged.
  private func recompressed(
    _ picture: [UInt8], _ part: PictureRectangle, _ outline: JPEGOutline
  ) -> [UInt8]? {
    guard let decoder = unsafe tjInitDecompress() else { return nil }
    defer { _ = unsafe tjDestroy(decoder) }
    let (width, height) = (outline.width, outline.height)
    var points = [UInt8](repeating: 0, count: width * height * 3)
    // Unsafe: the library reads the picture, and writes as many points as it was told there is room for. A warning is a
    // damaged picture: nothing is guessed.
    let result = unsafe tjDecompress2(
      decoder, picture, UInt(picture.count), &points, Int32(width), Int32(width * 3), Int32(height),
      Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING)
    guard result == 0 else { return nil }
    let upright = cut(points, width, height, part, outline.orientation)
    guard let encoder = unsafe tjInitCompress() else { return nil }
    defer { _ = unsafe tjDestroy(encoder) }
    var output: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    // Unsafe: the library reads the points, and makes the output, which is ours to free.
    let compressed = unsafe tjCompress2(
      encoder, upright, Int32(part.width), Int32(part.width * 3), Int32(part.height), Int32(TJPF_RGB.rawValue), &output,
      &size, Int32(TJSAMP_420.rawValue), JPEGCropping.quality, 0)
    defer { unsafe tjFree(output) }
    guard compressed == 0, let bytes = unsafe output else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  /// The points of the part, upright, three bytes each.
  private func cut(
    _ points: [UInt8], _ width: Int, _ height: Int, _ part: PictureRectangle, _ orientation: PictureOrientation
  ) -> [UInt8] {
    // Where the upper left point of the part is stored, and how far the next ones are to the right and below.
    let place = orientation.place(width, height)
    let start = (place.origin + part.x * place.right + part.y * place.down) * 3
    let (right, down) = (place.right * 3, place.down * 3)
    return unsafe [UInt8](unsafeUninitializedCapacity: part.width * part.height * 3) { target, count in
      // Unsafe: the part lies in the picture, so every index does; this is where the time goes.
      unsafe points.withUnsafeBufferPointer { points in
        var next = 0
        for row in 0..<part.height {
          var at = start + row * down
          for _ in 0..<part.width {
            unsafe target[next] = points[at]
            unsafe target[next + 1] = points[at + 1]
            unsafe target[next + 2] = points[at + 2]
            next += 3
            at += right
          }
        }
      }
      count = part.width * part.height * 3
    }
  }
}

extension PictureOrientation {
  /// The library's operation that makes a picture upright.
  fileprivate var operation: TJXOP {
    switch self {
    case .upright: TJXOP_NONE
    case .mirrored: TJXOP_HFLIP
    case .upsideDown: TJXOP_ROT180
    case .flipped: TJXOP_VFLIP
    case .transposed: TJXOP_TRANSPOSE
    case .quarterClockwise: TJXOP_ROT90
    case .transverse: TJXOP_TRANSVERSE
    case .quarterAnticlockwise: TJXOP_ROT270
    }
  }

  /// In points of a stored picture of that size: where its upright form begins, and how far it is to the next point on the
  /// right and below.
  fileprivate func place(_ width: Int, _ height: Int) -> (origin: Int, right: Int, down: Int) {
    let (lastColumn, lastRow) = (width - 1, (height - 1) * width)
    return switch self {
    case .upright: (0, 1, width)
    case .mirrored: (lastColumn, -1, width)
    case .upsideDown: (lastRow + lastColumn, -1, -width)
    case .flipped: (lastRow, 1, -width)
    case .transposed: (0, width, 1)
    case .quarterClockwise: (lastRow, -width, 1)
    case .transverse: (lastRow + lastColumn, -width, -1)
    case .quarterAnticlockwise: (lastColumn, width, -1)
    }
  }
}
