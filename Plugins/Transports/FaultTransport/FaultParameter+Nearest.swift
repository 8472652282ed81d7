internal import CheckIn

extension FaultParameter {
  /// An error of the transport beneath. Where that was given a parameter which is none of ours, and cannot read its
  /// address, most likely one of ours was meant: then the error says which there are.
  static func explained(_ error: TransportError, rest: [Endpoint.Parameter]) -> TransportError {
    guard error.code == .addressMalformed, let name = rest.first?.name else { return error }
    let guess = nearest(to: name).map { " Did you mean “\($0.rawValue)”?" } ?? ""
    let names = allCases.map(\.rawValue).inWords
    return TransportError(error.code, "\(error.message)\(guess) Those of fault+ are \(names).", cause: error.cause)
  }

  /// The parameter whose name is at most two letters from this one, the nearest first; nil where none is.
  static func nearest(to name: String) -> FaultParameter? {
    let near = allCases.map { (parameter: $0, distance: distance(name, $0.rawValue)) }
      .min { $0.distance < $1.distance }
    return near.flatMap { $0.distance <= min(2, name.utf8.count / 2) ? $0.parameter : nil }
  }

  /// How many letters have to be put in, taken out or changed to make one word of the other.
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right.utf8)
    var row = Array(0...right.count)
    for (index, letter) in left.utf8.prefix(64).enumerated() {
      var before = row[0]
      row[0] = index + 1
      for column in right.indices {
        let changed = before + (letter == right[column] ? 0 : 1)
        before = row[column + 1]
        row[column + 1] = min(changed, before + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
