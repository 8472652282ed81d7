/// How an attendee stands before an attempt.
public enum LedgerStanding: Hashable, Sendable {
  /// Not admitted, and the request was not answered yet.
  case fresh
  /// This very request was answered before (R18).
  case answered(Answer)
  /// The attendee is in already.
  case admitted(at: WallTime, gate: String)
}
