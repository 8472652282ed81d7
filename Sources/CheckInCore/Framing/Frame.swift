/// The envelope of a message in a stream of bytes: a 4-byte big-endian length, and a body of that many bytes.
public enum Frame {
  /// How many bytes stand before the body.
  public static let prefixLength = 4

  /// The most bytes a body has unless both ends are configured otherwise.
  public static let defaultLimit = 65_536

  /// What stands before a body on the wire.
  public struct Prefix: Hashable, Sendable {
    fileprivate let length: UInt32

    /// Adds it behind the last of these.
    public func append(to bytes: inout [UInt8]) {
      length.appendBigEndian(to: &bytes)
    }

    /// It, and the bytes behind it.
    public func before(_ body: [UInt8]) -> [UInt8] {
      var frame: [UInt8] = []
      frame.reserveCapacity(prefixLength + body.count)
      append(to: &frame)
      frame.append(contentsOf: body)
      return frame
    }
  }

  /// What stands before this body.
  ///
  /// - Throws: ``FrameError/empty`` for no bytes, ``FrameError/tooLarge(length:)`` for more than `limit`.
  public static func prefix(of body: [UInt8], limit: Int = defaultLimit) throws(FrameError) -> Prefix {
    guard !body.isEmpty else { throw .empty }
    guard body.count <= limit, let length = UInt32(exactly: body.count) else {
      throw .tooLarge(length: UInt64(body.count))
    }
    return Prefix(length: length)
  }

  /// The body with its length in front: what goes on the wire.
  ///
  /// - Throws: as ``prefix(of:limit:)`` does.
  public static func encode(_ body: [UInt8], limit: Int = defaultLimit) throws(FrameError) -> [UInt8] {
    try prefix(of: body, limit: limit).before(body)
  }

  /// Adds the body, with its length in front, behind what is there.
  ///
  /// - Throws: as ``prefix(of:limit:)`` does; then nothing was added.
  public static func append(
    _ body: [UInt8], to bytes: inout [UInt8], limit: Int = defaultLimit
  ) throws(FrameError) {
    try prefix(of: body, limit: limit).append(to: &bytes)
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
