/// A Markdown file, taken apart as far as the tests need.
struct Document {
  /// Lines between two fences.
  struct Block: Hashable {
    /// What stands behind the fence, such as `swift`.
    let language: String
    /// The line of the file, from 1, in which the code begins.
    let line: Int
    /// The code, without the indentation that all of it has.
    let code: [String]
  }

  /// Something in a line of the file.
  struct Place: Hashable {
    let line: Int
    let text: String
  }

  let path: String
  private(set) var blocks: [Block] = []
  /// The lines outside of fences.
  private(set) var prose: [Place] = []

  init(_ path: String) throws {
    self.init(path, text: try Repository.text(path))
  }

  init(_ path: String, text: String) {
    self.path = path
    var open: (language: String, line: Int, code: [String])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == " " }
      if trimmed.hasPrefix("```") {
        if let block = open {
          blocks.append(Block(language: block.language, line: block.line, code: dedented(block.code)))
          open = nil
        } else {
          open = (String(trimmed.dropFirst(3)), index + 2, [])
        }
      } else if open != nil {
        open?.code.append(String(line))
      } else {
        prose.append(Place(line: index + 1, text: String(line)))
      }
    }
  }

  /// Code in the middle of a sentence: what stands between single backticks.
  var spans: [Place] {
    prose.flatMap { place in
      place.text.matches(of: /`+([^`]+)`+/).map { Place(line: place.line, text: String($0.1)) }
    }
  }

  /// The lines of all fences.
  var codeLines: [Place] {
    blocks.flatMap { block in
      block.code.enumerated().map { Place(line: block.line + $0.offset, text: $0.element) }
    }
  }

  /// Where links lead.
  var links: [Place] {
    prose.flatMap { place in
      place.text.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/)
        .map { Place(line: place.line, text: String($0.1)) }
    }
  }

  /// What a link may name behind a number sign: headings as forges make anchors of them.
  var anchors: [String] {
    prose.compactMap { place in
      guard let heading = place.text.wholeMatch(of: /#+ +(.*)/)?.1 else { return nil }
      let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
      return kept.replacing(" ", with: "-")
    }
  }

  /// The cells of the tables below a heading, up to the next heading; not those of the tables' heads.
  func rows(below heading: String) -> [[String]] {
    let lines = prose.map(\.text)
    guard let start = lines.firstIndex(where: { $0.wholeMatch(of: /#+ +(.*)/)?.1 == heading[...] }) else { return [] }
    let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("|") }
    return section.dropFirst(2).map { row in
      row.split(separator: "|").map { $0.trimming(" ") }
    }
  }

  /// The names in code of the first cell of each row below a heading, or of another cell.
  func names(below heading: String, cell: Int = 0) -> [String] {
    rows(below: heading).flatMap { row in
      row.indices.contains(cell) ? row[cell].matches(of: /`([^`]+)`/).map { String($0.1) } : []
    }
  }
}

/// The lines without the spaces with which all of them begin, and without spaces at their ends.
func dedented(_ lines: some Sequence<String>) -> [String] {
  let lines = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
  return lines.map { String($0.dropFirst(indentation)) }
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    let start = drop { $0 == character }
    return String(start.reversed().drop { $0 == character }.reversed())
  }
}
