import CheckIn
import CheckInCore
import InMemoryLedger
import Synchronization

/// A transport that moves nothing, and declares nothing that would keep a PIN private.
struct ReadableTransport: Transport {
  var scheme: String { "readable" }
  var capabilities: TransportCapabilities { [] }

  func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection {
    throw TransportError(.refused, "Nobody listens at \(endpoint).")
  }

  func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    throw TransportError(.addressUnavailable, "\(endpoint) is nobody's.")
  }
}

/// A ledger that can be broken and mended.
final class FailingLedger: Ledger {
  let isBroken = Atomic(false)
  private let ledger = InMemoryLedger()

  private func check() throws(LedgerError) {
    guard !isBroken.load(ordering: .relaxed) else { throw LedgerError(.full, "The disk is full.") }
  }

  func standing(
    ofAttendee attendee: String, token: Digest, request: RequestID
  ) async throws(LedgerError) -> LedgerStanding {
    try check()
    return try await ledger.standing(ofAttendee: attendee, token: token, request: request)
  }

  func admit(_ entry: LedgerEntry) async throws(LedgerError) -> Answer {
    try check()
    return try await ledger.admit(entry)
  }

  func refuse(_ entry: LedgerEntry, answer: Answer) async throws(LedgerError) -> Answer {
    try check()
    return try await ledger.refuse(entry, answer: answer)
  }

  func record(_ failure: LedgerFailure) async throws(LedgerError) {
    try check()
    try await ledger.record(failure)
  }

  func failures(since time: WallTime) async throws(LedgerError) -> [LedgerFailure] {
    try await ledger.failures(since: time)
  }

  func close() async {
    await ledger.close()
  }
}
