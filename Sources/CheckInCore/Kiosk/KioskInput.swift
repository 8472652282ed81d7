/// What can happen to a kiosk's session.
///
/// An answer to a question (``tokenJudged(_:)``, ``standing(_:)``, ``stored(_:)``, ``failureRecorded``,
/// ``ledgerFailed``, ``evidenceJudged(_:)``) comes once, after the action that asked. One that comes after the session
/// has moved on is ignored; one that nobody can have asked for is a programming error and traps.
public enum KioskInput: Sendable {
  /// The connection is open. First, and once. A busy session says ``Reason/busy`` to every genuine request
  /// (``DeskAdmission/acceptBusy``).
  case start(isBusy: Bool)
  /// One whole frame body came from the phone.
  case received([UInt8])
  /// What came from the phone is no frame.
  case framingFailed
  /// Answers ``KioskAction/judgeToken(_:)``.
  case tokenJudged(TokenVerdict)
  /// Answers ``KioskAction/consultLedger(attendee:token:request:)``.
  case standing(LedgerStanding)
  /// Answers ``KioskAction/admit(_:)`` and ``KioskAction/refuse(_:_:)`` with what the ledger now holds, durably (R22).
  case stored(Answer)
  /// Answers ``KioskAction/recordFailure(_:)``: the failure is durable.
  case failureRecorded
  /// Answers any of the ledger's actions: it could not do it.
  case ledgerFailed
  /// Answers ``KioskAction/judgeEvidence(_:authenticator:context:)``.
  case evidenceJudged(Bool)
  /// The desk has something for this session.
  case desk(DeskNote)
  /// A timer ran out. One that was stopped or restarted in the same instant does no harm.
  case timerFired(KioskTimer)
  /// The phone ended its direction.
  case peerFinished
  /// The connection broke.
  case peerLost
  /// The kiosk stops: end soon, in good order.
  case stop
}
