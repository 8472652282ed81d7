import Foundation
import Testing

/// The program `LedgerFixture`, running.
final class Child {
  private let process = Process()
  private let output = Pipe()

  init(_ command: String, _ path: String, _ count: Int) throws {
    // The programs lie beside the bundle of the tests.
    let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [Bundle.main.executablePath ?? ""]
    let candidates = bundles.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "LedgerFixture") }
    let program = try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) })
    process.executableURL = program
    process.arguments = [command, path, "\(count)"]
    process.standardOutput = output
    try process.run()
  }

  /// Waits until the program has written so many lines, or has ended.
  func firstLines(_ count: Int) -> [UInt8] {
    var text: [UInt8] = []
    while text.count(where: { $0 == 0x0a }) < count {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      text += piece
    }
    return text
  }

  func kill() {
    Glibc.kill(process.processIdentifier, SIGKILL)
  }

  /// Everything that the program still says, up to its end; half a line, which a kill may leave, is nothing.
  func lines(after first: [UInt8] = []) -> [String] {
    let rest = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()
    var lines = String(decoding: first + rest, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    return lines.map(String.init)
  }
}

extension [String] {
  /// The numbers in the lines that begin with a word.
  func numbers(_ word: String) -> [Int] {
    compactMap { line in
      let parts = line.split(separator: " ")
      return parts.first.map(String.init) == word && parts.count > 1 ? Int(parts[1]) : nil
    }
  }
}
