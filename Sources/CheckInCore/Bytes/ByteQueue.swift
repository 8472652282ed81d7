/// Bytes that arrive at one end and are taken at the other, in one piece of memory that is used again.
///
/// A transport fills it with ``fill(atLeast:_:)``; a reader looks at them with ``withBytes(_:)`` and says with ``drop(_:)`` how many
/// it is done with. Memory grows to the most that was ever held at once, by doubling, and is not zeroed again.
public struct ByteQueue: Sendable {
  private var storage: [UInt8]
  private var head = 0
  private var tail = 0

  /// An empty queue, with room for `capacity` bytes.
  public init(capacity: Int = 0) {
    storage = [UInt8](repeating: 0, count: capacity)
  }

  /// How many bytes wait.
  public var count: Int { tail - head }

  /// Whether no byte waits.
  public var isEmpty: Bool { head == tail }

  /// Shows `body` the bytes that wait, oldest first, and answers what it answers.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.span.extracting(head..<tail))
  }

  /// Makes room for at least `room` more bytes and hands all the free space behind the last byte to `body`, which
  /// answers how many bytes, from the front, it has filled.
  ///
  /// - Precondition: `body` answers no more than the space that it was given.
  public mutating func fill<Failure: Error>(
    atLeast room: Int, _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    makeRoom(room)
    let start = tail
    let space = storage.count - start
    var whole = storage.mutableSpan
    var free = whole._mutatingExtracting(start...)
    let added = try body(&free)
    precondition(added >= 0 && added <= space, "more bytes than there was room for")
    tail = start + added
    return added
  }

  /// Adds bytes behind the last.
  public mutating func append(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    makeRoom(bytes.count)
    let start = tail
    // Unsafe because spans have no bulk copy, and byte by byte is many times slower. `makeRoom` has made the room; the
    // span is another piece of memory, because we hold ours exclusively.
    unsafe storage.withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        _ = unsafe target.extracting(start...).update(fromContentsOf: source)
      }
    }
    tail = start + bytes.count
  }

  /// Adds bytes behind the last.
  public mutating func append(_ bytes: [UInt8]) {
    guard isEmpty, bytes.count >= ByteQueue.worthTaking else { return append(bytes.span) }
    // They become the queue's memory as they are: copying so many costs more than letting the old memory go.
    storage = bytes
    head = 0
    tail = bytes.count
  }

  /// From how many bytes on an array is taken and not copied.
  private static let worthTaking = 16_384

  /// Adds the bytes of a slice behind the last.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    append(bytes.span)
  }

  /// Takes the first `count` bytes out.
  ///
  /// - Precondition: that many wait.
  public mutating func take(_ count: Int) -> [UInt8] {
    precondition(count >= 0 && count <= self.count, "more bytes taken than wait")
    let bytes = [UInt8](storage[head..<head + count])
    drop(count)
    return bytes
  }

  /// Forgets the first `count` bytes.
  ///
  /// - Precondition: that many wait.
  public mutating func drop(_ count: Int) {
    precondition(count >= 0 && count <= self.count, "more bytes dropped than wait")
    head += count
    if head == tail {
      head = 0
      tail = 0
    }
  }

  private mutating func makeRoom(_ room: Int) {
    guard storage.count - tail < room else { return }
    let waiting = tail - head
    if storage.count - waiting >= room, head >= storage.count / 2 {
      let (head, tail) = (head, tail)
      // Unsafe for the same reason as in `append`. The ranges do not meet: half of the memory lies before the bytes.
      unsafe storage.withUnsafeMutableBufferPointer { memory in
        _ = unsafe memory.update(fromContentsOf: memory.extracting(head..<tail))
      }
    } else {
      var larger: [UInt8] = []
      larger.reserveCapacity(max(storage.count * 2, waiting + room))
      larger.append(contentsOf: storage[head..<tail])
      larger.append(addingCapacity: larger.capacity - waiting) { space in
        space.append(repeating: 0, count: space.freeCapacity)
      }
      storage = larger
    }
    head = 0
    tail = waiting
  }
}
