/// The part of a picture that is inside of the yellow frame.
public enum PictureFrame: Hashable, Sendable {
  /// The largest frame of this proportion in the middle, with a margin.
  case proportion(width: Int, height: Int)
  /// Exactly this, in points of the picture as it is looked at: turned as its EXIF says.
  case rectangle(PictureRectangle)

  /// The frame for a kind of picture: the data page of a passport, 125 by 88 mm (ICAO 9303-4 §2.1, TD3); a portrait, 35 by
  /// 45 mm (ICAO 9303-9).
  public static func standard(_ kind: PictureKind) -> PictureFrame {
    switch kind {
    case .passport: .proportion(width: 125, height: 88)
    case .selfie: .proportion(width: 35, height: 45)
    }
  }

  /// Where the frame lies in a picture of this size; nil: it reaches over an edge, or holds nothing.
  public func rectangle(inWidth width: Int, height: Int) -> PictureRectangle? {
    switch self {
    case .rectangle(let rectangle): return rectangle.lies(inWidth: width, height: height) ? rectangle : nil
    case .proportion(let across, let down):
      guard across > 0, down > 0, width > 0, height > 0, width <= 65_535, height <= 65_535 else { return nil }
      // Nine tenths of what there is: the frame stands free on the screen.
      let (roomAcross, roomDown) = (width * 9 / 10, height * 9 / 10)
      var (w, h) = (roomAcross, roomAcross * down / across)
      if h > roomDown { (w, h) = (roomDown * across / down, roomDown) }
      // On the grid of the largest blocks that JPEG has, so that nothing has to be compressed again.
      let (x, y) = ((width - w) / 2 / 16 * 16, (height - h) / 2 / 16 * 16)
      let rectangle = PictureRectangle(x: x, y: y, width: w, height: h)
      return rectangle.lies(inWidth: width, height: height) ? rectangle : nil
    }
  }
}

/// A rectangle in points.
public struct PictureRectangle: Hashable, Sendable {
  /// From the left edge.
  public let x: Int
  /// From the upper edge.
  public let y: Int
  /// How wide it is.
  public let width: Int
  /// How high it is.
  public let height: Int

  /// A rectangle.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Whether it holds something, and nothing outside of a picture of that size.
  public func lies(inWidth width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0 && x <= width && y <= height && self.width <= width - x
      && self.height <= height - y
  }
}
