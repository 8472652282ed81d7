internal import EnrollmentCore
internal import ExampleSupport
internal import Testing

@Suite struct EnrollmentPictureTests {
  private func picture(
    _ screen: EnrollmentScreen, _ dialog: EnrollmentDialog? = nil, field: String = "", rows: Int = 24,
    columns: Int = 80,
    unicode: Bool = true
  ) -> EnrollmentPicture {
    EnrollmentPicture(
      screen, dialog: dialog, field: field, note: "", tick: 0, size: TerminalSize(rows: rows, columns: columns),
      unicode: unicode)
  }

  @Test(arguments: [true, false])
  func `The large control has a frame that is seen without colour, and lies where the mouse finds it`(
    unicode: Bool
  ) throws {
    for (screen, label) in [(EnrollmentScreen.phone, "Send SMS"), (.passportNumber, "Send the number")] {
      let picture = picture(screen, unicode: unicode)
      let control = try #require(picture.control)
      let lines = picture.canvas.lines[control.row..<control.row + control.height].map {
        String($0.dropFirst(control.column).prefix(control.width))
      }
      #expect(lines.count == 3 && lines[1].contains(label))
      #expect(lines[0].hasPrefix(unicode ? "┌──" : "+--") && lines[2].hasSuffix(unicode ? "──┘" : "--+"))
    }
  }

  @Test(arguments: [true, false])
  func `A question has a frame too, and no control lies under it`(unicode: Bool) {
    let picture = picture(.phone, .tryAgain, unicode: unicode)
    let text = picture.canvas.lines.joined(separator: "\n")
    #expect(text.contains("Connection problem. Try again?") && text.contains("Y yes    N no"))
    #expect(text.contains(unicode ? "┌────" : "+----"))
    #expect(picture.control == nil)
  }

  @Test func `What may be typed stands below an empty field, and not in it`() {
    for (screen, example) in [(EnrollmentScreen.phone, "+46 70 123 45 67"), (.passportNumber, "AB1234567")] {
      let empty = picture(screen).canvas.lines
      #expect(empty.contains { $0.contains("such as \(example)") } && !empty.contains { $0.contains("[ \(example)") })
      #expect(!picture(screen, field: "A").canvas.lines.contains { $0.contains("such as") })
    }
  }

  @Test(arguments: [(24, 80), (10, 30), (3, 10), (1, 1)])
  func `No size brings it down`(rows: Int, columns: Int) {
    for screen in [
      EnrollmentScreen.phone, .code(phone: "+46701234567", entered: 2), .waiting(.status), .passportNumber,
      .camera(.passport, reason: "It is blurred."), .uploading(.selfie, sent: 5, of: 0), .processing,
      .choosePIN(entered: 1, again: true), .login(entered: 4), .account(name: nil, status: .done), .locked,
      .unknownStatus(EnrollmentStatus(rawValue: .max)),
    ] {
      for dialog in [nil, EnrollmentDialog.takesLonger] {
        #expect(picture(screen, dialog, rows: rows, columns: columns).canvas.lines.count == rows)
      }
    }
  }

  @Test(arguments: [
    ("phone 0701234567", "Begin with the country code"), ("phone", "8 to 15 digits"), ("passport !", "6 to 15"),
    ("code 12", "four digits"), ("pin x", "four digits"), ("hello", "Known are: phone NUMBER"),
  ])
  func `What is wrong with an answer of a script is said`(line: String, words: String) throws {
    #expect(try #require(EnrollmentScript.fault(line)).contains(words))
  }
}
