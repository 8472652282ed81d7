/// Finds what a person most likely meant to type.
package enum NearestWord {
  /// The candidate nearest to `word`, or nil when none is near enough to be worth asking about.
  ///
  /// Near enough is one slip for every three characters, at least one; a candidate that begins with `word` is near too.
  package static func of(_ word: String, in candidates: [String]) -> String? {
    let typed = word.lowercased()
    guard !typed.isEmpty else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(typed, candidate.lowercased())
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    if let best, best.distance <= max(1, max(typed.count, best.word.count) / 3) { return best.word }
    let begun = candidates.filter { typed.count >= 2 && $0.lowercased().hasPrefix(typed) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// How many slips lie between two words: a letter too many, too few, wrong, or two swapped (optimal string alignment).
  package static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.unicodeScalars.prefix(64))
    let right = Array(right.unicodeScalars.prefix(64))
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
      var current = [row + 1]
      for column in 0..<right.count {
        let change = last[column] + (left[row] == right[column] ? 0 : 1)
        var least = min(change, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, beforeLast[column - 1] + 1)
        }
        current.append(least)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
