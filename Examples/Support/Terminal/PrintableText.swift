extension String {
  /// The text without anything that could act on a terminal or deceive its reader, for names and messages from outside.
  ///
  /// Control characters, line breaks, private and unassigned characters become `�`; direction marks and other unseen
  /// characters are left out, except for the joiners that scripts and emoji need; a character keeps at most four
  /// marks. The result is one line.
  package var printable: String {
    var result = String.UnicodeScalarView()
    var marks = 0
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result.append(scalar == "\t" ? " " : "\u{fffd}")
        marks = 0
      case .format:
        let joins = scalar.value == 0x200c || scalar.value == 0x200d
        if joins, !result.isEmpty, marks < 4 {
          result.append(scalar)
          marks += 1
        }
      case .nonspacingMark, .enclosingMark, .spacingMark:
        marks += 1
        if marks <= 4, !result.isEmpty { result.append(scalar) }
      case .spaceSeparator:
        result.append(" ")
        marks = 0
      default:
        result.append(scalar)
        marks = 0
      }
    }
    return String(result)
  }
}
