/// Breaks text into lines between words.
package enum TextWrap {
  /// The lines of a paragraph, each at most `width` columns wide unless one word is wider.
  ///
  /// Every line is indented by `indent`, and all but the first by `hanging` more.
  package static func lines(_ text: String, width: Int, indent: Int = 0, hanging: Int = 0) -> [String] {
    wrap(text.split(separator: " ").map(String.init), width: width, indent: indent, hanging: hanging, breaking: "")
  }

  /// The lines of a command line, broken with a backslash, so that it can be pasted into a shell.
  package static func commandLine(_ line: String, width: Int, indent: Int) -> [String] {
    // An option and its value stay together.
    var pieces: [String] = []
    for word in shellWords(line) {
      if let last = pieces.last, last.hasPrefix("--"), !last.contains(" "), !word.hasPrefix("--") {
        pieces[pieces.count - 1] = "\(last) \(word)"
      } else {
        pieces.append(word)
      }
    }
    return wrap(pieces, width: width, indent: indent, hanging: 4, breaking: " \\")
  }

  private static func wrap(
    _ words: [String], width: Int, indent: Int, hanging: Int, breaking: String
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      let start = indent + (lines.isEmpty ? 0 : hanging)
      if line.isEmpty {
        line = String(repeating: " ", count: start) + word
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(word) + breaking.count <= width {
        line += " \(word)"
      } else {
        lines.append(line + breaking)
        line = String(repeating: " ", count: indent + hanging) + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The words of a command line; what stands in double quotes stays together.
  private static func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    var quoted = false
    var word = ""
    for character in line {
      if character == "\"" { quoted.toggle() }
      if character == " ", !quoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return (words + [word]).filter { !$0.isEmpty }
  }
}
