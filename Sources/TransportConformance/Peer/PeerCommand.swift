/// What the first message of a connection tells the serving process to do with it.
///
/// The messages are frames, as everywhere; their bodies are words of ASCII with one space between them. This is the
/// whole control protocol; the article “Running the conformance suite” describes it for other implementations.
package enum PeerCommand: Hashable, Sendable {
  /// `hello`: answer with `checkin-conformance 1`, and the channel binding in hexadecimal or `-`; then close.
  case hello
  /// `echo`: send every message back, until the peer finishes or closes.
  case echo
  /// `take COUNT`: answer with `take`; receive so many bytes without frames, which follow when the answer has come;
  /// then answer with a message: their checksum; then close.
  case take(Int)
  /// `give COUNT SEED`: send so many bytes of ``PeerBytes`` without frames, then close.
  case give(Int, seed: UInt64)
  /// `wait`: read nothing and send nothing, until the peer has gone.
  case wait
  /// `close`: close in good order.
  case close
  /// `abort`: abort.
  case abort
  /// `die COUNT SEED`: send so many bytes without frames, then end the process as a power cut would.
  case die(Int, seed: UInt64)
  /// `relisten MILLISECONDS`: answer with `relisten`, close the listener, and listen at the same address after that time.
  case relisten(Int)

  /// The most bytes that a command asks for.
  static let mostBytes = 1 << 30

  /// Reads a command; nil for one that is unknown or malformed.
  package init?(_ body: [UInt8]) {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    // A word that is no number stays, as nil, so that it is counted.
    let numbers = words.dropFirst().map { Self.number($0) }
    func count(_ index: Int) -> Int? {
      guard numbers.indices.contains(index), let number = numbers[index], number <= Self.mostBytes else { return nil }
      return Int(number)
    }
    switch (words[0], numbers.count) {
    case ("hello", 0): self = .hello
    case ("echo", 0): self = .echo
    case ("wait", 0): self = .wait
    case ("close", 0): self = .close
    case ("abort", 0): self = .abort
    case ("take", 1):
      guard let count = count(0) else { return nil }
      self = .take(count)
    case ("relisten", 1):
      guard let time = count(0), time <= 60_000 else { return nil }
      self = .relisten(time)
    case ("give", 2), ("die", 2):
      guard let count = count(0), let seed = numbers[1] else { return nil }
      self = words[0] == "give" ? .give(count, seed: seed) : .die(count, seed: seed)
    default: return nil
    }
  }

  /// A number as it is written by everybody: digits alone, and no zero in front of others.
  private static func number(_ word: Substring) -> UInt64? {
    guard word.utf8.allSatisfy({ (48...57).contains($0) }), word == "0" || word.utf8.first != 48 else { return nil }
    return UInt64(word)
  }

  /// The message’s body.
  package var body: [UInt8] {
    let text =
      switch self {
      case .hello: "hello"
      case .echo: "echo"
      case .take(let count): "take \(count)"
      case .give(let count, let seed): "give \(count) \(seed)"
      case .wait: "wait"
      case .close: "close"
      case .abort: "abort"
      case .die(let count, let seed): "die \(count) \(seed)"
      case .relisten(let time): "relisten \(time)"
      }
    return Array(text.utf8)
  }

  /// What `hello` is answered with, before the channel binding.
  static let greeting = "checkin-conformance 1"
}

/// The bytes that two processes agree on without sending them: xorshift64*, of each number the highest byte.
struct PeerBytes {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed | 1
  }

  mutating func next() -> UInt8 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return UInt8(truncatingIfNeeded: (state &* 0x2545_F491_4F6C_DD1D) >> 56)
  }

  mutating func next(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for _ in 0..<count { bytes.append(next()) }
    return bytes
  }
}

/// The checksum of a `take`: FNV-1a of 64 bits, in hexadecimal.
struct PeerChecksum {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
  }

  var text: String { String(state, radix: 16) }
}
