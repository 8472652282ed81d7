/// What a peer did wrong: it ends the session at once, and nothing more is sent (R11).
///
/// It is coarse on purpose. A signature covers version, role, sequence number and everything said before, so a message
/// that was repeated, reordered, sent back or taken from another session simply is not signed for its place.
public enum SessionFault: Error, Hashable, Sendable {
  /// The bytes are no frame: a length of zero or above the limit, or an end in the middle.
  case framing
  /// The body is not a message of this protocol: truncated, not deterministic, or breaking a limit.
  case malformed
  /// The message is not what the other side signed for this place: repeated, reordered, reflected, foreign or changed.
  case notAuthentic
  /// The message's type is reserved and unknown to this version.
  case unknownType
  /// A genuine message that has no place here, such as a check-in request before a PIN.
  case unexpectedMessage
  /// The message names another request than this session's (R17).
  case wrongRequest
  /// The peer speaks no version that this side speaks, or chose one that was not offered (R10).
  case wrongVersion
  /// More came, while this side was at work, than a peer that follows the protocol can have to say.
  case flood

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .framing: "framing"
    case .malformed: "malformed"
    case .notAuthentic: "not_authentic"
    case .unknownType: "unknown_type"
    case .unexpectedMessage: "unexpected_message"
    case .wrongRequest: "wrong_request"
    case .wrongVersion: "wrong_version"
    case .flood: "flood"
    }
  }

  /// One sentence for people: what happened and what to make of it.
  public var text: String {
    switch self {
    case .framing: "The other side sent bytes that are no frame of this protocol; it may be another program."
    case .malformed: "The other side sent a message that cannot be read; it may be another program or version."
    case .notAuthentic: "A message was not genuine in its place: repeated, reordered, sent back, foreign or changed."
    case .unknownType: "The other side sent a message of a type that this version does not know."
    case .unexpectedMessage: "The other side sent a message that has no place at this point."
    case .wrongRequest: "The other side answered another request than the one that was made."
    case .wrongVersion: "The two sides have no protocol version in common; one of them needs an update."
    case .flood: "The other side sent more messages than could be meant at this point."
    }
  }
}
