internal import CheckInCore

extension Message {
  /// The case alone, to compare.
  var kind: String {
    switch self {
    case .hello: "hello"
    case .initialRequest: "initialRequest"
    case .pin: "pin"
    case .checkInRequest: "checkInRequest"
    case .notice: "notice"
    case .result: "result"
    case .cancel: "cancel"
    case .goodbye: "goodbye"
    }
  }
}
