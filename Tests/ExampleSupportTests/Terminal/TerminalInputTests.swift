internal import ExampleSupport
internal import Testing

@Suite("What a terminal sends")
struct TerminalInputTests {
  private static let samples: [(String, [TerminalEvent])] = [
    ("07a", [.key(.character("0")), .key(.character("7")), .key(.character("a"))]),
    ("\u{7f}\u{8}", [.key(.backspace), .key(.backspace)]),
    ("\r\n\t", [.key(.enter), .key(.enter), .key(.tab)]),
    ("\u{3}", [.interrupt(.interrupt)]),
    ("\u{15}\u{1a}", [.key(.control("u")), .key(.control("z"))]),
    ("é€😀", [.key(.character("é")), .key(.character("€")), .key(.character("😀"))]),
    ("\u{1b}[A\u{1b}[B\u{1b}OC\u{1b}OD", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    ("\u{1b}[1;5A", [.key(.up)]),
    (
      "\u{1b}[3~\u{1b}[5~\u{1b}[6~\u{1b}[H\u{1b}[4~",
      [.key(.delete), .key(.pageUp), .key(.pageDown), .key(.home), .key(.end)]
    ),
    ("\u{1b}Op\u{1b}Oy\u{1b}OM", [.key(.character("0")), .key(.character("9")), .key(.enter)]),
    (
      "\u{1b}[<0;12;5M\u{1b}[<0;12;5m\u{1b}[<64;1;1M\u{1b}[<18;3;4M",
      [
        .mouse(TerminalMouse(.press(0), row: 4, column: 11)), .mouse(TerminalMouse(.release(0), row: 4, column: 11)),
        .mouse(TerminalMouse(.scrollUp, row: 0, column: 0)), .mouse(TerminalMouse(.press(2), row: 3, column: 2)),
      ]
    ),
    // A movement with a button held, a report of focus, an answer to a question: nothing of ours.
    ("\u{1b}[<32;1;1M\u{1b}[I\u{1b}[?62;c5", [.key(.character("5"))]),
    (
      "\u{1b}[<0;0;0M\u{1b}[<0;1M\u{1b}[<;1;1M1",
      [.mouse(TerminalMouse(.press(0), row: 0, column: 0)), .key(.character("1"))]
    ),
    ("\u{1b}5", [.key(.escape), .key(.character("5"))]),
    ("\u{1b}\u{1b}[A", [.key(.escape), .key(.up)]),
  ]

  @Test("is understood, split at every place", arguments: samples)
  func isUnderstood(text: String, expected: [TerminalEvent]) {
    let bytes = Array(text.utf8)
    for place in 0...bytes.count {
      var decoder = TerminalInputDecoder()
      let events = decoder.decode(Array(bytes[..<place])) + decoder.decode(Array(bytes[place...]))
      #expect(events == expected, "split at \(place)")
      #expect(!decoder.isWaiting)
    }
    var decoder = TerminalInputDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
  }

  @Test("is the Escape key when nothing follows")
  func isEscape() {
    var decoder = TerminalInputDecoder()
    #expect(decoder.decode([0x1b]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.key(.escape)])
    #expect(!decoder.isWaiting)
    #expect(decoder.flush().isEmpty)
  }

  @Test("is passed over where it is not UTF-8, and what follows is understood")
  func passesOverInvalid() {
    var decoder = TerminalInputDecoder()
    #expect(
      decoder.decode([0xff, 0x80, 0xc3, 0x31, 0xe2, 0x82, 0x32, 0xed, 0xa0, 0x80, 0xc2, 0x9b, 0x33]) == [
        .key(.character("1")), .key(.character("2")), .key(.character("3")),
      ])
  }

  @Test("takes no memory for a sequence without end")
  func forgetsEndlessSequences() {
    var decoder = TerminalInputDecoder()
    _ = decoder.decode([0x1b, 0x5b] + [UInt8](repeating: 0x30, count: 33))
    #expect(!decoder.isWaiting)
    #expect(decoder.decode([0x35]) == [.key(.character("5"))])
  }

  @Test("gives an event or nothing for any bytes at all, and never stops")
  func survivesAnything() {
    var generator = SystemRandomNumberGenerator()
    var decoder = TerminalInputDecoder()
    for _ in 0..<2000 {
      // Half of the bytes are such as sequences are made of.
      let bytes = (0..<16).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : [0x1b, 0x5b, 0x3c, 0x3b, 0x4d].randomElement(using: &generator)!
      }
      _ = decoder.decode(bytes)
    }
    _ = decoder.flush()
    #expect(decoder.decode([0x37]) == [.key(.character("7"))])
  }
}
