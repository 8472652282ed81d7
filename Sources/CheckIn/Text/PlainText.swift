extension String {
  /// Whether the text can be shown as one line without surprises: no control character, no end of a line, nothing that
  /// turns the direction of writing.
  package var isPlainLine: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: false
      default: true
      }
    }
  }
}
