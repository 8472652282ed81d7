import CheckIn
import SQLiteLedger
import TestSupport
import Testing

@Test("A ledger in a file keeps", .timeLimit(.minutes(1)), arguments: LedgerRule.all)
func contract(rule: LedgerRule) async throws {
  try await TemporaryFolder.with { folder in
    let path = folder.path("ledger.sqlite")
    try await rule.check(LedgerUnderTest(isDurable: true) { try await SQLiteLedger(path: path) })
  }
}
