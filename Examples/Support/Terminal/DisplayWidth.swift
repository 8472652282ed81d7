/// How many columns text takes on a terminal.
///
/// Terminals do not agree about rare characters. The answer is right for the common ones; for the others
/// ``isCertain(_:)`` is false, and the renderer places the cursor anew behind them.
package enum DisplayWidth {
  /// The columns of a text without control characters.
  package static func of(_ text: String) -> Int {
    var columns = 0
    for character in text { columns += of(character) }
    return columns
  }

  /// The columns of one character: 0 for a lone combining mark, 2 for East Asian wide ones and emoji, else 1.
  package static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    if isCombining(first) { return 0 }
    let emoji = character.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xfe0f }
    return emoji || isWide(first) ? 2 : 1
  }

  /// Whether terminals agree about the width of this character.
  package static func isCertain(_ character: Character) -> Bool {
    var scalars = character.unicodeScalars.makeIterator()
    guard let first = scalars.next(), scalars.next() == nil else { return false }
    return first.value < 0x300 || (0x370..<0x590).contains(first.value) || (0x2500..<0x25a0).contains(first.value)
  }

  /// The beginning of a text that fits into `columns`, with `…` where something was cut off.
  package static func fitting(_ text: String, into columns: Int, ellipsis: String = "…") -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
      let width = of(character)
      guard used + width + of(ellipsis) <= columns else { break }
      result.append(character)
      used += width
    }
    return columns >= of(ellipsis) ? result + ellipsis : ""
  }

  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  // The blocks of East Asian Width W and F (UAX #11), as whole ranges.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
      0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
      0x16fe0...0x18cff, 0x1aff0...0x1b2ff, 0x1f200...0x1f2ff, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
      0x1f900...0x1f9ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }
}
