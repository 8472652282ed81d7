import CheckIn
import Testing

@Suite struct CSVTests {
  func read(_ text: String, optional: [String]? = nil) throws -> CSVTable {
    try CSVTable(Array(text.utf8), required: ["a", "b"], optional: optional)
  }

  func texts(_ table: CSVTable) -> [[String]] {
    table.rows.map { $0.fields.map(\.text) }
  }

  @Test(
    "All of these are the same table",
    arguments: [
      "a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n3,4\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4", "\u{feff}a,b\n1,2\n3,4\n",
      "\u{feff}\"a\",\"b\"\n\"1\",\"2\"\n\"3\",\"4\"", "\n\na,b\n\n1,2\r\n\r\n,\n3,4\n,\n\n", "A, B \n1,2\n3,4\n",
    ])
  func spellings(text: String) throws {
    let table = try read(text)
    #expect(table.columns == ["a", "b"])
    #expect(texts(table) == [["1", "2"], ["3", "4"]])
    #expect(table.errors.isEmpty)
  }

  @Test("Quoted fields hold commas, line ends, quotes and spaces; others keep their spaces")
  func quoted() throws {
    let table = try read("a,b\n\"x,\"\"y\"\"\",\"one\r\ntwo\nthree\"\n\"\", z \n\"é\"\"\",\"\"\"\"\n")
    #expect(texts(table) == [["x,\"y\"", "one\r\ntwo\nthree"], ["", " z "], ["é\"", "\""]])
    #expect(table.rows.map(\.line) == [2, 5, 6])
    #expect(table.rows[1]["b"]?.trimmed == "z")
    #expect(table.rows[0]["c"] == nil)
  }

  @Test("Lines count as editors count them, columns by characters")
  func places() throws {
    let table = try read("\u{feff}a,b\r\né名😀,x\r\n\"1\n2\",\"y\"\r\n3,4")
    #expect(table.rows[0]["b"].map { [$0.line, $0.column] } == [2, 5])
    #expect(table.rows[1]["b"].map { [$0.line, $0.column] } == [4, 4])
    #expect(table.rows[2]["a"].map { [$0.line, $0.column] } == [5, 1])
  }

  static let wrongRows: [(String, CSVError.Code, Int, Int)] = [
    ("1\"x,2", .quote, 3, 2), ("\"1\"x,2", .quote, 3, 4), ("\"1,2", .quote, 3, 1), ("5,\"1\n,2", .quote, 3, 3),
    ("1", .fieldCount, 3, 1), ("1,2,3", .fieldCount, 3, 5), ("é,\"2\"x", .quote, 3, 6),
  ]

  @Test("A wrong row is named by line and column, and the rows around it are read", arguments: CSVTests.wrongRows)
  func wrongRow(row: String, code: CSVError.Code, line: Int, column: Int) throws {
    let table = try read("a,b\n1,2\n\(row)\n3,4\n")
    let error = try #require(table.errors.first)
    #expect(error.code == code && error.line == line && error.column == column, "\(error)")
    #expect(texts(table).first == ["1", "2"])
    #expect(texts(table).last == ["3", "4"])
    #expect(error.description.hasPrefix("line \(line), column \(column): "))
  }

  @Test("A quote that is never closed costs its own row only, also before rows with quotes")
  func openQuote() throws {
    let table = try read("a,b\n\"1,2\n3,\"4\"\n5,\"6\"\n")
    #expect(texts(table) == [["3", "4"], ["5", "6"]])
    #expect(table.errors.map(\.line) == [2])
  }

  @Test("Bytes that are not UTF-8 are an error of their row")
  func encoding() throws {
    let bytes = Array("a,b\n1,".utf8) + [0xff, 0x0a] + Array("3,4\n".utf8)
    let table = try CSVTable(bytes, required: ["a", "b"])
    #expect(texts(table) == [["3", "4"]])
    #expect(table.errors.map(\.code) == [.encoding])
    #expect(table.errors.map { [$0.line, $0.column] } == [[2, 3]])
  }

  @Test(
    "A header that is not as it should be is an error",
    arguments: ["", "\n\n", "\u{feff}", "a\n1\n", "a,b,a\n", "a,b,A \n", "a,b,typo\n", "x,y\n"])
  func headers(text: String) {
    #expect { try read(text, optional: ["c"]) } throws: { ($0 as? CSVError)?.code == .header }
  }

  @Test("A header row with a broken quote says so")
  func brokenHeader() {
    #expect { try read("\"a,b\n1,2\n") } throws: { ($0 as? CSVError)?.code == .quote }
  }

  @Test("Columns may come in any order, others may be there when that is allowed")
  func order() throws {
    let table = try read("x,b,a\n1,2,3\n")
    #expect(table.rows[0]["a"]?.text == "3" && table.rows[0]["b"]?.text == "2" && table.rows[0]["x"]?.text == "1")
    #expect(try read("c,b,a\n1,2,3\n", optional: ["c"]).rows.count == 1)
  }

  @Test("Reading stops after a thousand errors, so a foreign file costs little", .timeLimit(.minutes(1)))
  func manyErrors() throws {
    let table = try read("a,b\n" + String(repeating: "\"x\n", count: 100_000))
    #expect(table.errors.count == CSVTable.mostErrors + 1)
    #expect(table.errors.last?.code == .tooMany)
  }

  @Test("What was written is read again as it was")
  func roundTrip() throws {
    let rows = [
      ["1", "2"], ["", "x"], ["a,b", "\"q\""], ["two\r\nlines", "\n"], [" space ", "é名😀"], ["\"", "\"\""],
      ["\u{feff}", "\r"],
    ]
    let text = CSVTable.text(columns: ["a", "b"], rows: rows)
    #expect(texts(try read(text)) == rows)
    #expect(CSVTable.text(columns: ["a", "b"], rows: [["1", "x,y"]]) == "a,b\r\n1,\"x,y\"\r\n")
  }

  @Test("Every prefix of a file, and every file with one byte changed, is read or refused, never a crash")
  func damaged() {
    let whole = Array("\u{feff}a,b\r\n\"1\n\",é\r\n\"\"\"\",\"x,y\"\r\n3,4".utf8)
    for count in 0..<whole.count {
      _ = try? CSVTable(Array(whole.prefix(count)), required: ["a", "b"])
      for replacement: UInt8 in [0, 0x22, 0x2c, 0x0a, 0x0d, 0xff] {
        var changed = whole
        changed[count] = replacement
        let table = try? CSVTable(changed, required: ["a", "b"])
        #expect(
          table.map { $0.rows.count <= 5 && $0.rows.allSatisfy { $0.fields.count == table?.columns.count } } ?? true)
      }
    }
  }
}
