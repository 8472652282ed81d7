package import EnrollmentCore

/// What an enrollment looks like on a terminal of a size: a heading, what is asked for, and a question over it.
package struct EnrollmentPicture {
  /// The picture.
  package private(set) var canvas: Canvas
  /// Where the large control is, which the mouse can press; nil: there is none.
  package private(set) var control: CanvasArea?

  private let unicode: Bool

  /// A picture.
  ///
  /// - Parameters:
  ///   - field: what is typed into the screen's field.
  ///   - note: what is wrong with it, or what went wrong before; empty: nothing.
  ///   - tick: counts on while something is waited for.
  package init(
    _ screen: EnrollmentScreen, dialog: EnrollmentDialog?, field: String, note: String, tick: Int, size: TerminalSize,
    unicode: Bool
  ) {
    canvas = Canvas(size)
    self.unicode = unicode
    center("Enrollment", row: 1, style: .bold)
    draw(screen, field: field, tick: tick, dialog: dialog)
    if !note.isEmpty { center(note, row: size.rows - 4, style: TerminalStyle(.red)) }
    if let dialog { draw(dialog) }
    center("Ctrl-C closes; you can go on later.", row: size.rows - 2, style: .dim)
  }

  private mutating func draw(_ screen: EnrollmentScreen, field: String, tick: Int, dialog: EnrollmentDialog?) {
    let middle = canvas.size.rows / 2
    switch screen {
    case .phone:
      center("Your phone number, with the country code", row: middle - 4)
      box(field.isEmpty ? "" : shownNumber(field), such: "such as +46 70 123 45 67", row: middle - 3)
      if dialog == nil { button("Send SMS", row: middle + 1) }
    case .code(let phone, let entered):
      center("The code of the SMS to \(grouped(phone))", row: middle - 6)
      boxes(entered, digits: field, row: middle - 3)
      center("N sends a new SMS", row: middle + 5, style: .dim)
    case .waiting(let operation): spinner(EnrollmentPicture.words(operation), tick, row: middle)
    case .passportNumber:
      center("The number of your passport", row: middle - 4)
      box(field, such: "such as AB1234567", row: middle - 3)
      if dialog == nil { button("Send the number", row: middle + 1) }
    case .camera(let kind, let reason):
      if let reason { center(reason, row: middle - 4, style: TerminalStyle(.red)) }
      spinner(
        kind == .passport ? "Hold the passport into the yellow frame" : "Hold your face into the yellow frame", tick,
        row: middle)
    case .uploading(let kind, let sent, let size):
      center(kind == .passport ? "Sending the passport" : "Sending the selfie", row: middle - 2)
      bar(sent, of: size, row: middle)
    case .processing: spinner("Your picture is being looked at", tick, row: middle)
    case .choosePIN(let entered, let again):
      center(again ? "The same PIN again" : "Choose a PIN of four digits", row: middle - 6)
      boxes(entered, row: middle - 3)
    case .login(let entered):
      center("Your PIN", row: middle - 6)
      boxes(entered, row: middle - 3)
      center("F uses face or finger", row: middle + 5, style: .dim)
    case .account(let name, _):
      center(
        "\(unicode ? "✓" : "OK") \(name ?? "You") \(name == nil ? "are" : "is") enrolled and logged in.", row: middle,
        style: TerminalStyle(.green, bold: true))
    case .locked:
      center("This account is locked. Please ask the organizer.", row: middle, style: TerminalStyle(.red, bold: true))
    case .unknownStatus(let status):
      center(
        "The server answered with the status \(status.rawValue), which this program does not know.", row: middle,
        style: TerminalStyle(.red, bold: true))
    }
  }

  private mutating func draw(_ dialog: EnrollmentDialog) {
    let width = max(12, min(canvas.size.columns - 4, 64))
    let question = TextWrap.lines(dialog.text, width: width - 4)
    let lines = [""] + question.map { " " + $0 } + ["", " Y yes    N no", ""]
    let top = max(0, (canvas.size.rows - lines.count - 2) / 2)
    let left = max(0, (canvas.size.columns - width) / 2)
    for (index, text) in framed(lines, width: width - 2).enumerated() {
      let style = TerminalStyle(.black, on: .yellow, bold: index == lines.count - 1)
      canvas.put(text, row: top + index, column: left, style: style)
    }
  }

  private mutating func center(_ text: String, row: Int, style: TerminalStyle = .plain) {
    let fitting = DisplayWidth.fitting(text.printable, into: canvas.size.columns, ellipsis: unicode ? "…" : "~")
    canvas.put(fitting, row: row, column: max(0, (canvas.size.columns - DisplayWidth.of(fitting)) / 2), style: style)
  }

  /// A field with what is typed, and below it what may be.
  private mutating func box(_ text: String, such example: String, row: Int) {
    center("[ \(text.isEmpty ? String(repeating: " ", count: 12) : text) ]", row: row, style: .bold)
    if text.isEmpty { center(example, row: row + 1, style: .dim) }
  }

  /// A large control, with a frame, so that it is seen without colour too. The key that breaks a line presses it, and the mouse.
  private mutating func button(_ text: String, row: Int) {
    let content = "      \(text)      "
    let width = DisplayWidth.of(content) + 2
    let column = max(0, (canvas.size.columns - width) / 2)
    let style = TerminalStyle(.black, on: .green, bold: true)
    for (line, text) in framed([content], width: width - 2).enumerated() {
      canvas.put(text, row: row + line, column: column, style: style)
    }
    control = CanvasArea(row: row, column: column, height: 3, width: width)
    center("Enter or a click", row: row + 3, style: .dim)
  }

  /// Lines of that width with a frame around them.
  private func framed(_ lines: [String], width: Int) -> [String] {
    let marks = unicode ? ["┌", "┐", "└", "┘", "─", "│"] : ["+", "+", "+", "+", "-", "|"]
    let line = String(repeating: marks[4], count: width)
    return [marks[0] + line + marks[1]]
      + lines.map { text in
        marks[5] + text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + marks[5]
      } + [marks[2] + line + marks[3]]
  }

  /// Four large boxes, so many of them filled: with the digits, where those may be seen.
  private mutating func boxes(_ entered: Int, digits: String = "", row: Int) {
    let filled = String(repeating: unicode ? "█" : "#", count: LargeDigits.width)
    let empty = String(repeating: " ", count: LargeDigits.width)
    let shown = digits.count == entered ? digits.map { LargeDigits.rows(String($0), unicode: unicode) } : []
    for line in 0..<LargeDigits.height {
      let cells = (0..<FourDigits.length).map { index in
        guard index < entered else {
          return line == LargeDigits.height - 1 ? String(repeating: "_", count: LargeDigits.width) : empty
        }
        return shown.isEmpty ? filled : shown[index][line]
      }
      center(cells.joined(separator: "   "), row: row + line, style: .bold)
    }
  }

  private mutating func spinner(_ text: String, _ tick: Int, row: Int) {
    let marks = unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
    center("\(marks[tick % marks.count]) \(text)", row: row)
  }

  private mutating func bar(_ sent: UInt64, of size: UInt64, row: Int) {
    let width = max(10, min(50, canvas.size.columns - 14))
    let filled = size == 0 ? 0 : Int(UInt64(width) * min(sent, size) / size)
    let percent = size == 0 ? 0 : min(sent, size) * 100 / size
    let text =
      String(repeating: unicode ? "█" : "#", count: filled)
      + String(repeating: unicode ? "░" : ".", count: width - filled)
    center("\(text) \(percent) %", row: row)
  }

  private func shownNumber(_ typed: String) -> String {
    (try? PhoneNumber(typed))?.grouped ?? typed
  }

  private func grouped(_ phone: String) -> String { shownNumber(phone) }

  private static func words(_ operation: EnrollmentOperation) -> String {
    switch operation {
    case .sendCode: "Sending the SMS"
    case .register: "Registering"
    case .fetchContainer: "Fetching your container"
    case .status: "Asking how far it is"
    case .passportNumber: "Sending the number"
    case .resume, .passport, .selfie: "Sending the picture"
    case .logIn: "Logging in"
    case .ticket: "Fetching a ticket"
    }
  }
}
