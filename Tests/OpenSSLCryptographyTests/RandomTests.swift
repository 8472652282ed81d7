import CheckInCore
import Foundation
import OpenSSLCryptography
import Testing

@Suite struct RandomTests {
  @Test("R12: random bytes have the size that was asked for and do not repeat", arguments: [0, 1, 16, 4096])
  func sizes(count: Int) {
    let cryptography = OpenSSLCryptography()
    let first = cryptography.randomBytes(count)
    #expect(first.count == count)
    if count >= 16 {
      #expect(first != cryptography.randomBytes(count))
      #expect(first != [UInt8](repeating: 0, count: count))
    }
  }

  @Test("R1: PINs from the system's random source spread evenly over their range")
  func pins() {
    let cryptography = OpenSSLCryptography()
    var counts = [Int](repeating: 0, count: 10)
    let draws = 20_000
    for _ in 0..<draws {
      counts[Int(PIN(random: cryptography).digits[0]) - 48] += 1
    }
    // Chi-squared with 9 degrees of freedom: above 50 once in ten million runs.
    let expected = Double(draws) / 10
    let statistic = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    #expect(statistic < 50, "\(counts)")
  }

  @Test("The process ends with a clear message when there is no random source")
  func failingSource() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = FileManager.default.temporaryDirectory
      let file = folder.appendingPathComponent("no-random-\(ProcessInfo.processInfo.processIdentifier).cnf")
      let text = "openssl_conf = all\n[all]\nrandom = source\n[source]\nrandom = NONE-SUCH\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(at: file) }
      // Unsafe: a C call, before any other thread of this process reads its environment.
      unsafe setenv("OPENSSL_CONF", file.path, 1)
      _ = OpenSSLCryptography().randomBytes(16)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("The system's random source failed"))
  }
}
