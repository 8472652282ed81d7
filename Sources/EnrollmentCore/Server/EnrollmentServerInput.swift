public import CheckInCore

/// What can happen to a server's session.
public enum EnrollmentServerInput: Sendable {
  /// The connection is open. First, and once.
  case start
  /// One whole frame body came from the client.
  case received([UInt8])
  /// What came from the client is no frame.
  case framingFailed
  /// Answers ``EnrollmentServerAction/perform(_:)``.
  case answered(EnrollmentAnswer)
  /// A timer ran out. One that was stopped or restarted in the same instant does no harm.
  case timerFired(EnrollmentServerTimer)
  /// The client ended its direction.
  case peerFinished
  /// The connection broke.
  case peerLost
  /// The server stops: what is being worked at gets its answer.
  case stop
}

/// What a server's session wants done, in this order. The last action is ``close`` or ``abort``, once.
public enum EnrollmentServerAction: Sendable {
  /// Send one frame with this body. If it cannot be sent, hand in ``EnrollmentServerInput/peerLost``.
  case send([UInt8])
  /// Do it; answer with ``EnrollmentServerInput/answered(_:)``. At most one is open.
  case perform(EnrollmentOrder)
  /// Start, or restart, a timer.
  case startTimer(EnrollmentServerTimer, Duration)
  /// Stop a timer, if it runs.
  case stopTimer(EnrollmentServerTimer)
  /// Tell the observer.
  case report(EnrollmentServerEvent)
  /// End the connection in good order. Stop every timer.
  case close
  /// End the connection now. Stop every timer.
  case abort
}

/// The timers of a server's session.
public enum EnrollmentServerTimer: String, Hashable, Sendable, CaseIterable {
  /// The wait for the opening.
  case opening
  /// The wait for a request.
  case idle
  /// The wait for the client's goodbye.
  case goodbye
}

/// The bounds of a server's session.
public struct EnrollmentServerSettings: Hashable, Sendable {
  /// How long the client may take for its opening.
  public var openingWait: Duration = .seconds(10)
  /// How long it may take for a request.
  public var idleWait: Duration = .seconds(120)
  /// How long the server waits for its goodbye.
  public var goodbyeWait: Duration = .seconds(2)

  /// The protocol's values.
  public init() {}
}

/// What a server's session tells its observer. It holds no phone number, code, token or PIN.
public enum EnrollmentServerEvent: Sendable {
  /// Somebody came, and is who the certificate says; the client by a hash of its identifier.
  case opened(EnrollmentPeer, client: Digest)
  /// An operation was asked for.
  case asked(EnrollmentOperation)
  /// It was answered.
  case answered(EnrollmentOperation, EnrollmentResult, EnrollmentStatus?)
  /// The session is over.
  case ended(SessionEnd)
}
