internal import CheckInCore
internal import Testing

@Suite("ByteQueue")
struct ByteQueueTests {
  private static func bytes(_ count: Int, from start: Int) -> [UInt8] {
    (start..<start + count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  @Test("bytes come out as they went in, whatever the sizes", arguments: [0, 1, 16, 100])
  func keepsOrder(capacity: Int) {
    var queue = ByteQueue(capacity: capacity)
    var added = 0
    var taken = 0
    for round in 0..<400 {
      let size = (round * 37) % 61
      switch round % 3 {
      case 0: queue.append(Self.bytes(size, from: added))
      case 1: queue.append(Self.bytes(size + 2, from: added - 1)[1..<size + 1])
      default:
        let more = Self.bytes(size, from: added)
        let count = queue.fill(atLeast: size) { space in
          for index in more.indices { space[index] = more[index] }
          return size
        }
        #expect(count == size)
      }
      added += size
      let out = min(queue.count, (round * 53) % 67)
      #expect(queue.take(out) == Self.bytes(out, from: taken))
      taken += out
      #expect(queue.count == added - taken)
      #expect(queue.isEmpty == (added == taken))
    }
    let rest = queue.count
    #expect(queue.withBytes { $0.count } == rest)
    #expect(queue.take(rest) == Self.bytes(rest, from: taken))
  }

  @Test("appending nothing and taking nothing changes nothing")
  func emptyOperations() {
    var queue = ByteQueue()
    queue.append([UInt8]())
    #expect(queue.take(0).isEmpty)
    queue.append([1, 2])
    queue.append([UInt8]())
    queue.drop(0)
    #expect(queue.take(2) == [1, 2])
  }

  @Test("a copy has bytes of its own")
  func copiesAreSeparate() {
    var queue = ByteQueue()
    queue.append([1, 2, 3])
    var copy = queue
    copy.drop(1)
    copy.append([4])
    #expect(queue.take(3) == [1, 2, 3])
    #expect(copy.take(3) == [2, 3, 4])
  }

  @Test("fill offers at least the room that was asked for, and an error leaves the queue as it was")
  func fillOffersRoom() {
    struct Failure: Error {}
    var queue = ByteQueue()
    queue.append([9])
    for room in [0, 1, 5, 1000, 3] {
      _ = queue.fill(atLeast: room) { space in
        #expect(space.count >= room)
        return 0
      }
    }
    #expect(throws: Failure.self) {
      _ = try queue.fill(atLeast: 10) { (_: inout MutableSpan<UInt8>) throws(Failure) -> Int in throw Failure() }
    }
    #expect(queue.take(1) == [9])
  }

  @Test("taking or dropping more than waits, and filling more than there is room for, stops the program")
  func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      var queue = ByteQueue()
      queue.append([1])
      _ = queue.take(2)
    }
    await #expect(processExitsWith: .failure) {
      var queue = ByteQueue()
      queue.drop(1)
    }
    await #expect(processExitsWith: .failure) {
      var queue = ByteQueue()
      _ = queue.fill(atLeast: 1) { $0.count + 1 }
    }
  }
}
