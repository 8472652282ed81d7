import CheckIn
import CheckInCore
import ExampleSupport
import Testing

@Suite struct KioskPictureTests {
  private static let session = SessionID(Bytes16([UInt8](repeating: 7, count: 16))!)

  private func greeting(
    _ boxes: [KeypadBox]?, name: String = "Ada Lovelace", hint: KioskView.Hint = .confirm, waiting: Int = 0
  ) -> KioskView {
    .greeting(
      KioskView.Greeting(
        session: Self.session, name: name, boxes: boxes, attemptsLeft: 2,
        deadline: MonotonicTime(sinceStart: .seconds(100)), waiting: waiting, hint: hint))
  }

  private func picture(_ view: KioskView, rows: Int = 24, columns: Int = 80, unicode: Bool = true) -> KioskPicture {
    KioskPicture(
      view, heading: .init(event: "Testing Day", kiosk: "Hall A", gate: "North"), clock: "09:05",
      now: MonotonicTime(sinceStart: .seconds(17)), size: TerminalSize(rows: rows, columns: columns), unicode: unicode)
  }

  private func text(_ picture: KioskPicture) -> String { picture.canvas.lines.joined(separator: "\n") }

  @Test func `The welcome shows event, kiosk, gate and clock, and nobody's name`() {
    let shown = text(picture(.welcome(.init(event: "Testing Day", kiosk: "Hall A", gate: "North"))))
    for part in ["Testing Day", "Hall A", "gate North", "09:05", "Welcome"] {
      #expect(shown.contains(part))
    }
  }

  @Test(arguments: [
    ("unix:///run/kiosk.sock", Eavesdroppers.programs), ("fault+unix:///run/kiosk.sock?seed=1", .programs),
    ("tcp://127.0.0.1:7443", .programs), ("tcp://127.8.9.10:7443", .programs), ("tcp://[::1]:7443", .programs),
    ("fault+tcp://127.0.0.1:7443", .programs), ("tcp://0.0.0.0:7443", .network), ("tcp://[::]:7443", .network),
    ("tcp://192.168.1.127:7443", .network), ("tcp://127.0.0.1.example.org:7443", .network),
    ("tcp://[fe80::1]:7443", .network), ("l2cap://hci0?psm=129", .radio),
    ("fault+l2cap+bredr://hci0", .radio), ("unixy:///run/kiosk.sock", .network),
  ])
  func `Who could read along depends on the address`(url: String, eavesdroppers: Eavesdroppers) throws {
    #expect(Eavesdroppers(at: try Endpoint(url)) == eavesdroppers)
  }

  @Test func `A phone says of a kiosk what it has proved, and without TLS what it has not`() {
    let kiosk = KioskIdentity(event: "Meetup", kiosk: "Hall A", gate: "Hall A", session: Self.session)
    #expect(kiosk.introduction(readBy: nil) == "This is Hall A of Meetup. It has proved it.")
    for eavesdroppers in Eavesdroppers.allCases {
      let text = kiosk.introduction(readBy: eavesdroppers)
      #expect(!text.contains("It has proved it") && text.contains("may be a recording"))
      #expect(text.hasSuffix("\(eavesdroppers.who) can read along."))
    }
  }

  @Test(arguments: [(24, 80, true), (12, 50, false), (6, 40, false)])
  func `A complaint stands below the heading where nothing else does, and never over what an attendee needs`(
    rows: Int, columns: Int, isInGreeting: Bool
  ) {
    let heading = KioskView.Welcome(event: "Testing Day", kiosk: "Hall A", gate: "North")
    func lines(_ view: KioskView, _ complaint: String?) -> [String] {
      KioskPicture(
        view, heading: heading, clock: "09:05", now: MonotonicTime(sinceStart: .zero), complaint: complaint,
        size: TerminalSize(rows: rows, columns: columns), unicode: true
      ).canvas.lines
    }
    for view in [KioskView.welcome(heading), greeting([.empty, .empty, .empty, .empty, .empty])] {
      let (without, with) = (lines(view, nil), lines(view, "The list \u{1b}[2Jis damaged."))
      let isShown = if case .greeting = view { isInGreeting } else { rows >= 8 }
      #expect(with[1].contains("The list") == isShown)
      #expect(!with.joined().contains("\u{1b}"))
      #expect(Array(with.dropFirst(2)) == Array(without.dropFirst(2)))
      if isShown { #expect(without[1].allSatisfy { $0 == " " }) }
    }
  }

  @Test func `A long complaint is whole over the welcome where it fits, and never on the welcome itself`() {
    let heading = KioskView.Welcome(event: "Testing Day", kiosk: "Hall A", gate: "North")
    let words = (1...30).map { "word\($0)" }
    for (rows, isWhole) in [(24, true), (9, false)] {
      let lines = KioskPicture(
        .welcome(heading), heading: heading, clock: "09:05", now: MonotonicTime(sinceStart: .zero),
        complaint: words.joined(separator: " "), size: TerminalSize(rows: rows, columns: 60), unicode: true
      ).canvas.lines
      let welcome = lines.firstIndex { $0.contains("Welcome") } ?? 0
      #expect(lines[welcome - 1].allSatisfy { $0 == " " })
      let shown = lines[1..<welcome].joined(separator: " ").split(separator: " ").map(String.init)
      #expect((shown == words) == isWhole, "\(shown)")
      #expect(shown.first == "word1" && lines.joined().contains("…") == !isWhole)
    }
  }

  @Test(arguments: Eavesdroppers.allCases, [(24, 80), (12, 50), (12, 40), (8, 20)])
  func `The warning says whole words in the last row, and no place hides it`(
    eavesdroppers: Eavesdroppers, size: (rows: Int, columns: Int)
  ) throws {
    let heading = KioskView.Welcome(event: "Testing Day", kiosk: "Hall A", gate: "North")
    let picture = KioskPicture(
      .welcome(heading), heading: heading, clock: "09:05", now: MonotonicTime(sinceStart: .zero),
      eavesdroppers: eavesdroppers, facts: (1...9).map { "tcp://10.0.0.\($0):7443" },
      size: TerminalSize(rows: size.rows, columns: size.columns), unicode: true)
    let last = try #require(picture.canvas.lines.last).split(separator: " ").joined(separator: " ")
    #expect(last == eavesdroppers.warning(columns: size.columns))
    #expect(!last.contains("…"))
    guard size.columns >= 40 else { return }
    #expect(last.contains("can read PINs."))
    #expect(last.contains("network") == (eavesdroppers == .network))
    #expect(last.contains("programs") == (eavesdroppers == .programs))
    #expect(last.contains("radio") == (eavesdroppers == .radio))
    #expect(!picture.canvas.lines.joined().contains("…"))
  }

  @Test func `A greeting shows the name, five boxes, the time and the tries that are left, and who waits`() {
    let boxes: [KeypadBox] = [.masked, .shown(4), .empty, .empty, .empty]
    let shown = text(picture(greeting(boxes, waiting: 2)))
    for part in ["Hello, Ada Lovelace!", "│ • │", "│ 4 │", "1:23 left", "2 tries left", "2 people wait"] {
      #expect(shown.contains(part), "\(part) in\n\(shown)")
    }
    #expect(shown.split(separator: "┌───┐").count == 6)
  }

  @Test func `Every key of the keypad can be clicked, where it is drawn and nowhere else`() {
    let picture = picture(greeting([.empty, .empty, .empty, .empty, .empty]))
    #expect(Set(picture.keys.map(\.key)).count == 12)
    for (area, key) in picture.keys {
      #expect(picture.key(row: area.row, column: area.column) == key)
      #expect(picture.key(row: area.row, column: area.column + area.width - 1) == key)
      #expect(area.row < 24 && area.column + area.width <= 80)
      if case .digit(let digit) = key {
        #expect(picture.canvas.lines[area.row].contains("\(digit)"))
      }
    }
    #expect(picture.key(row: 0, column: 0) == nil)
  }

  @Test func `A kiosk without a keypad shows no boxes and no keys`() {
    let picture = picture(greeting(nil))
    #expect(picture.keys.isEmpty)
    #expect(!text(picture).contains("┌"))
    #expect(text(picture).contains("confirm on your phone"))
  }

  @Test func `An outcome says in words and with a symbol how it ended`() {
    let good = text(picture(.outcome(KioskOutcome(name: "Ada Lovelace", answer: Answer(.admitted)))))
    #expect(good.contains("✓  Checked in"))
    #expect(good.contains("Ada Lovelace"))
    let bad = text(
      picture(
        .outcome(KioskOutcome(name: "Ada", answer: Answer(.tooManyAttempts, retryAfter: .seconds(5)))), unicode: false))
    #expect(bad.contains("NO  Not checked in"))
    #expect(bad.contains("Try again in 5 seconds."))
  }

  @Test(arguments: [(1, 1), (5, 20), (10, 40), (24, 80), (60, 200)])
  func `Every view fits every screen, whatever the name holds`(size: (rows: Int, columns: Int)) {
    let names = [
      "A", String(repeating: "very long name ", count: 40), "\u{1b}[2J\u{7}evil\n", "日本語の名前", "e\u{301}\u{301}\u{301}",
    ]
    let hints: [KioskView.Hint] = [
      .confirm, .checking, .wrongPIN, .confirmationFailed, .locked(until: MonotonicTime(sinceStart: .seconds(20))),
    ]
    for name in names {
      for hint in hints {
        let views = [
          greeting([.empty, .masked, .shown(9), .empty, .empty], name: name, hint: hint),
          .outcome(
            KioskOutcome(
              name: name, answer: Answer(.alreadyAdmitted, admittedAt: WallTime(secondsSince1970: 0), gate: name))),
        ]
        for view in views {
          let lines = picture(view, rows: size.rows, columns: size.columns).canvas.lines
          #expect(lines.count == size.rows)
          #expect(lines.allSatisfy { DisplayWidth.of($0) == size.columns })
          #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
        }
      }
    }
  }

  @Test(arguments: [
    (Duration.seconds(0), "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"), (.milliseconds(59_001), "1:00"),
    (.seconds(600), "10:00"), (.seconds(-5), "0:00"),
  ])
  func `Time that is left is rounded up and never below zero`(duration: Duration, text: String) {
    #expect(KioskPicture.clockText(duration) == text)
  }

  @Test(arguments: [("7", KeypadKey.digit(7)), ("<", .backspace), ("!", .clear)] as [(Character, KeypadKey)])
  func `Typed characters are keys`(character: Character, key: KeypadKey) {
    #expect(KeypadKey(typed: character) == key)
    #expect(KeypadKey(.character(character)) == key)
  }

  @Test(arguments: ["a", " ", "٣", "½", "-", "\u{0}"] as [Character])
  func `Other characters are none`(character: Character) {
    #expect(KeypadKey(typed: character) == nil)
    #expect(KeypadKey(.character(character)) == nil)
  }
}
