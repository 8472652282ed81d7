extension Comparison {
  /// Every row, in the order of the table.
  static let all = [
    Comparison(
      "64 B there and back, TCP, two processes", "round-trip", .time, count: 20_000, quick: 4_000, roundTrips),
    Comparison(
      "the same, loops that poll", "round-trip-polling", .time, count: 20_000, quick: 4_000, roundTrips),
    Comparison(
      "64 B there and back, in memory", "memory-round-trip", .time, count: 50_000, quick: 10_000,
      [
        Other("NNG inproc", "memory-round-trip-nng", .atMost(0.1)),
        Other("ZeroMQ inproc", "memory-round-trip-zmq", .atMost(0.2)),
      ]),
    Comparison(
      "64 B one way, TCP, one by one", "stream-one-by-one", .speed, count: 400_000, quick: 100_000, streams),
    Comparison("64 B one way, TCP, in batches of 128", "stream", .speed, count: 400_000, quick: 100_000, streams),
    Comparison(
      "64 KiB one way, TCP", "large-stream", .speed, count: 20_000, quick: 5_000,
      [Other("raw C write/read", "large-stream-raw", .atLeast(0.9))]),
    Comparison(
      "reading a check-in request, no signature", "decode", .time, count: 200_000, quick: 50_000,
      [
        Other("copy and walk, C", "decode-walk", .reported),
        Other("libcbor", "decode-libcbor", .atMost(0.5)),
      ]),
    signature("signing, Ed25519", "sign-ed25519"),
    signature("verifying, Ed25519", "verify-ed25519"),
    signature("signing, ES256", "sign-es256"),
    signature("verifying, ES256", "verify-es256"),
    Comparison(
      "whole check-ins, one kiosk, in memory", "check-in", .speed, count: 3_000, quick: 800,
      [Other("its signatures alone", "check-in-signatures", .atLeast(0.85))]),
    Comparison(
      "the same, durable, 64 at once", "check-in-durable", .speed, count: 3_000, quick: 800,
      [
        Other("slower: signatures or SQLite", "check-in-durable-bound", .atLeast(0.8)),
        Other("SQLite alone, groups of 64", "rows-sqlite", .reported),
      ]),
    Comparison(
      "the durable ledger alone, 64 at once", "rows", .speed, count: 20_000, quick: 5_000,
      [Other("SQLite, groups of 64", "rows-sqlite", .atLeast(0.8))]),
    Comparison(
      "TLS 1.3, 64 KiB one way, in memory", "tls-stream", .speed, count: 10_000, quick: 2_000,
      [Other("OpenSSL, memory BIOs", "tls-stream-openssl", .atLeast(0.9))]),
    Comparison(
      "TLS 1.3 handshakes, mutual, in memory", "handshake", .speed, count: 1_000, quick: 200,
      [Other("OpenSSL, memory BIOs", "handshake-openssl", .atLeast(0.85))]),
    Comparison(
      "memory of an idle attendee", "idle", .figure, .memory, count: 10_000, quick: 2_000, parts: 1,
      [Other("TCP", "", .atMost(4_096))]),
    Comparison(
      "memory of an idle attendee", "idle-tls", .figure, .memory, count: 10_000, quick: 300, parts: 1,
      [Other("TLS over TCP", "", .atMost(49_152))]),
    Comparison(
      "memory of an idle attendee", "idle-session", .figure, .memory, count: 10_000, quick: 1_000, parts: 1,
      [Other("TCP, with its session", "", .reported)]),
    Comparison(
      "the slowest check-in in 100", "check-in-tail", .figure, .ratio, count: 2_000, quick: 600, parts: 1,
      [Other("the median, half load", "", .atMost(4))]),
  ]

  private static let roundTrips = [
    Other("raw C, epoll", "round-trip-raw", .atMost(1.15)),
    Other("NNG pair", "round-trip-nng", .atMost(0.6)),
    Other("ZeroMQ pair", "round-trip-zmq", .atMost(0.7)),
  ]

  private static let streams = [
    Other("ZeroMQ push/pull", "stream-zmq", .atLeast(1)), Other("NNG push/pull", "stream-nng", .atLeast(3)),
  ]

  private static func signature(_ what: String, _ workload: String) -> Comparison {
    Comparison(
      what, workload, .time, count: 10_000, quick: 2_000, [Other("OpenSSL EVP", workload + "-evp", .atMost(1.05))])
  }
}
