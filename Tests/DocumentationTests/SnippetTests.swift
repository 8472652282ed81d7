internal import Testing

@Suite("The Swift code in the documents")
struct SnippetTests {
  /// The lines of one source, and the same without the spaces in front.
  private struct Source {
    let lines: [String]
    let trimmed: [String]

    init(_ path: String) throws {
      lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      trimmed = lines.map { String($0.drop { $0 == " " }) }
    }
  }

  /// The sources of this target in which code of documents may stand.
  private static let sources = Result {
    try Repository.files(in: "Tests/DocumentationTests/Snippets", ending: ".swift").map { try Source($0) }
  }

  /// Whether the code stands in one of the sources, line by line, at whatever indentation.
  private func stands(_ code: [String]) throws -> Bool {
    let code = dedented(code)
    let trimmed = code.map { String($0.drop { $0 == " " }) }
    return try SnippetTests.sources.get().contains { source in
      guard !code.isEmpty, source.lines.count >= code.count else { return false }
      return (0...(source.lines.count - code.count)).contains { start in
        let place = start..<(start + code.count)
        return source.trimmed[place].elementsEqual(trimmed) && dedented(source.lines[place]) == code
      }
    }
  }

  @Test("stands in the sources of this target, letter by letter", arguments: Repository.documents)
  func verbatim(path: String) throws {
    for block in try Document(path).blocks where block.language.hasPrefix("swift") {
      let found = try stands(block.code)
      #expect(
        found,
        "\(path):\(block.line): this code is in no file of Tests/DocumentationTests/Snippets, so nothing compiles it.")
    }
  }

  @Test(
    "is there where it is expected, and found missing when one letter is another",
    arguments: [
      ("README.md", 1), ("Sources/CheckIn/CheckIn.docc/EmbeddingTheCore.md", 3),
      ("Sources/CheckIn/CheckIn.docc/WritingATransport.md", 3),
      ("Sources/CheckIn/CheckIn.docc/WritingAnAuthenticator.md", 3),
    ])
  func canFail(path: String, count: Int) throws {
    let blocks = try Document(path).blocks.filter { $0.language == "swift" }
    #expect(blocks.count == count)
    for block in blocks {
      for (index, line) in block.code.enumerated() where !line.isEmpty {
        var changed = block.code
        changed[index] += "x"
        #expect(try !stands(changed), "\(path):\(block.line + index)")
      }
    }
  }
}
