/// What a kiosk's session wants done, in this order.
///
/// At most one question is open at a time: ``judgeToken(_:)``, ``consultLedger(attendee:token:request:)``,
/// ``judgeEvidence(_:authenticator:context:)``, ``admit(_:)``, ``refuse(_:_:)`` or ``recordFailure(_:)``. The last
/// action of every session is ``close`` or ``abort``, once, and ``KioskSession/isEnded`` is true from then on.
public enum KioskAction: Sendable {
  /// Send one frame with this body. If it cannot be sent, hand in ``KioskInput/peerLost``.
  case send([UInt8])
  /// Ask the token verifier; answer with ``KioskInput/tokenJudged(_:)``.
  case judgeToken([UInt8])
  /// Ask the ledger how things stand; answer with ``KioskInput/standing(_:)``.
  case consultLedger(attendee: String, token: Digest, request: RequestID)
  /// Ask that authenticator's verifier; answer with ``KioskInput/evidenceJudged(_:)``.
  case judgeEvidence([UInt8], authenticator: String, context: ConfirmationContext)
  /// Admit, durably; answer with ``KioskInput/stored(_:)``.
  case admit(LedgerEntry)
  /// Store a refusal, durably; answer with ``KioskInput/stored(_:)``.
  case refuse(LedgerEntry, Answer)
  /// Store a failure, durably; answer with ``KioskInput/failureRecorded``.
  case recordFailure(LedgerFailure)
  /// Hand this to ``KioskDesk/handle(_:from:now:)`` and carry out what it answers.
  case desk(DeskRequest)
  /// Start, or restart, a timer; when it runs out, hand in ``KioskInput/timerFired(_:)``.
  case startTimer(KioskTimer, Duration)
  /// Stop a timer, if it runs.
  case stopTimer(KioskTimer)
  /// Tell the observer.
  case report(KioskEvent)
  /// End the connection in good order, delivering what was sent. Stop every timer.
  case close
  /// End the connection now. Stop every timer.
  case abort
}
