/// The envelope of a message in a stream of bytes: a 4-byte big-endian length, and a body of that many bytes.
public enum Frame {
  /// How many bytes stand before the body.
  public static let prefixLength = 4

  /// The most bytes a body has unless both ends are configured otherwise.
  public static let defaultLimit = 65_536

  /// The body with its length in front: what goes on the wire.
  ///
  /// - Throws: ``FrameError/empty`` for no bytes, ``FrameError/tooLarge(length:)`` for more than `limit`.
  public static func encode(_ body: [UInt8], limit: Int = defaultLimit) throws(FrameError) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(prefixLength + body.count)
    try append(body, to: &frame, limit: limit)
    return frame
  }

  /// Adds the body, with its length in front, behind what is there.
  ///
  /// - Throws: as ``encode(_:limit:)`` does; then nothing was added.
  public static func append(
    _ body: [UInt8], to bytes: inout [UInt8], limit: Int = defaultLimit
  ) throws(FrameError) {
    guard !body.isEmpty else { throw .empty }
    guard body.count <= limit, let length = UInt32(exactly: body.count) else {
      throw .tooLarge(length: UInt64(body.count))
    }
    length.appendBigEndian(to: &bytes)
    bytes.append(contentsOf: body)
  }
}

/// Bytes that do not follow the framing. The stream cannot be read any further.
public enum FrameError: Error, Hashable, Sendable {
  /// The length is zero.
  case empty
  /// The length, which is this, is above the limit.
  case tooLarge(length: UInt64)
}
