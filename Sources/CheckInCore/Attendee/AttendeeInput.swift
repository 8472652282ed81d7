/// What can happen to an attendee's session.
public enum AttendeeInput: Sendable {
  /// The connection is open. First, and once.
  case start
  /// One whole frame body came from the kiosk.
  case received([UInt8])
  /// What came from the kiosk is no frame.
  case framingFailed
  /// Answers ``AttendeeAction/askConfirmation(authenticator:context:)``. One that comes too late is ignored.
  case confirmation(Confirmation)
  /// A timer ran out. One that was stopped or restarted in the same instant does no harm.
  case timerFired(AttendeeTimer)
  /// The kiosk ended its direction.
  case peerFinished
  /// The connection broke.
  case peerLost
  /// The person, or the program, gives up. The kiosk is told where it can be, and its answer, if it comes in time, still counts.
  case cancel
}

/// What an attendee's session wants done, in this order.
///
/// ``finish(_:)`` comes once, and the last action of every session is ``close`` or ``abort``, once;
/// ``AttendeeSession/isEnded`` is true from then on.
public enum AttendeeAction: Sendable {
  /// Send one frame with this body. If it cannot be sent, hand in ``AttendeeInput/peerLost``.
  case send([UInt8])
  /// Ask the person by that authenticator's prover; answer with ``AttendeeInput/confirmation(_:)``. At most one is open.
  case askConfirmation(authenticator: String, context: ConfirmationContext)
  /// The question to the person is pointless now: cancel it. No answer is needed, and one does no harm. Without an open
  /// question there is nothing to do.
  case stopAsking
  /// Show this on the phone's screen.
  case show(AttendeeView)
  /// Start, or restart, a timer; when it runs out, hand in ``AttendeeInput/timerFired(_:)``.
  case startTimer(AttendeeTimer, Duration)
  /// Stop a timer, if it runs.
  case stopTimer(AttendeeTimer)
  /// Tell the observer.
  case report(AttendeeEvent)
  /// This is how the attempt ended. The session only says goodbye after it.
  case finish(AttendeeOutcome)
  /// End the connection in good order, delivering what was sent. Stop every timer.
  case close
  /// End the connection now. Stop every timer.
  case abort
}
