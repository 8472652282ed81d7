public import CheckInCore

/// Where a kiosk remembers, over its restarts, how far the numbers of a list have risen, so that nobody puts an old list in a
/// new one's place (``/CheckInCore/RevocationList``).
///
/// - **D7** ``raise(_:to:)`` answers the largest number that was ever given for that list, over every kiosk that shares the
///   store. When it returns, that is durable.
///
/// The ledgers of this package do that beside their own work; a ledger need not.
public protocol ListNumbers: Sendable {
  /// Notes that a list with this number is there.
  ///
  /// - Parameters:
  ///   - list: which list it is: whatever tells one issuer's list from another's.
  ///   - number: its number; 0 only asks.
  /// - Returns: the largest number so far; larger than `number` where a newer list was there before, and 0 where none was.
  /// - Precondition: `number` is not below zero.
  func raise(_ list: Digest, to number: Int64) async throws(LedgerError) -> Int64
}
