/// How a cell looks. Without colour the attributes remain, so nothing is said by colour alone.
package struct TerminalStyle: Hashable, Sendable {
  /// The eight colours that every terminal has, in their bright form where `bright` says so.
  package enum Colour: Int, Hashable, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
  }

  /// The colour of the text; nil: the terminal's own.
  package var foreground: Colour?
  /// The colour behind it; nil: the terminal's own.
  package var background: Colour?
  /// Stronger.
  package var isBold: Bool
  /// Fainter.
  package var isDim: Bool
  /// Text and background swapped.
  package var isReversed: Bool

  /// A style.
  package init(
    _ foreground: Colour? = nil, on background: Colour? = nil, bold: Bool = false, dim: Bool = false,
    reversed: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    isBold = bold
    isDim = dim
    isReversed = reversed
  }

  /// The terminal's own look.
  package static let plain = TerminalStyle()
  /// Stronger than plain.
  package static let bold = TerminalStyle(bold: true)
  /// Fainter than plain.
  package static let dim = TerminalStyle(dim: true)

  /// The sequence that sets exactly this style (SGR), whatever was set before.
  package func sequence(colour: Bool) -> String {
    var numbers = ["0"]
    if isBold { numbers.append("1") }
    if isDim { numbers.append("2") }
    if isReversed { numbers.append("7") }
    if colour, let foreground { numbers.append("\(30 + foreground.rawValue)") }
    if colour, let background { numbers.append("\(40 + background.rawValue)") }
    return "\u{1b}[\(numbers.joined(separator: ";"))m"
  }

  /// The text in this style for a line of output; as it is where there is no colour.
  package func applied(to text: String, colour: Bool) -> String {
    colour && self != .plain ? "\(sequence(colour: true))\(text)\u{1b}[0m" : text
  }
}
