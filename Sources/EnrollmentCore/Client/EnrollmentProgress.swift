public import CheckInCore

/// How far a client is, as it is kept on its disk: where it goes on after it was stopped, at whatever instant.
///
/// From ``enrolled`` on the server's status says what comes next.
public enum EnrollmentProgress: Sendable {
  /// Nothing was begun.
  case fresh
  /// A message with a code is on its way to this number.
  case codeSent(phone: String)
  /// The code was typed; whether the server has had it is not known.
  case registering(phone: String, request: RequestID, code: FourDigits)
  /// The server has said where the container is.
  case granted(url: String, token: SecretBytes)
  /// The container is here, and its token beside it.
  case enrolled
  /// The person has set a PIN; the token is not here any more, only what the PIN makes it of.
  case sealed
}
