extension String {
  /// The sentence as the end of another: small first letter, no full stop.
  var asSentenceEnd: String {
    let text = hasSuffix(".") ? String(dropLast()) : self
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
