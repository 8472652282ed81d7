/// Takes whole bodies from bytes that arrive in pieces of any size.
///
/// It keeps no bytes of its own: a body that is not whole yet stays in the queue. So a call that finds nothing may be
/// repeated as often as one likes, and nothing is lost between calls.
public struct FrameReader: Hashable, Sendable {
  /// The most bytes that a body may have.
  public let limit: Int

  /// A reader of bodies of at most `limit` bytes.
  ///
  /// - Precondition: `limit` is at least 1.
  public init(limit: Int = Frame.defaultLimit) {
    precondition(limit > 0, "a limit of no bytes lets nothing through")
    self.limit = limit
  }

  /// Takes the next body, or answers nil when it has not arrived whole.
  ///
  /// The length is judged as soon as its four bytes are there, before any memory is set aside for the body. After an
  /// error the queue is unchanged, and every further call throws the same.
  public func next(from queue: inout ByteQueue) throws(FrameError) -> [UInt8]? {
    guard let length = try length(in: queue) else { return nil }
    guard queue.count - Frame.prefixLength >= length else { return nil }
    queue.drop(Frame.prefixLength)
    return queue.take(length)
  }

  /// How many more bytes the frame at the front needs at least; 0 when it is whole.
  public func missing(in queue: borrowing ByteQueue) throws(FrameError) -> Int {
    guard let length = try length(in: queue) else { return Frame.prefixLength - queue.count }
    return max(0, Frame.prefixLength + length - queue.count)
  }

  private func length(in queue: borrowing ByteQueue) throws(FrameError) -> Int? {
    guard queue.count >= Frame.prefixLength else { return nil }
    let stated = queue.withBytes { bytes in
      UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8 | UInt32(bytes[3])
    }
    guard stated > 0 else { throw .empty }
    // Compared as 64-bit: on a 32-bit machine the length need not fit an Int.
    guard UInt64(stated) <= UInt64(limit) else { throw .tooLarge(length: UInt64(stated)) }
    return Int(stated)
  }
}
