package import CheckInCore

/// A ledger of a simulation: what is in it survives every crash. It keeps the contract that real ledgers keep.
package final class SimulationLedger {
  private struct Attempt: Hashable {
    let token: Digest
    let request: RequestID
  }

  /// Who is in, since when, at which gate.
  package private(set) var admissions: [String: (at: WallTime, gate: String)] = [:]
  /// Every refusal and admission that was stored, in order.
  package private(set) var entries: [(entry: LedgerEntry, answer: Answer)] = []
  /// The failures, in order.
  package private(set) var failures: [LedgerFailure] = []
  /// While true every call fails and stores nothing.
  package var isBroken = false

  private var answers: [Attempt: Answer] = [:]

  package init() {}

  package func standing(ofAttendee attendee: String, token: Digest, request: RequestID) -> LedgerStanding {
    if let answer = answers[Attempt(token: token, request: request)] { return .answered(answer) }
    if let admission = admissions[attendee] { return .admitted(at: admission.at, gate: admission.gate) }
    return .fresh
  }

  package func admit(_ entry: LedgerEntry) -> Answer {
    if let answer = answers[Attempt(token: entry.token, request: entry.request)] { return answer }
    if let admission = admissions[entry.attendee] {
      return store(entry, Answer(.alreadyAdmitted, admittedAt: admission.at, gate: admission.gate))
    }
    admissions[entry.attendee] = (entry.time, entry.gate)
    return store(entry, Answer(.admitted, admittedAt: entry.time, gate: entry.gate))
  }

  package func refuse(_ entry: LedgerEntry, _ answer: Answer) -> Answer {
    precondition(!answer.isSuccess, "a refusal cannot be a success")
    return answers[Attempt(token: entry.token, request: entry.request)] ?? store(entry, answer)
  }

  package func record(_ failure: LedgerFailure) {
    failures.append(failure)
  }

  private func store(_ entry: LedgerEntry, _ answer: Answer) -> Answer {
    answers[Attempt(token: entry.token, request: entry.request)] = answer
    entries.append((entry, answer))
    return answer
  }
}
