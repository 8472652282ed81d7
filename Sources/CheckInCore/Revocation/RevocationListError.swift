/// Why bytes are not a list of what was taken back that a kiosk may use, or why one cannot be made.
public enum RevocationListError: Error, Hashable, Sendable {
  /// They do not even begin like one.
  case notAList
  /// They begin like one and cannot be decoded, or the content is not what version 1 wants; with what is wrong.
  case malformed(String)
  /// The issuer's signature is not on them, or it is on something else than a list.
  case forged
  /// The issuer signed it for another event, which is named.
  case wrongEvent(String)
  /// A newer list was there before: somebody may be putting an old one in its place.
  case older(number: Int64, than: Int64)
  /// Another list with the same number is in force.
  case sameNumber(Int64)
  /// A part of a list that should be signed is larger than allowed, or empty where it must not be.
  case limitExceeded
  /// The issuer's key could not sign; with its explanation.
  case signingFailed(String)

  /// What is wrong, for people.
  public var message: String {
    switch self {
    case .notAList: "This is not a list of what was taken back."
    case .malformed(let what): "The list is damaged: \(what)."
    case .forged: "The list is not signed by this event's issuer."
    case .wrongEvent(let event): "The list is for the event “\(event)”."
    case .older(let number, let newer):
      "The list has number \(number), and one with number \(newer) was used before: this is an old one."
    case .sameNumber(let number): "The list has number \(number), and another list with that number is in use."
    case .limitExceeded: "A part of the list is empty or larger than allowed."
    case .signingFailed(let why): why
    }
  }
}
