import CheckIn
import InMemoryLedger
import TestSupport
import Testing

@Test("A ledger in memory keeps", .timeLimit(.minutes(1)), arguments: LedgerRule.all.filter { !$0.needsDurability })
func contract(rule: LedgerRule) async throws {
  try await rule.check(LedgerUnderTest(isDurable: false) { InMemoryLedger() })
}
