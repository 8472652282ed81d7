internal import Testing

@Suite("The Swift code in the documents")
struct SnippetTests {
  /// The sources of this target, as their lines.
  private static let sources: Result<[[String]], any Error> = Result {
    try Repository.files(in: "Tests/DocumentationTests/Snippets", ending: ".swift").map { path in
      try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Whether the code stands in one of the sources, line by line, at whatever indentation.
  private func stands(_ code: [String]) throws -> Bool {
    let code = dedented(code)
    return try SnippetTests.sources.get().contains { lines in
      guard !code.isEmpty, lines.count >= code.count else { return false }
      return (0...(lines.count - code.count)).contains { start in
        dedented(lines[start..<(start + code.count)]) == code
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
