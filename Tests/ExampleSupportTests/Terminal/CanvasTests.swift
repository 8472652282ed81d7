internal import ExampleSupport
internal import Testing

/// The smallest terminal that does what the renderer relies on, to see what a person would see.
struct ScreenModel {
  private(set) var rows: [[Character]]
  private var row = 0
  private var column = 0

  init(_ size: TerminalSize) {
    rows = Array(repeating: Array(repeating: "?", count: size.columns), count: size.rows)
  }

  var lines: [String] { rows.map { String($0.filter { $0 != "\u{0}" }) } }

  mutating func take(_ bytes: [UInt8]) {
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let character = rest.popFirst() {
      guard character == "\u{1b}" else {
        print(character)
        continue
      }
      #expect(rest.popFirst() == "[")
      var parameters = ""
      while let next = rest.popFirst() {
        if next.isLetter {
          obey(next, parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 })
          break
        }
        parameters.append(next)
      }
    }
  }

  private mutating func obey(_ letter: Character, _ numbers: [Int]) {
    switch letter {
    case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
    case "J": rows = rows.map { $0.map { _ in " " } }
    case "K": rows[row] = rows[row].map { _ in " " }
    case "m": break
    default: Issue.record("unknown sequence \(letter)")
    }
  }

  private mutating func print(_ character: Character) {
    let width = DisplayWidth.of(character)
    guard row < rows.count, column + width <= rows[row].count else {
      Issue.record("written outside the screen")
      return
    }
    rows[row][column] = character
    if width == 2 { rows[row][column + 1] = "\u{0}" }
    column += width
  }
}

@Suite("The picture on a terminal")
struct CanvasTests {
  private func canvas(_ lines: [String], rows: Int = 4, columns: Int = 20) -> Canvas {
    var canvas = Canvas(TerminalSize(rows: rows, columns: columns))
    for (row, line) in lines.enumerated() { canvas.put(line, row: row, column: 0) }
    return canvas
  }

  @Test("shows the whole of the first frame, then only differences")
  func showsDifferences() {
    var renderer = FrameRenderer(colour: false)
    let first = canvas(["Hello Ada", "12345"])
    var screen = ScreenModel(first.size)
    screen.take(renderer.render(first))
    #expect(screen.lines == first.lines)
    #expect(renderer.render(first).isEmpty)
    #expect(renderer.render(canvas(["Hello Ada", "12845"])) == Array("\u{1b}[2;3H\u{1b}[0m8".utf8))
    renderer.invalidate()
    #expect(renderer.render(first).count > 20)
  }

  @Test(
    "is on the screen as it was drawn, whatever was there before",
    arguments: [
      ["plain", "", "x"], ["名前は太郎です", "漢字", ""], ["a名前は太郎です", "x漢字x", "名"], ["e\u{301}\u{302}a", "👩‍👩‍👧 family", "🇩🇪"],
      ["", "", ""], ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "名前は太郎です名前は太郎です", "║█░"],
    ],
    [
      ["名前", "漢字漢字", "名"], ["plain text here", "0123456789", "y"], ["👩‍👩‍👧", "x👩‍👩‍👧y", "🇩🇪🇫🇷"], ["", "", ""],
    ])
  func isAsDrawn(before: [String], after: [String]) {
    var renderer = FrameRenderer(colour: true)
    var screen = ScreenModel(TerminalSize(rows: 4, columns: 20))
    for lines in [before, after, before] {
      let next = canvas(lines)
      screen.take(renderer.render(next))
      #expect(screen.lines == next.lines)
    }
  }

  @Test("never writes outside, at any size and place", arguments: [(1, 1), (5, 20), (24, 80), (2, 200)])
  func staysInside(rows: Int, columns: Int) {
    var canvas = Canvas(TerminalSize(rows: rows, columns: columns))
    for row in [-1000, -1, 0, rows - 1, rows, 1000] {
      for column in [-1000, -2, -1, 0, columns - 1, columns, 1000] {
        canvas.put("名前 Ada", row: row, column: column)
        canvas.frame(CanvasArea(row: row, column: column, height: 3, width: 30))
        canvas.fill(CanvasArea(row: row, column: column, height: rows + 5, width: columns + 5), with: "漢", style: .bold)
      }
      canvas.putCentred("a very long text that is wider than some screens and must be cut", row: row)
    }
    canvas.fill(CanvasArea(row: 0, column: 0, height: -3, width: -3), style: .plain)
    var renderer = FrameRenderer(colour: true)
    var screen = ScreenModel(canvas.size)
    screen.take(renderer.render(canvas))
    #expect(screen.lines == canvas.lines)
  }

  @Test("never holds what could act on a terminal")
  func isHarmless() {
    var canvas = Canvas(TerminalSize(rows: 2, columns: 40))
    canvas.put("Mallory\u{1b}]0;title\u{7}\u{9b}2J\n\u{202e}evil\u{0}", row: 0, column: 0)
    var renderer = FrameRenderer(colour: false)
    let output = String(decoding: renderer.render(canvas), as: UTF8.self)
    let controls = output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\u{1b}" }
    #expect(controls.isEmpty)
    #expect(!output.contains("\u{1b}]"))
    #expect(canvas.lines[0].hasPrefix("Mallory�]0;title��2J�evil�"))
  }

  @Test("has no colour in it where none is wanted, and says the rest by weight")
  func hasNoColour() {
    var canvas = Canvas(TerminalSize(rows: 1, columns: 10))
    canvas.put("Welcome", row: 0, column: 0, style: TerminalStyle(.green, on: .black, bold: true))
    var plain = FrameRenderer(colour: false)
    var coloured = FrameRenderer(colour: true)
    #expect(String(decoding: plain.render(canvas), as: UTF8.self).contains("\u{1b}[0;1mWelcome"))
    #expect(String(decoding: coloured.render(canvas), as: UTF8.self).contains("\u{1b}[0;1;32;40mWelcome"))
  }

  @Test("removes a wide character whole when half of it is written over")
  func removesHalves() {
    var canvas = canvas(["名前"], rows: 1, columns: 6)
    canvas.put("x", row: 0, column: 1)
    #expect(canvas.lines[0] == " x前  ")
    canvas.put("y", row: 0, column: 2)
    #expect(canvas.lines[0] == " xy   ")
    canvas.put("漢", row: 0, column: 5)
    #expect(canvas.lines[0] == " xy   ")
  }
}
