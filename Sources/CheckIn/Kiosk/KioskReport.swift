public import CheckInCore

/// What a kiosk tells its observer.
public enum KioskReport: Sendable {
  /// It listens there; the endpoint is the real one.
  case listening(Endpoint)
  /// A connection was turned away before any session began (R19).
  case connectionRefused(from: Endpoint, DeskAdmission.Refusal)
  /// So many more were turned away than are reported one by one.
  case refusalsSuppressed(count: Int)
  /// The ledger could not do its work; the session that needed it ends with ``/CheckInCore/Reason/internal``, or, where only
  /// the record of it is lost, with ``/CheckInCore/Reason/alreadyAdmitted``.
  case ledgerFailed(LedgerError)
  /// A transport turned a peer away in its own handshake, before there was a connection: for its certificate, say (R23).
  case peerTurnedAway(from: Endpoint, TransportError)
  /// A listener failed to accept. It is asked again soon.
  case acceptFailed(Endpoint, TransportError)
  /// A listener ended by itself, after many failures to accept. The others go on.
  case listenerFailed(Endpoint, TransportError)
  /// The listener there is advertised: whoever is near can find it.
  case advertising(Endpoint)
  /// The listener there is not advertised, or not any more. It is tried again after some time; the kiosk serves all the same.
  case advertisingFailed(Endpoint, TransportError)
  /// One of the program's files is in force from the start on; the text says what is in it.
  case inForce(Part, String)
  /// The program has read one of its files again, and uses it from now on; the text says what is in it.
  case reloaded(Part, String)
  /// One of the program's files cannot be used as it is now; the text says why. What was read before stays in force.
  case reloadFailed(Part, String)
  /// Something of a session's.
  case session(KioskEvent)

  /// What a program may read again while its kiosk runs.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// Key and certificate.
    case container
    /// The list of what the organizer took back.
    case revocations
  }
}

/// Takes a kiosk's reports, for a log or a program.
///
/// Calls come from many tasks, in the order of events for each session. An implementation returns soon and never waits for
/// the kiosk.
public protocol KioskObserver: Sendable {
  /// Takes a report.
  func observe(_ report: KioskReport, at time: WallTime)
}

/// Shows a kiosk's views, on whatever screen it has.
///
/// Calls come one after another, each with the view that replaces the one before. An implementation returns soon.
public protocol KioskDisplay: Sendable {
  /// Shows the view.
  func show(_ view: KioskView)
}
