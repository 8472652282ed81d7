extension LineOutput {
  /// Writes sentences for people, made harmless: on a terminal in lines that break between words, elsewhere in one line, so
  /// that programs find it whole.
  @discardableResult
  package func say(_ text: String, style: TerminalStyle = .plain, colour: Bool = false) -> Bool {
    let width = min(CommandLineCommand.helpWidth, TerminalScreen.textWidth(of: descriptor))
    let isTerminal = Descriptor.isTerminal(descriptor)
    let lines = isTerminal ? TextWrap.lines(text.printable, width: width) : [text.printable]
    return write(lines.map { style.applied(to: $0, colour: colour) + "\n" }.joined())
  }
}
