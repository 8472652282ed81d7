internal import ExampleSupport
internal import Synchronization
internal import Testing

@Suite("Text for terminals")
struct TextTests {
  @Test(
    "is made harmless",
    arguments: [
      ("Ada Lovelace", "Ada Lovelace"), ("Ünïcödé 名前 😀", "Ünïcödé 名前 😀"), ("a\u{1b}[31mb", "a�[31mb"),
      ("a\r\nb\tc", "a��b c"), ("a\u{202e}b\u{2066}c\u{feff}d", "abcd"), ("a\u{a0}b\u{2003}c", "a b c"),
      ("👩\u{200d}👧", "👩\u{200d}👧"), ("\u{200d}a", "a"), ("a\u{e000}b", "a�b"), ("a\u{2028}b", "a�b"),
      ("a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}b", "a\u{301}\u{301}\u{301}\u{301}b"), ("\u{301}a", "a"),
    ])
  func isHarmless(text: String, expected: String) {
    #expect(text.printable.unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(text.printable.printable == text.printable)
  }

  @Test(
    "has its width",
    arguments: [
      ("Ada", 3), ("名前", 4), ("e\u{301}", 1), ("😀", 2), ("👩‍👩‍👧", 2), ("한글", 4), ("ｱ", 1), ("Ａ", 2), ("❤️", 2), ("", 0),
    ])
  func hasWidth(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test(
    "is cut to fit",
    arguments: [
      ("Ada Lovelace", 5, "Ada …"), ("Ada", 3, "Ada"), ("名前は", 5, "名前…"), ("名前は", 4, "名…"), ("Ada", 0, ""),
      ("Ada", 1, "…"),
    ])
  func isCut(text: String, columns: Int, expected: String) {
    #expect(DisplayWidth.fitting(text, into: columns) == expected)
  }

  @Test("has large digits of five rows, all different")
  func hasLargeDigits() {
    let rows = LargeDigits.rows("0123456789")
    #expect(rows.count == LargeDigits.height)
    #expect(rows.allSatisfy { $0.count == 10 * (LargeDigits.width + 2) - 2 })
    let digits = Set((0...9).map { LargeDigits.rows("\($0)") })
    #expect(digits.count == 10)
    #expect(LargeDigits.rows("7", unicode: false) == ["######", "    ##", "    ##", "  ##  ", "  ##  "])
    #expect(LargeDigits.rows("x") == Array(repeating: "      ", count: 5))
  }

  @Test("stands in columns")
  func standsInColumns() {
    var table = TextTable([("Name", .left), ("Tries", .right)])
    table.add(["Ada Lovelace", "1"])
    table.add(["名前\u{1b}", "12"])
    #expect(
      table.lines() == ["Name          Tries", "────────────  ─────", "Ada Lovelace      1", "名前�            12"])
    #expect(
      table.lines(width: 17, unicode: false) == [
        "Name        Tries", "----------  -----", "Ada Lovel~      1", "名前�          12",
      ])
    #expect(table.lines(width: 1)[2] == "Ada Lov…      1")
  }

  @Test(
    "is coloured on a terminal alone, and not where the person says no",
    arguments: [
      (true, ["TERM": "xterm", "LANG": "C.UTF-8"], true, true, true),
      (false, ["TERM": "xterm", "LANG": "C.UTF-8"], false, false, true),
      (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false, false),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true, true, false),
      (true, ["TERM": "dumb", "LC_ALL": "C", "LANG": "de_DE.UTF-8"], false, false, false),
      (true, [:], false, false, false),
      (true, ["TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "en_US.utf8"], true, true, true),
    ])
  func knowsCapabilities(
    isTerminal: Bool, environment: [String: String], screen: Bool, colour: Bool, unicode: Bool
  ) {
    let capabilities = TerminalCapabilities(isTerminal: isTerminal) { environment[$0] }
    #expect(capabilities.hasScreen == screen)
    #expect(capabilities.hasColour == colour)
    #expect(capabilities.hasUnicode == unicode)
  }

  @Test("says how far work is only after a second, at most ten times a second, and goes away")
  func saysProgress() throws {
    let (reading, writing) = try Descriptor.pipe()
    let line = ProgressLine(
      "Tickets", total: 100, on: LineOutput(descriptor: writing, whenClosed: .ignore), unicode: false)
    let start = ContinuousClock.now
    line.advance(by: 10, now: start + .milliseconds(900))
    line.advance(by: 40, now: start + .milliseconds(2000))
    line.advance(by: 1, now: start + .milliseconds(2050))
    line.finish()
    line.finish()
    line.advance(by: 1, now: start + .seconds(9))
    let output = String(decoding: try Descriptor.readSome(reading, limit: 4096).get(), as: UTF8.self)
    #expect(output == "\rTickets ############............ 50 of 100, about 2 s left\u{1b}[K\r\u{1b}[K")
    Descriptor.close(reading)
    Descriptor.close(writing)
  }

  @Test("A line that says how far work is never fills its terminal", arguments: [20, 40, 62, 63, 64, 200])
  func progressFits(width: Int) throws {
    let (reading, writing) = try Descriptor.pipe()
    defer {
      Descriptor.close(reading)
      Descriptor.close(writing)
    }
    let line = ProgressLine(
      "checks", total: 122, on: LineOutput(descriptor: writing, whenClosed: .ignore), unicode: true, width: width)
    let start = ContinuousClock.now
    line.advance(by: 7, now: start + .milliseconds(90_000))
    let output = String(decoding: try Descriptor.readSome(reading, limit: 4096).get(), as: UTF8.self)
    let text = output.replacing("\r", with: "").replacing("\u{1b}[K", with: "")
    #expect(text.hasPrefix("checks █") || text.hasPrefix("checks ░"))
    #expect(DisplayWidth.of(text) < width, "\(text)")
    #expect(text.contains("7 of 122") == (width > 24), "\(text)")
    #expect(text.hasSuffix(" s left") == (width >= 40), "\(text)")
  }

  @Test("What is said meanwhile stands on a line of its own")
  func progressInterrupted() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer {
      Descriptor.close(reading)
      Descriptor.close(writing)
    }
    let line = ProgressLine(
      "checks", total: 2, on: LineOutput(descriptor: writing, whenClosed: .ignore), unicode: false)
    let start = ContinuousClock.now
    line.interrupt(with: "one")
    line.advance(now: start + .seconds(2))
    line.interrupt(with: "two\u{1b}")
    line.advance(now: start + .milliseconds(2_010))
    let output = String(decoding: try Descriptor.readSome(reading, limit: 4096).get(), as: UTF8.self)
    let bar = "\rchecks ############............ 1 of 2, about 2 s left\u{1b}[K"
    let full = "\rchecks ######################## 2 of 2\u{1b}[K"
    #expect(output == "one\n\(bar)\r\u{1b}[Ktwo\u{fffd}\n\(full)")
  }
}
