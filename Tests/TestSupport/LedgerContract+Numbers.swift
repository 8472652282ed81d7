internal import CheckIn
internal import CheckInCore

extension LedgerRule {
  /// Those about the numbers of lists.
  static let numbers: [LedgerRule] = [
    LedgerRule("D7: a list's number rises and never falls, each list's for itself") { store in
      let ledger = try await store.open()
      let (one, other) = (list(1), list(2))
      try same(try await ledger.raise(one, to: 0), 0)
      try same(try await ledger.raise(one, to: 5), 5)
      try same(try await ledger.raise(one, to: 0), 5)
      try same(try await ledger.raise(one, to: 4), 5)
      try same(try await ledger.raise(other, to: 1), 1)
      try same(try await ledger.raise(one, to: 5), 5)
      try same(try await ledger.raise(one, to: .max), .max)
      try same(try await ledger.raise(one, to: 6), .max)
      try same(try await ledger.raise(other, to: 2), 2)
      await ledger.close()
      do {
        _ = try await ledger.raise(one, to: 1)
      } catch let error as LedgerError {
        return try same(error.code, .closed)
      }
      throw BrokenRule(description: "a closed ledger answered")
    },
    LedgerRule("D7: of many who raise at once, all learn of the largest in the end") { store in
      let ledger = try await store.open()
      let answers = await withTaskGroup(of: (Int64, Int64).self) { group in
        for number in 1...Int64(50) {
          group.addTask { (number, (try? await ledger.raise(list(1), to: number)) ?? 0) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (number, answer) in answers {
        guard number...50 ~= answer else { throw BrokenRule(description: "\(answer) for \(number)") }
      }
      try same(try await ledger.raise(list(1), to: 1), 50)
      await ledger.close()
    },
    LedgerRule("D7: a number is there when the ledger is opened again", needsDurability: true) { store in
      let first = try await store.open()
      try same(try await first.raise(list(1), to: 7), 7)
      await first.close()
      let second = try await store.open()
      try same(try await second.raise(list(1), to: 6), 7)
      await second.close()
    },
  ]

  private static func list(_ number: UInt8) -> Digest {
    Digest([UInt8](repeating: number, count: 32))!
  }
}
