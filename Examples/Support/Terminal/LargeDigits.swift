/// Digits five rows high, so that a PIN can be read from a distance.
package enum LargeDigits {
  /// How many rows a digit has.
  package static let height = 5
  /// How many columns a digit has, without the gap behind it.
  package static let width = 6

  /// The five rows of a text of digits, two columns between them. Other characters leave their place empty.
  package static func rows(_ digits: String, unicode: Bool = true) -> [String] {
    let mark: Character = unicode ? "█" : "#"
    return (0..<height).map { row in
      digits.map { digit in
        let pattern = digit.wholeNumberValue.flatMap { $0 < 10 ? patterns[$0][row] : nil } ?? "   "
        // A cell is about twice as high as wide: each point is two columns.
        return String(pattern.flatMap { $0 == "#" ? [mark, mark] : [" ", " "] })
      }.joined(separator: "  ")
    }
  }

  private static let patterns: [[String]] = [
    ["###", "# #", "# #", "# #", "###"],
    [" # ", "## ", " # ", " # ", "###"],
    ["###", "  #", "###", "#  ", "###"],
    ["###", "  #", " ##", "  #", "###"],
    ["# #", "# #", "###", "  #", "  #"],
    ["###", "#  ", "###", "  #", "###"],
    ["###", "#  ", "###", "# #", "###"],
    ["###", "  #", "  #", " # ", " # "],
    ["###", "# #", "###", "# #", "###"],
    ["###", "# #", "###", "  #", "###"],
  ]
}
