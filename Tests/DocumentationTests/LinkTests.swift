internal import Testing

@Suite("Links between documents")
struct LinkTests {
  /// What is wrong with a link; nil: nothing.
  private func fault(of link: String, in path: String) throws -> String? {
    guard !link.contains("://"), !link.hasPrefix("mailto:") else { return nil }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    let target = parts[0].isEmpty ? path : folder.isEmpty ? parts[0] : "\(folder)/\(parts[0])"
    guard Repository.has(target) else { return "there is no file \(target)" }
    guard parts.count > 1, target.hasSuffix(".md") else { return nil }
    return try Document(target).anchors.contains(parts[1]) ? nil : "\(target) has no heading for #\(parts[1])"
  }

  @Test("lead to files, and to headings in them, that are there", arguments: Repository.documents)
  func lead(path: String) throws {
    for link in try Document(path).links {
      let fault = try fault(of: link.text, in: path)
      #expect(fault == nil, "\(path):\(link.line): \(link.text)")
    }
  }

  @Test("are found, also broken ones")
  func canFail() throws {
    #expect(try Document("README.md").links.count > 10)
    let text = "See [a](LICENSE), `[b](none)`,\n[c](Documentation/Errors.md#reasons) and [d](none.md)."
    #expect(Document("x", text: text).links.map(\.text) == ["LICENSE", "Documentation/Errors.md#reasons", "none.md"])
    #expect(try fault(of: "none.md", in: "README.md") != nil)
    #expect(try fault(of: "../../../../etc/passwd", in: "Documentation/Errors.md") != nil)
    #expect(try fault(of: "Errors.md#none", in: "Documentation/Security.md") != nil)
    #expect(try fault(of: "../README.md", in: "Documentation/Security.md") == nil)
    #expect(try fault(of: "#reasons", in: "Documentation/Errors.md") == nil)
    #expect(try fault(of: "Protocol.md#10-silence-and-reasons", in: "Documentation/Errors.md") == nil)
  }
}
