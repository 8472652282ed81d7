extension [String] {
  /// The list in a sentence: “a”, “a and b”, “a, b and c”.
  package var inWords: String {
    guard count > 1, let last else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}
