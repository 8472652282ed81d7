public import CheckInCore

/// One attempt and the answer that it got, as a ledger keeps them.
public struct LedgerRecord: Hashable, Sendable {
  /// Where the record stands in the order of storing: positive, and larger than that of every earlier record.
  public let number: Int64
  /// The attempt.
  public let entry: LedgerEntry
  /// Its answer.
  public let answer: Answer

  /// A record.
  public init(number: Int64, entry: LedgerEntry, answer: Answer) {
    self.number = number
    self.entry = entry
    self.answer = answer
  }
}

/// A ledger that can be read back: for lists, exports and counts.
///
/// - **D6** Every answer that ``Ledger/admit(_:)`` or ``Ledger/refuse(_:answer:)`` has given is one record, each once, in
///   the order of storing. A record never changes.
public protocol LedgerHistory: Ledger {
  /// At most `limit` records whose number is larger than `number`, in order. Empty: there are no more for now.
  ///
  /// - Precondition: `limit` is positive.
  func records(after number: Int64, limit: Int) async throws(LedgerError) -> [LedgerRecord]
}

extension LedgerHistory {
  /// Every record, in order. A large ledger is better read in pieces, with ``records(after:limit:)``.
  public func records() async throws(LedgerError) -> [LedgerRecord] {
    var all: [LedgerRecord] = []
    while true {
      let piece = try await records(after: all.last?.number ?? 0, limit: 1000)
      guard !piece.isEmpty else { return all }
      all += piece
    }
  }
}
