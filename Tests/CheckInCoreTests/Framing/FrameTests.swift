internal import CheckInCore
internal import Testing

@Suite("Framing")
struct FrameTests {
  @Test("a frame is a big-endian length and the body", arguments: [1, 255, 256, 65_535, 65_536])
  func encodes(size: Int) throws {
    let body = [UInt8](repeating: 0xab, count: size)
    let frame = try Frame.encode(body)
    #expect(frame.count == size + 4)
    #expect(Array(frame[..<4]) == UInt32(size).bigEndianBytes)
    #expect(Array(frame[4...]) == body)
  }

  @Test("an empty body and one above the limit are not encoded")
  func refusesToEncode() {
    #expect(throws: FrameError.empty) { try Frame.encode([]) }
    #expect(throws: FrameError.tooLarge(length: 65_537)) { try Frame.encode([UInt8](repeating: 0, count: 65_537)) }
    #expect(throws: FrameError.tooLarge(length: 4)) { try Frame.encode([1, 2, 3, 4], limit: 3) }
    #expect(throws: Never.self) { try Frame.encode([1, 2, 3], limit: 3) }
  }

  @Test("a frame is added behind what is there, and what cannot be one adds nothing")
  func appends() throws {
    var bytes: [UInt8] = [9]
    try Frame.append([1, 2], to: &bytes)
    #expect(throws: FrameError.empty) { try Frame.append([], to: &bytes) }
    #expect(throws: FrameError.tooLarge(length: 4)) { try Frame.append([1, 2, 3, 4], to: &bytes, limit: 3) }
    try Frame.append([3], to: &bytes)
    #expect(bytes == [9, 0, 0, 0, 2, 1, 2, 0, 0, 0, 1, 3])
  }

  private static let bodies: [[UInt8]] = [[1], [2, 2], Array(repeating: 3, count: 300), [0], [0, 0, 0, 1, 9]]

  @Test("bodies come out whole, however the bytes are cut", arguments: 1...24)
  func readsPieces(size: Int) throws {
    let stream = try Self.bodies.flatMap { try Frame.encode($0) }
    let reader = FrameReader()
    var queue = ByteQueue()
    var found: [[UInt8]] = []
    var start = 0
    while start < stream.count {
      let end = min(stream.count, start + size)
      queue.append(stream[start..<end])
      start = end
      while let body = try reader.next(from: &queue) { found.append(body) }
    }
    #expect(found == Self.bodies)
    #expect(queue.isEmpty)
  }

  @Test("bodies come out whole, cut at every place")
  func readsTwoPieces() throws {
    let stream = try Self.bodies.flatMap { try Frame.encode($0) }
    let reader = FrameReader()
    for cut in 0...stream.count {
      var queue = ByteQueue()
      var found: [[UInt8]] = []
      for piece in [stream[..<cut], stream[cut...]] {
        queue.append(piece)
        while let body = try reader.next(from: &queue) { found.append(body) }
      }
      #expect(found == Self.bodies, "cut at \(cut)")
    }
  }

  @Test("what is missing is counted to the byte")
  func countsMissing() throws {
    let frame = try Frame.encode([7, 8, 9])
    let reader = FrameReader()
    for count in 0...frame.count {
      var queue = ByteQueue()
      queue.append(frame[..<count])
      #expect(try reader.missing(in: queue) == (count < 4 ? 4 - count : frame.count - count))
    }
  }

  @Test("R19: the length is judged as soon as it is there, before the body", arguments: [3, 4, 65_536])
  func judgesLength(limit: Int) throws {
    let reader = FrameReader(limit: limit)
    for (length, error) in [
      (UInt32(0), FrameError.empty), (UInt32(limit) + 1, .tooLarge(length: UInt64(limit) + 1)),
      (.max, .tooLarge(length: UInt64(UInt32.max))),
    ] {
      var queue = ByteQueue()
      for byte in length.bigEndianBytes.dropLast() {
        queue.append([byte])
        #expect(try reader.next(from: &queue) == nil)
      }
      queue.append([UInt8(truncatingIfNeeded: length)])
      for _ in 0..<2 { #expect(throws: error) { try reader.next(from: &queue) } }
      #expect(queue.count == 4)
    }
    var queue = ByteQueue()
    queue.append(try Frame.encode([UInt8](repeating: 1, count: limit)))
    #expect(try reader.next(from: &queue)?.count == limit)
  }
}
