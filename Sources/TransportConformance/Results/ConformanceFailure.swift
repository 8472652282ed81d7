/// Something that a check expected and did not find.
public struct ConformanceFailure: Hashable, Sendable {
  /// What was expected.
  public let expected: String
  /// What happened.
  public let happened: String
  /// Where in the suite that is: file and line.
  public let place: String

  /// A failure.
  public init(expected: String, happened: String, place: String) {
    self.expected = expected
    self.happened = happened
    self.place = place
  }
}

extension ConformanceFailure: CustomStringConvertible {
  /// Both, in two lines.
  public var description: String { "expected: \(expected)\nhappened: \(happened)" }
}
