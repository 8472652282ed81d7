/// How a picture has to be turned before it is looked at, by the number in its EXIF (TIFF tag 274).
public enum PictureOrientation: UInt8, Hashable, Sendable, CaseIterable {
  /// As it is.
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  /// Turned by half a turn.
  case upsideDown = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Mirrored over the line from the upper left to the lower right.
  case transposed = 5
  /// To be turned a quarter clockwise.
  case quarterClockwise = 6
  /// Mirrored over the line from the lower left to the upper right.
  case transverse = 7
  /// To be turned a quarter anticlockwise.
  case quarterAnticlockwise = 8

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= 5 }
}
