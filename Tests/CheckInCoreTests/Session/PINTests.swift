internal import CheckInCore
internal import Synchronization
internal import TestSupport
internal import Testing

/// The five digits.
@Suite struct PINTests {
  /// A random source that gives what a test wants, then zeros.
  private final class Script: Cryptography {
    private let words: Mutex<[UInt32]>

    init(_ words: [UInt32]) {
      self.words = Mutex(words)
    }

    func sha256(_ bytes: Span<UInt8>) -> Digest { Digest([UInt8](repeating: 0, count: 32))! }
    func verify(_ signature: Span<UInt8>, of message: Span<UInt8>, by key: PublicKey) -> Bool { false }
    func randomBytes(_ count: Int) -> [UInt8] {
      words.withLock { $0.isEmpty ? [0, 0, 0, 0] : $0.removeFirst().bigEndianBytes }
    }
  }

  private func text(_ pin: PIN) -> String { String(decoding: pin.digits, as: UTF8.self) }

  @Test("R1: a PIN is drawn by rejection, so that each of the hundred thousand is equally likely")
  func rejection() {
    #expect(text(PIN(random: Script([0]))) == "00000")
    #expect(text(PIN(random: Script([99_999]))) == "99999")
    #expect(text(PIN(random: Script([100_007]))) == "00007")
    #expect(text(PIN(random: Script([4_294_899_999]))) == "99999")
    #expect(text(PIN(random: Script([4_294_900_000, .max, 42]))) == "00042")
  }

  @Test("R1: drawn PINs spread over all digits at all places")
  func spread() {
    let source = FakeCryptography(seed: 11)
    var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 5)
    for _ in 0..<5000 {
      for (place, digit) in PIN(random: source).digits.enumerated() { counts[place][Int(digit) - 48] += 1 }
    }
    for place in counts {
      #expect(place.allSatisfy { (380...620).contains($0) }, "\(place)")
    }
  }

  @Test(
    "R1: a PIN is five ASCII digits as text, and nothing else",
    arguments: [
      "", "1234", "123456", "1234a", "12 45", "+1234", "１２３４５", "٠١٢٣٤", "1234\n",
    ])
  func notPINs(text: String) {
    #expect(PIN(text) == nil)
  }

  @Test("R20: two PINs match only if all five digits do")
  func matching() throws {
    let pin = try #require(PIN("01234"))
    #expect(pin.matches(try #require(PIN("01234"))))
    for place in 0..<5 {
      var digits = pin.digits
      digits[place] ^= 1
      #expect(!pin.matches(try #require(PIN(digits))))
    }
  }
}
