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
    makeRoom(bytes.count)
    let start = tail
    var target = storage.mutableSpan
    for index in bytes.indices {
      target[start + index] = bytes[index]
    }
    tail = start + bytes.count
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
      for index in 0..<waiting {
        storage[index] = storage[head + index]
      }
    } else {
      var larger = [UInt8](repeating: 0, count: max(storage.count * 2, waiting + room))
      for index in 0..<waiting {
        larger[index] = storage[head + index]
      }
      storage = larger
    }
    head = 0
    tail = waiting
  }
}
