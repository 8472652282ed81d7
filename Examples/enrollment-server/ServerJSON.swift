internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport

/// Writes what happens at the server: as JSON, or as lines for people. No phone number, code, PIN or token is among it.
struct ServerJSON: EnrollmentServerObserver {
  let isJSON: Bool

  func observe(_ report: EnrollmentServerReport, at time: WallTime) {
    if isJSON {
      JSONLine().write(event: report.name, report.members)
    } else if let text = report.text {
      LineOutput.standardOutput.writeLine("\(time.rfc3339) \(text)")
    }
  }

  /// Says whom the handshake turned away.
  func observe(turnedAway peer: Endpoint, _ error: TransportError) {
    if isJSON {
      JSONLine().write(
        event: "peer_turned_away",
        [
          JSONMember("peer", .string("\(peer)")), JSONMember("code", .string("\(error.code)")),
          JSONMember("message", .string(error.message)),
        ])
    } else {
      LineOutput.standardOutput.writeLine("\(Timestamp.wallTime.rfc3339) turned away \(peer): \(error.message)")
    }
  }
}

extension EnrollmentServerReport {
  fileprivate var name: String {
    switch self {
    case .listening: "listening"
    case .acceptFailed: "accept_failed"
    case .listenerFailed: "listener_failed"
    case .refused: "connection_refused"
    case .codeSent: "code_sent"
    case .failed: "failed"
    case .session(_, .opened): "opened"
    case .session(_, .asked): "asked"
    case .session(_, .answered): "answered"
    case .session(_, .ended): "session_ended"
    }
  }

  fileprivate var members: [JSONMember] {
    switch self {
    case .listening(let endpoint): return [JSONMember("endpoint", .string("\(endpoint)"))]
    case .acceptFailed(let endpoint, let error), .listenerFailed(let endpoint, let error):
      return [
        JSONMember("endpoint", .string("\(endpoint)")), JSONMember("code", .string("\(error.code)")),
        JSONMember("message", .string(error.message)),
      ]
    case .refused(let peer, let reason):
      return [JSONMember("peer", .string("\(peer)")), JSONMember("reason", .string(reason))]
    case .codeSent(let number): return [JSONMember("number_hash", .string(number))]
    case .failed(let operation, let message):
      return [JSONMember("operation", .string(operation.rawValue)), JSONMember("message", .string(message))]
    case .session(let peer, let event): return [JSONMember("peer", .string("\(peer)"))] + event.members
    }
  }

  /// A line for people; nil: it is of no interest to them.
  fileprivate var text: String? {
    switch self {
    case .listening(let endpoint): return "listening at \(endpoint)"
    case .acceptFailed(let endpoint, let error):
      return "a client at \(endpoint) could not be accepted: \(error.message)"
    case .listenerFailed(let endpoint, let error): return "\(endpoint) failed: \(error.message)"
    case .refused(let peer, let reason): return "refused \(peer): \(reason)"
    case .codeSent(let number): return "a code is on its way to the number \(number)"
    case .failed(let operation, let message): return "\(operation.rawValue) failed: \(message)"
    // A picture has hundreds of pieces; the last one has a status.
    case .session(_, .answered(.passport, .done, nil)), .session(_, .answered(.selfie, .done, nil)): return nil
    case .session(let peer, .answered(let operation, let result, let status)):
      return "\(peer): \(operation.rawValue): \(result.name)\(status.map { ", status \($0.rawValue)" } ?? "")"
    case .session: return nil
    }
  }
}

extension EnrollmentServerEvent {
  fileprivate var members: [JSONMember] {
    switch self {
    case .opened(.installation, let client):
      [JSONMember("container", "installation"), JSONMember("client", .string(client.prefix))]
    case .opened(.personal(let account, _), let client):
      [
        JSONMember("container", "personal"), JSONMember("account", .string(account)),
        JSONMember("client", .string(client.prefix)),
      ]
    case .asked(let operation): [JSONMember("operation", .string(operation.rawValue))]
    case .answered(let operation, let result, let status):
      [
        JSONMember("operation", .string(operation.rawValue)), JSONMember("result", .string(result.name)),
      ] + status.members
    case .ended(let how): how.members
    }
  }
}
