package import CheckIn
package import CheckInCore

/// Writes a kiosk's reports as JSON, one object on each line. No PIN, token or key is ever among them.
package struct KioskJSON: KioskObserver {
  private let output: JSONLine

  /// A writer.
  package init(to output: JSONLine = JSONLine()) {
    self.output = output
  }

  /// Writes one line.
  package func observe(_ report: KioskReport, at time: WallTime) {
    output.write(event: report.name, report.members)
  }
}

extension KioskReport {
  /// The event's name in JSON.
  package var name: String {
    switch self {
    case .listening: "listening"
    case .connectionRefused: "connection_refused"
    case .refusalsSuppressed: "connections_refused_suppressed"
    case .ledgerFailed: "ledger_failed"
    case .peerTurnedAway: "peer_turned_away"
    case .acceptFailed: "accept_failed"
    case .listenerFailed: "listener_failed"
    case .advertising: "advertising"
    case .advertisingFailed: "advertising_failed"
    case .inForce: "in_force"
    case .reloaded: "reloaded"
    case .reloadFailed: "reload_failed"
    case .session(let event): event.name
    }
  }

  /// What else the line says.
  package var members: [JSONMember] {
    switch self {
    case .listening(let endpoint), .advertising(let endpoint): [JSONMember("endpoint", .string("\(endpoint)"))]
    case .connectionRefused(let peer, let why):
      [JSONMember("peer", .string("\(peer)")), JSONMember("reason", .string(why.rawValue))]
    case .refusalsSuppressed(let count): [JSONMember("count", .integer(Int64(count)))]
    case .ledgerFailed(let error):
      [JSONMember("code", .string("\(error.code)")), JSONMember("message", .string(error.message))]
    case .peerTurnedAway(let peer, let error):
      [
        JSONMember("peer", .string("\(peer)")), JSONMember("code", .string("\(error.code)")),
        JSONMember("message", .string(error.message)),
      ]
    case .acceptFailed(let endpoint, let error), .listenerFailed(let endpoint, let error),
      .advertisingFailed(let endpoint, let error):
      [
        JSONMember("endpoint", .string("\(endpoint)")), JSONMember("code", .string("\(error.code)")),
        JSONMember("message", .string(error.message)),
      ]
    case .inForce(let part, let text), .reloaded(let part, let text), .reloadFailed(let part, let text):
      [JSONMember("what", .string(part.rawValue)), JSONMember("message", .string(text))]
    case .session(let event): event.members
    }
  }
}

extension KioskEvent {
  fileprivate var members: [JSONMember] {
    let session = self.session.map { [JSONMember("session", .string(hexadecimal($0.value.bytes)))] } ?? []
    return session + details
  }

  private var details: [JSONMember] {
    switch self {
    case .initialRequest(_, let attendee, let name):
      [JSONMember("attendee", .string(attendee)), JSONMember("name", .string(name))]
    case .invalidToken(_, let token, let why):
      [JSONMember("token_sha256", .string(token)), JSONMember("reason", .string(why.rawValue))]
    case .invalidTokensSuppressed(let count): [JSONMember("count", .integer(Int64(count)))]
    case .pinIssued(_, let attendee): [JSONMember("attendee", .string(attendee))]
    case .wrongPIN(_, let attendee, let left), .confirmationFailed(_, let attendee, let left):
      [JSONMember("attendee", .string(attendee)), JSONMember("attempts_left", .integer(Int64(left)))]
    case .checkedIn(_, let attendee, let name, let gate, let time):
      [
        JSONMember("attendee", .string(attendee)), JSONMember("name", .string(name)),
        JSONMember("gate", .string(gate)),
        JSONMember("admitted_at", .string(Timestamp.text(seconds: time.secondsSince1970, milliseconds: 0))),
      ]
    case .checkInFailed(_, let attendee, let name, let reason):
      [
        JSONMember("attendee", .string(attendee)), JSONMember("name", .string(name)),
        JSONMember("reason", .string(reason.name)),
      ]
    case .answeredAgain(_, let attendee, let reason):
      [JSONMember("attendee", .string(attendee)), JSONMember("reason", .string(reason.name))]
    case .protocolError(_, let fault):
      [JSONMember("fault", .string(fault.name)), JSONMember("message", .string(fault.text))]
    case .sessionEnded(_, let how): how.members
    }
  }
}
