package import CheckIn
package import CheckInCore

/// Writes an attendee's reports as JSON, one object on each line. It is also the phone's screen: the PIN is there, and
/// nowhere else.
package struct AttendeeJSON: AttendeeObserver, AttendeeDisplay {
  private let output: JSONLine

  /// A writer.
  package init(to output: JSONLine = JSONLine()) {
    self.output = output
  }

  /// Writes one line.
  package func observe(_ report: AttendeeReport, at time: WallTime) {
    switch report {
    case .connected(let local, let remote):
      output.write(
        event: "connected", [JSONMember("local", .string("\(local)")), JSONMember("remote", .string("\(remote)"))])
    case .retrying(let attempt, let wait, let problem):
      output.write(
        event: "retrying",
        [
          JSONMember("attempt", .integer(Int64(attempt))),
          JSONMember(
            "after_milliseconds",
            .integer(wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000)),
          JSONMember("message", .string(problem)),
        ])
    case .unreachable(let endpoint, let error, let wasReached):
      let why = NoAnswer.unreachable
      output.write(
        event: wasReached ? AttendeeEvent.noAnswer(why).name : "unreachable",
        (wasReached ? [JSONMember("reason", .string(why.rawValue))] : []) + [
          JSONMember("endpoint", .string("\(endpoint)")), JSONMember("code", .string("\(error.code)")),
          JSONMember("message", .string(wasReached ? "\(why.text) \(error.message)" : error.message)),
        ])
    case .session(let event):
      output.write(event: event.name, event.members)
    }
  }

  /// Writes the PIN, when it is to be shown; everything else is in the reports.
  package func show(_ view: AttendeeView) {
    guard case .pin(let shown) = view else { return }
    output.write(
      event: "pin",
      [
        JSONMember("pin", .text(shown.pin.digits)),
        JSONMember("attempts_left", .integer(Int64(shown.attemptsLeft))),
      ])
  }
}

extension AttendeeEvent {
  fileprivate var members: [JSONMember] {
    switch self {
    case .kiosk(let kiosk):
      [
        JSONMember("name", .string(kiosk.kiosk)), JSONMember("gate", .string(kiosk.gate)),
        JSONMember("event_name", .string(kiosk.event)),
        JSONMember("session", .string(hexadecimal(kiosk.session.value.bytes))),
      ]
    case .initialRequest(let request): [JSONMember("request", .string(hexadecimal(request.value.bytes)))]
    case .pinReceived(let left): [JSONMember("attempts_left", .integer(Int64(left)))]
    case .confirmed(let authenticator): [JSONMember("authenticator", .string(authenticator))]
    case .keypad(let cause): [JSONMember("reason", .optional(cause?.rawValue))]
    case .notice(let notice): notice.members
    case .result(let answer): answer.members
    case .noAnswer(let why): [JSONMember("reason", .string(why.rawValue)), JSONMember("message", .string(why.text))]
    case .kioskRefused(let why):
      [JSONMember("reason", .string(why.rawValue)), JSONMember("message", .string(why.text))]
    case .protocolError(let fault):
      [JSONMember("fault", .string(fault.name)), JSONMember("message", .string(fault.text))]
    case .sessionEnded(let how): how.members
    }
  }
}

extension Message.Notice {
  fileprivate var members: [JSONMember] {
    switch self {
    case .waiting(let ahead): [JSONMember("notice", "waiting"), JSONMember("ahead", .integer(Int64(ahead)))]
    case .onScreen: [JSONMember("notice", "on_screen")]
    case .wrongPIN(let left): [JSONMember("notice", "wrong_pin"), JSONMember("attempts_left", .integer(Int64(left)))]
    case .confirmationFailed(let left):
      [JSONMember("notice", "confirmation_failed"), JSONMember("attempts_left", .integer(Int64(left)))]
    }
  }
}

extension Answer {
  /// The answer, for a line of JSON.
  fileprivate var members: [JSONMember] {
    var members = [
      JSONMember("success", .bool(isSuccess)), JSONMember("reason", .string(reason.name)),
      JSONMember("message", .string(reason.text)),
    ]
    if let admittedAt {
      members.append(
        JSONMember("admitted_at", .string(Timestamp.text(seconds: admittedAt.secondsSince1970, milliseconds: 0))))
    }
    if let gate { members.append(JSONMember("gate", .string(gate))) }
    if let retryAfter { members.append(JSONMember("retry_after_seconds", .integer(retryAfter.components.seconds))) }
    return members
  }
}
