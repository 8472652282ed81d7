internal import Testing
internal import TransportConformance

@Suite("The requirements")
struct RequirementTests {
  private struct Line {
    let id: String
    var text: String
  }

  /// The numbered lines of the documentation of a source file, without markup.
  private static func documented(in path: String) throws -> [Line] {
    var lines: [Line] = []
    var isInside = false
    for line in try Repository.text(of: path).split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("/// - **"), let end = line.firstRange(of: "** ") {
        let id = line[line.index(line.startIndex, offsetBy: 8)..<end.lowerBound]
        lines.append(Line(id: String(id), text: String(line[end.upperBound...])))
        isInside = true
      } else if isInside, line.hasPrefix("///   ") {
        lines[lines.count - 1].text += " " + line.dropFirst(6)
      } else {
        isInside = false
      }
    }
    return lines.map { Line(id: $0.id, text: plain($0.text)) }
  }

  /// Symbols by their last part; codes as they are printed.
  private static func plain(_ text: String) -> String {
    var result = ""
    for (number, part) in text.split(separator: "``", omittingEmptySubsequences: false).enumerated() {
      guard number % 2 == 1 else {
        result += part
        continue
      }
      let last = part.split(separator: "/").last ?? part
      let name = last.prefix { $0 != "(" }
      if part.contains("Code/") {
        for letter in name { result += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)" }
      } else {
        result += name
      }
    }
    return result.filter { $0 != "`" }.replacing("'", with: "’")
  }

  @Test("are those that the documentation numbers, word for word")
  func agreeWithDocumentation() throws {
    let documented =
      try Self.documented(in: "Sources/CheckIn/Transport/Transport.swift")
      + Self.documented(in: "Sources/CheckIn/Transport/MessageChannel.swift")
      + Self.documented(in: "Sources/CheckIn/Discovery/DiscoverableTransport.swift")
    #expect(documented.map(\.id) == Requirement.all.map(\.id))
    for (written, known) in zip(documented, Requirement.all) { #expect(written.text == known.text) }
  }

  @Test("stand in the article with the checks that test them")
  func agreeWithArticle() throws {
    let article = try Repository.text(of: "Sources/CheckIn/CheckIn.docc/TransportRequirements.md")
    let rows = Requirement.all.map { requirement in
      let all = ConformanceSuite.checks + ConformanceSuite.peerChecks + ConformanceSuite.discoveryChecks
      let checks = all.filter { $0.requirements.contains(requirement) }
      return "| \(requirement.id) | \(requirement.text) | \(checks.map { "`\($0.id)`" }.joined(separator: ", ")) |"
    }
    let table = article.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(Array(table) == rows, "The rows should be:\n\(rows.joined(separator: "\n"))")
  }
}
