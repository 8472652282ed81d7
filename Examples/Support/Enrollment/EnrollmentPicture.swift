package import EnrollmentCore

/// What an enrollment looks like on a terminal of a size: a heading, what is asked for, and a question over it.
package struct EnrollmentPicture {
  /// The picture.
  package private(set) var canvas: Canvas

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
    draw(screen, field: field, tick: tick)
    if !note.isEmpty { center(note, row: size.rows - 4, style: TerminalStyle(.red)) }
    if let dialog { draw(dialog) }
    center("Ctrl-C closes; you can go on later.", row: size.rows - 2, style: .dim)
  }

  private mutating func draw(_ screen: EnrollmentScreen, field: String, tick: Int) {
    let middle = canvas.size.rows / 2
    switch screen {
    case .phone:
      center("Your phone number, with the country code", row: middle - 4)
      box(field.isEmpty ? "+46 …" : shownNumber(field), row: middle - 2)
      button("Send SMS", row: middle + 2)
    case .code(let phone, let entered):
      center("The code of the SMS to \(grouped(phone))", row: middle - 6)
      boxes(entered, digits: field, row: middle - 3)
      center("N sends a new SMS", row: middle + 5, style: .dim)
    case .waiting(let operation): spinner(EnrollmentPicture.words(operation), tick, row: middle)
    case .passportNumber:
      center("The number of your passport", row: middle - 4)
      box(field.isEmpty ? "AB1234567" : field, row: middle - 2)
      button("Enter", row: middle + 2)
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
    let width = min(canvas.size.columns - 4, 64)
    let lines = TextWrap.lines(dialog.text, width: max(10, width - 4))
    let top = max(0, canvas.size.rows / 2 - lines.count / 2 - 2)
    let left = (canvas.size.columns - width) / 2
    let style = TerminalStyle(.black, on: .yellow)
    for row in 0..<lines.count + 4 {
      canvas.put(String(repeating: " ", count: width), row: top + row, column: left, style: style)
    }
    for (index, line) in lines.enumerated() { canvas.put(line, row: top + 1 + index, column: left + 2, style: style) }
    canvas.put(
      "Y yes    N no", row: top + lines.count + 2, column: left + 2,
      style: TerminalStyle(.black, on: .yellow, bold: true))
  }

  private mutating func center(_ text: String, row: Int, style: TerminalStyle = .plain) {
    let fitting = DisplayWidth.fitting(text.printable, into: canvas.size.columns, ellipsis: unicode ? "…" : "~")
    canvas.put(fitting, row: row, column: max(0, (canvas.size.columns - DisplayWidth.of(fitting)) / 2), style: style)
  }

  private mutating func box(_ text: String, row: Int) {
    center("[ \(text) ]", row: row, style: .bold)
  }

  /// A large control.
  private mutating func button(_ text: String, row: Int) {
    let width = DisplayWidth.of(text) + 12
    for line in 0..<3 {
      let content = line == 1 ? "      \(text)      " : String(repeating: " ", count: width)
      center(content, row: row + line, style: TerminalStyle(.black, on: .green, bold: true))
    }
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
