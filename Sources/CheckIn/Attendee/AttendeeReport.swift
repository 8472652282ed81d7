public import CheckInCore

/// What an attendee tells its observer.
public enum AttendeeReport: Sendable {
  /// A connection is open.
  case connected(local: Endpoint, remote: Endpoint)
  /// The connection could not be made, or the session gave no answer; the same request is made again after the wait.
  case retrying(attempt: Int, after: Duration, because: String)
  /// No connection could be made, and it is not tried again. Where an earlier one was made (`wasReached`) the outcome is
  /// ``/CheckInCore/NoAnswer/unreachable``; otherwise ``Attendee/checkIn(at:over:)`` throws the error.
  case unreachable(Endpoint, TransportError, wasReached: Bool)
  /// Something of the session's.
  case session(AttendeeEvent)
}

/// Takes an attendee's reports, for a log or a program.
///
/// An implementation returns soon and never waits for the attendee.
public protocol AttendeeObserver: Sendable {
  /// Takes a report.
  func observe(_ report: AttendeeReport, at time: WallTime)
}

/// Shows an attendee's views, on whatever screen the phone has.
///
/// Calls come one after another. An implementation returns soon.
public protocol AttendeeDisplay: Sendable {
  /// Shows the view.
  func show(_ view: AttendeeView)
}
