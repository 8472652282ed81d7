extension Comparison {
  /// Every row, in the order of the table.
  static let all = [
    Comparison(
      "64 B there and back, TCP, two processes", "round-trip", .time, count: 20_000, quick: 4_000,
      [
        Other("raw C, epoll", "round-trip-raw", .atMost(1.15)),
        Other("NNG pair", "round-trip-nng", .atMost(0.6)),
        Other("ZeroMQ pair", "round-trip-zmq", .atMost(0.7)),
      ]),
    Comparison(
      "64 B there and back, in memory", "memory-round-trip", .time, count: 50_000, quick: 10_000,
      [
        Other("NNG inproc", "memory-round-trip-nng", .atMost(0.1)),
        Other("ZeroMQ inproc", "memory-round-trip-zmq", .atMost(0.2)),
      ]),
    Comparison(
      "64 B one way, TCP", "stream", .speed, count: 400_000, quick: 100_000,
      [
        Other("ZeroMQ push/pull", "stream-zmq", .atLeast(1)),
        Other("NNG push/pull", "stream-nng", .atLeast(3)),
      ]),
    Comparison(
      "64 KiB one way, TCP", "large-stream", .speed, count: 20_000, quick: 5_000,
      [Other("raw C write/read", "large-stream-raw", .atLeast(0.9))]),
  ]
}
