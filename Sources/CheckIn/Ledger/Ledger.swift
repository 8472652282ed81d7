public import CheckInCore

/// Where admissions and refusals are kept.
///
/// - **D1** When ``admit(_:)`` or ``refuse(_:answer:)`` returns, the entry is durable: it is there after a crash of the
///   process or the machine (R22).
/// - **D2** ``admit(_:)`` is atomic over every kiosk that shares the ledger: of any number of attempts for one attendee
///   exactly one gets ``/CheckInCore/Reason/admitted``, the others ``/CheckInCore/Reason/alreadyAdmitted`` with that time
///   and gate.
/// - **D3** One token and request identifier has one answer for ever: whichever call came first decides, and every later
///   one gets that answer, also after a restart (R18).
/// - **D4** A call that throws has stored nothing that a later call could find.
/// - **D5** Calls come from many tasks at once; none blocks its thread; a call that waits for a lock or disk ends in bounded time.
///
/// Attendees, gates and kiosks are compared byte by byte: two spellings of one text in Unicode are two texts.
public protocol Ledger: Sendable {
  /// How an attendee and request stand.
  func standing(
    ofAttendee attendee: String, token: Digest, request: RequestID
  ) async throws(LedgerError) -> LedgerStanding

  /// Admits the attendee, unless the request has its answer or the attendee is in already; stores and returns the answer.
  func admit(_ entry: LedgerEntry) async throws(LedgerError) -> Answer

  /// Stores a refusal, unless the request has its answer already; returns the stored answer.
  ///
  /// - Precondition: `answer` is not a success.
  func refuse(_ entry: LedgerEntry, answer: Answer) async throws(LedgerError) -> Answer

  /// Stores a failure (R3), as durable as an admission.
  func record(_ failure: LedgerFailure) async throws(LedgerError)

  /// The failures at or after `time`, oldest first.
  func failures(since time: WallTime) async throws(LedgerError) -> [LedgerFailure]

  /// Finishes what was begun and frees every resource. Later calls throw ``LedgerError/Code/closed``.
  func close() async
}
