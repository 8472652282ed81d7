internal import CheckInCore
internal import Testing

@Suite("UTF-8")
struct UTF8CheckTests {
  @Test("It agrees with the standard library on every sequence of two bytes, and on many of three and four")
  func exhaustive() {
    let interesting: [UInt8] = [
      0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xf0, 0xf1, 0xf4, 0xf5,
      0xff,
    ]
    func judge(_ bytes: [UInt8]) -> Bool {
      isUTF8(bytes.span) == (String(validating: bytes, as: UTF8.self) != nil)
    }
    var wrong: [[UInt8]] = []
    for first in UInt8.min...UInt8.max {
      if !judge([first]) { wrong.append([first]) }
      for second in UInt8.min...UInt8.max where !judge([first, second]) {
        wrong.append([first, second])
      }
    }
    for first in interesting {
      for second in interesting {
        for third in interesting {
          if !judge([first, second, third]) { wrong.append([first, second, third]) }
          for fourth in interesting where !judge([first, second, third, fourth]) {
            wrong.append([first, second, third, fourth])
          }
        }
      }
    }
    #expect(wrong.isEmpty)
    let nothing: [UInt8] = []
    let isText = isUTF8(nothing.span)
    #expect(isText)
  }
}
