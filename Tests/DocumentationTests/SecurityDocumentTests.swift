internal import Testing

@Suite("Documentation/Security.md")
struct SecurityDocumentTests {
  private static let rules = (1...26).map { "R\($0)" }
  private let document: Document

  init() throws {
    document = try Document("Documentation/Security.md")
  }

  private static func numbers(in name: some StringProtocol) -> Set<String> {
    Set(String(name).matches(of: /\bR[0-9]+\b/).map { String($0.0) })
  }

  /// As the document writes a test's name: without the rules in front, and with a small letter.
  private static func key(_ name: some StringProtocol) -> String {
    String(name).replacing(#/^R[0-9]+(?:, R[0-9]+| and R[0-9]+)*: /#, with: "").lowercased()
  }

  /// The tests in Swift by name, with the rules that their names carry.
  private func swiftTests() throws -> [String: Set<String>] {
    var tests: [String: Set<String>] = [:]
    for path in Repository.files(in: "Tests", ending: ".swift") {
      // A name stands behind “@Test(”, in the same line or the next, or is a function's.
      var names: [String] = []
      let lines = try Repository.text(path).split(separator: "\n").map { $0.drop { $0 == " " } }
      for (line, next) in zip(lines, lines.dropFirst() + [""])
      where line.hasPrefix("@Test") || line.hasPrefix("func `") {
        let text = line.hasSuffix("(") ? line + next : line
        if let name = text.prefixMatch(of: /@Test\("((?:[^"\\]|\\.)*)"/)?.1 {
          names.append(String(name).replacing("\\\"", with: "\""))
        } else if let name = text.firstMatch(of: /func `([^`]+)`/)?.1 {
          names.append(String(name))
        }
      }
      for name in names { tests[Self.key(name), default: []].formUnion(Self.numbers(in: name)) }
    }
    return tests
  }

  private func pythonTests() throws -> Set<String> {
    var tests: Set<String> = []
    for path in Repository.files(in: "Tests/Interop", ending: ".py") {
      tests.formUnion(try Repository.text(path).matches(of: /\bdef (test_[a-z0-9_]+)\(/).map { String($0.1) })
    }
    return tests
  }

  /// What the document lists for each rule, with the lines.
  private var listed: [String: [Document.Place]] {
    var listed: [String: [Document.Place]] = [:]
    var rule: String?
    for place in document.prose {
      if let name = place.text.wholeMatch(of: /\*\*(R[0-9]+)\*\*/)?.1 { rule = String(name) }
      guard let rule, let item = place.text.wholeMatch(of: /- (.*)/)?.1 else { continue }
      listed[rule, default: []].append(Document.Place(line: place.line, text: String(item)))
    }
    return listed
  }

  @Test("has a row for each rule: what it is, and where it is met")
  func rows() {
    let rows = document.rows(below: "The rules")
    #expect(rows.map { $0.first ?? "" } == Self.rules)
    #expect(rows.allSatisfy { row in row.count == 3 && row.allSatisfy { !$0.isEmpty } })
  }

  @Test("names tests for each rule, which exist and carry the rule's number")
  func tests() throws {
    let swift = try swiftTests()
    let python = try pythonTests()
    let listed = listed
    #expect(swift.count > 200 && python.count > 5)
    for rule in Self.rules {
      let items = listed[rule] ?? []
      #expect(!items.isEmpty, "\(document.path): no test of \(rule) is named.")
      for item in items {
        if ["R23", "R24"].contains(rule), item.text == "comes with the TLS transport" { continue }
        if let name = item.text.wholeMatch(of: /`(test_[a-z0-9_]+)`/)?.1 {
          #expect(python.contains(String(name)), "\(document.path):\(item.line): there is no such test.")
          continue
        }
        let rules = swift[Self.key(item.text)]
        #expect(rules != nil, "\(document.path):\(item.line): there is no test “\(item.text)”.")
        #expect(rules?.contains(rule) != false, "\(document.path):\(item.line): it does not carry \(rule).")
      }
    }
  }
}
