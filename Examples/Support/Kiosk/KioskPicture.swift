package import CheckInCore

/// One picture of a kiosk's screen: what is drawn where, and which cells are keys for the mouse.
///
/// It is a pure function of the view, the time and the size, so that a test can look at it.
package struct KioskPicture {
  /// What is seen.
  package private(set) var canvas: Canvas
  /// Where the keys are.
  package private(set) var keys: [(area: CanvasArea, key: KeypadKey)] = []

  private let unicode: Bool
  private let size: TerminalSize

  /// Draws `view`.
  ///
  /// - Parameters:
  ///   - heading: who the kiosk is; it stands above every view.
  ///   - clock: the time of day, as text.
  ///   - now: for the time that is left, on the same clock as the view's deadlines.
  ///   - eavesdroppers: who could read along; the last row warns of them in every view.
  ///   - facts: where the kiosk listens and what is in force, for the welcome.
  ///   - complaint: what the staff must look after; it stands below the heading where there is room: whole over the welcome,
  ///     else as much of it as one row holds.
  package init(
    _ view: KioskView, heading: KioskView.Welcome, clock: String, now: MonotonicTime,
    eavesdroppers: Eavesdroppers? = nil,
    facts: [String] = [], complaint: String? = nil,
    size: TerminalSize, unicode: Bool
  ) {
    canvas = Canvas(size)
    self.size = size
    self.unicode = unicode
    drawHeading(heading, clock: clock)
    if let complaint { draw(complaint, over: view) }
    switch view {
    case .welcome: drawWelcome(facts)
    case .greeting(let greeting): drawGreeting(greeting, now: now)
    case .outcome(let outcome): drawOutcome(outcome)
    }
    if let eavesdroppers {
      canvas.putCentred(
        eavesdroppers.warning(columns: size.columns), row: size.rows - 1, style: TerminalStyle(.yellow))
    }
  }

  /// The key under a cell, if there is one.
  package func key(row: Int, column: Int) -> KeypadKey? {
    keys.first { $0.area.contains(row: row, column: column) }?.key
  }

  private mutating func drawHeading(_ heading: KioskView.Welcome, clock: String) {
    let place = heading.gate == heading.kiosk ? heading.kiosk : "\(heading.kiosk), gate \(heading.gate)"
    let right = "\(clock) "
    let left = DisplayWidth.fitting(
      " \(heading.event) · \(place)".printable, into: max(0, size.columns - DisplayWidth.of(right) - 1))
    canvas.fill(CanvasArea(row: 0, column: 0, height: 1, width: size.columns), style: TerminalStyle(reversed: true))
    canvas.put(left, row: 0, column: 0, style: TerminalStyle(reversed: true))
    canvas.put(
      right, row: 0, column: size.columns - DisplayWidth.of(right), style: TerminalStyle(reversed: true))
  }

  private mutating func draw(_ complaint: String, over view: KioskView) {
    // From how many rows on the second row is free.
    let rows =
      switch view {
      case .welcome: 8
      case .greeting: 22
      case .outcome: 10
      }
    guard size.rows >= rows else { return }
    let style = TerminalStyle(.yellow)
    guard case .welcome = view else {
      canvas.putCentred(fitting(complaint.printable), row: 1, style: style)
      return
    }
    // Between the heading and the welcome, and an empty row.
    let free = max(1, welcomeRow - 2)
    var lines = TextWrap.lines(complaint.printable, width: size.columns)
    if lines.count > free {
      lines = lines.prefix(free - 1) + [lines[(free - 1)...].joined(separator: " ")]
    }
    for (index, line) in lines.enumerated() { canvas.putCentred(fitting(line), row: 1 + index, style: style) }
  }

  /// As much of the text as a row holds.
  private func fitting(_ text: String) -> String {
    DisplayWidth.fitting(text, into: size.columns, ellipsis: unicode ? "…" : "~")
  }

  /// The row of the word “Welcome”.
  private var welcomeRow: Int { max(1, size.rows / 2 - 1) }

  private mutating func drawWelcome(_ facts: [String]) {
    let middle = welcomeRow
    canvas.putCentred("Welcome", row: middle, style: .bold)
    canvas.putCentred(
      size.columns < 62
        ? "Please choose this kiosk on your phone." : "Open the check-in program on your phone and choose this kiosk.",
      row: middle + 2)
    // The last row is for the warning.
    let lines = facts.flatMap { TextWrap.lines($0.printable, width: size.columns) }
    for (index, line) in lines.prefix(max(0, size.rows - 1 - (middle + 4))).enumerated() {
      canvas.putCentred(fitting(line), row: middle + 4 + index, style: .dim)
    }
  }

  // MARK: - Somebody is there

  private mutating func drawGreeting(_ greeting: KioskView.Greeting, now: MonotonicTime) {
    let isTall = size.rows >= 22
    var row = isTall ? 2 : 1
    canvas.putCentred("Hello, \(greeting.name)!", row: row, style: .bold)
    row += 1
    let (text, style) = hint(greeting, now: now)
    canvas.putCentred(text, row: row, style: style)
    row += isTall ? 2 : 1
    if let boxes = greeting.boxes {
      row = draw(boxes, row: row)
      if size.rows - row > 9 { row = drawKeys(row: row + (isTall ? 1 : 0), spaced: isTall) }
    }
    canvas.putCentred(footer(greeting, now: now), row: min(size.rows - 2, row + 1), style: .dim)
  }

  private func hint(_ greeting: KioskView.Greeting, now: MonotonicTime) -> (String, TerminalStyle) {
    switch greeting.hint {
    case .confirm:
      return (
        greeting.boxes == nil
          ? "Please confirm on your phone." : "Please confirm on your phone, or type the PIN that it shows.", .plain
      )
    case .checking: return ("One moment, please.", .plain)
    case .wrongPIN: return ("That PIN is not right. Please try again.", TerminalStyle(.yellow))
    case .confirmationFailed:
      return ("The confirmation did not work. Please type the PIN.", TerminalStyle(.yellow))
    case .locked(let until):
      return ("Please wait \(KioskPicture.clockText(until - now)).", TerminalStyle(.yellow))
    }
  }

  private func footer(_ greeting: KioskView.Greeting, now: MonotonicTime) -> String {
    var parts = ["\(KioskPicture.clockText(greeting.deadline - now)) left"]
    if greeting.boxes != nil {
      parts.append(greeting.attemptsLeft == 1 ? "1 try left" : "\(greeting.attemptsLeft) tries left")
    }
    if greeting.waiting > 0 {
      parts.append(greeting.waiting == 1 ? "1 person waits" : "\(greeting.waiting) people wait")
    }
    return parts.joined(separator: unicode ? "  ·  " : "  |  ")
  }

  /// Minutes and seconds, rounded up; never below zero.
  package static func clockText(_ duration: Duration) -> String {
    let whole = max(0, duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0))
    let seconds = whole % 60
    return "\(whole / 60):\(seconds < 10 ? "0" : "")\(seconds)"
  }

  private mutating func draw(_ boxes: [KeypadBox], row: Int) -> Int {
    let start = (size.columns - (boxes.count * 6 - 1)) / 2
    for (index, box) in boxes.enumerated() {
      let column = start + index * 6
      canvas.frame(CanvasArea(row: row, column: column, height: 3, width: 5), unicode: unicode)
      let mark =
        switch box {
        case .empty: " "
        case .masked: unicode ? "•" : "*"
        case .shown(let digit): "\(digit)"
        }
      canvas.put(mark, row: row + 1, column: column + 2, style: .bold)
    }
    return row + 3
  }

  private mutating func drawKeys(row: Int, spaced: Bool) -> Int {
    let labels: [[(String, KeypadKey)]] = [
      [("1", .digit(1)), ("2", .digit(2)), ("3", .digit(3))],
      [("4", .digit(4)), ("5", .digit(5)), ("6", .digit(6))],
      [("7", .digit(7)), ("8", .digit(8)), ("9", .digit(9))],
      [("Clear", .clear), ("0", .digit(0)), (unicode ? "⌫" : "Back", .backspace)],
    ]
    let width = 9
    let start = (size.columns - width * 3) / 2
    let step = spaced ? 2 : 1
    for (line, keys) in labels.enumerated() {
      for (index, (label, key)) in keys.enumerated() {
        let area = CanvasArea(row: row + line * step, column: start + index * width, height: 1, width: width - 1)
        let text = String(repeating: " ", count: (area.width - DisplayWidth.of(label)) / 2) + label
        let padded = text + String(repeating: " ", count: max(0, area.width - DisplayWidth.of(text)))
        canvas.put(padded, row: area.row, column: area.column, style: TerminalStyle(reversed: true))
        self.keys.append((area, key))
      }
    }
    return row + labels.count * step
  }

  // MARK: - How it ended

  private mutating func drawOutcome(_ outcome: KioskOutcome) {
    let colour: TerminalStyle.Colour = outcome.isSuccess ? .green : .red
    let style = TerminalStyle(colour, bold: true)
    let symbol = outcome.isSuccess ? (unicode ? "✓" : "OK") : (unicode ? "✗" : "NO")
    let word = outcome.isSuccess ? "Checked in" : "Not checked in"
    let top = max(1, size.rows / 2 - 3)
    canvas.frame(
      CanvasArea(row: top, column: max(0, size.columns / 2 - 30), height: 7, width: min(size.columns, 60)),
      style: style, unicode: unicode)
    canvas.putCentred("\(symbol)  \(word)", row: top + 2, style: style)
    canvas.putCentred(outcome.name, row: top + 3, style: .bold)
    canvas.putCentred(outcome.answer.sentence, row: top + 4)
  }
}
