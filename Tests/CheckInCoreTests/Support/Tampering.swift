/// Every way to change a message a little: each bit turned, each byte to its two ends, each
/// truncation, each byte behind the end.
///
/// - Returns: the changed bytes that `judge` accepted, each with what was done: nothing, if all is well.
func acceptedAfterTampering(with bytes: [UInt8], _ judge: ([UInt8]) throws -> Void) -> [String] {
  var accepted: [String] = []
  func attempt(_ changed: [UInt8], _ what: @autoclosure () -> String) {
    do {
      try judge(changed)
      accepted.append(what())
    } catch {
      // Refused, as it must be.
    }
  }
  for index in bytes.indices {
    var changed = bytes
    let original = bytes[index]
    let values: [UInt8] = [0, 255] + (0..<8).map { original ^ 1 << $0 }
    for value in values where value != original {
      changed[index] = value
      attempt(changed, "byte \(index) changed to \(value)")
    }
    attempt(Array(bytes[..<index]), "cut to \(index)")
  }
  for value in UInt8.min...UInt8.max {
    attempt(bytes + [value], "\(value) behind the end")
  }
  return accepted
}
