package import CheckInCore
package import Enrollment
package import EnrollmentCore

/// An enrollment's screens, questions and reports as JSON, one object on each line. No number, code, PIN or token is among them.
package struct EnrollmentJSON: EnrollmentDisplay, EnrollmentObserver {
  private let output: JSONLine

  /// A writer.
  package init(to output: JSONLine = JSONLine()) {
    self.output = output
  }

  /// Writes one line.
  package func show(_ screen: EnrollmentScreen) {
    output.write(event: "screen", [JSONMember("screen", .string(screen.name))] + screen.members)
  }

  /// Writes one line.
  package func ask(_ dialog: EnrollmentDialog) {
    output.write(
      event: "dialog", [JSONMember("dialog", .string(dialog.name)), JSONMember("text", .string(dialog.text))])
  }

  /// Writes one line.
  package func observe(_ report: EnrollmentReport, at time: WallTime) {
    switch report {
    case .connected(let remote, let isPersonal, let service):
      output.write(
        event: "connected",
        [
          JSONMember("remote", .string("\(remote)")),
          JSONMember("container", .string(isPersonal ? "personal" : "installation")),
          JSONMember("service", .string(service)),
        ])
    case .connectionFailed(let failure, let message):
      output.write(
        event: "connection_failed",
        [JSONMember("failure", .string(failure.name)), JSONMember("message", .string(message))])
    case .session(let event): output.write(event: event.name, event.members)
    case .finished(let outcome):
      output.write(event: "finished", [JSONMember("outcome", .string(outcome.name))] + outcome.members)
    }
  }
}

extension EnrollmentScreen {
  /// The screen's name in JSON.
  package var name: String {
    switch self {
    case .phone: "phone"
    case .code: "code"
    case .waiting: "waiting"
    case .passportNumber: "passport_number"
    case .camera: "camera"
    case .uploading: "uploading"
    case .processing: "processing"
    case .choosePIN: "choose_pin"
    case .login: "login"
    case .account: "account"
    case .locked: "locked"
    case .unknownStatus: "unknown_status"
    }
  }

  fileprivate var members: [JSONMember] {
    switch self {
    case .phone, .passportNumber, .processing, .locked: []
    case .code(_, let entered), .login(let entered): [JSONMember("entered", .integer(Int64(entered)))]
    case .waiting(let operation): [JSONMember("operation", .string(operation.rawValue))]
    case .camera(let kind, let reason):
      [JSONMember("picture", .string(kind.name)), JSONMember("reason", .optional(reason))]
    case .uploading(let kind, let sent, let size):
      [
        JSONMember("picture", .string(kind.name)), JSONMember("sent", .integer(Int64(clamping: sent))),
        JSONMember("size", .integer(Int64(clamping: size))),
      ]
    case .choosePIN(let entered, let again):
      [JSONMember("entered", .integer(Int64(entered))), JSONMember("again", .bool(again))]
    case .account(let name, let status):
      [JSONMember("name", .optional(name)), JSONMember("status", .string("\(status.rawValue)"))]
    case .unknownStatus(let status): [JSONMember("status", .string("\(status.rawValue)"))]
    }
  }
}

extension EnrollmentFailure {
  /// The name in JSON and logs.
  package var name: String {
    switch self {
    case .connection: "connection"
    case .certificateRefused: "certificate_refused"
    case .containerLocked: "container_locked"
    case .fault(let fault): fault.name
    }
  }
}

extension EnrollmentEvent {
  fileprivate var name: String {
    switch self {
    case .asked: "asked"
    case .answered: "answered"
    case .failed: "failed"
    case .timedOut: "timed_out"
    case .unknownStatus: "unknown_status"
    }
  }

  fileprivate var members: [JSONMember] {
    switch self {
    case .asked(let operation), .timedOut(let operation): [JSONMember("operation", .string(operation.rawValue))]
    case .answered(let operation, let result, let status):
      [
        JSONMember("operation", .string(operation.rawValue)), JSONMember("result", .string(result.name)),
      ] + status.members
    case .failed(let operation, let failure):
      [JSONMember("operation", .string(operation.rawValue)), JSONMember("failure", .string(failure.name))]
    case .unknownStatus(let status): [JSONMember("status", .string("\(status.rawValue)"))]
    }
  }
}

extension EnrollmentStatus? {
  /// The status for a line of JSON, as text: it may be any number.
  package var members: [JSONMember] {
    map { [JSONMember("status", .string("\($0.rawValue)"))] } ?? []
  }
}

extension EnrollmentOutcome {
  fileprivate var members: [JSONMember] {
    switch self {
    case .loggedIn(let name): [JSONMember("name", .optional(name))]
    case .unknownStatus(let status): [JSONMember("status", .string("\(status.rawValue)"))]
    case .fault(let fault): [JSONMember("detail", .string(fault.name))]
    case .stopped, .locked, .certificateRefused: []
    }
  }

  /// What to tell the shell.
  package var exitStatus: ExitStatus {
    switch self {
    case .loggedIn: .success
    case .stopped, .locked: .refused
    case .unknownStatus, .fault: .protocol
    case .certificateRefused: .unavailable
    }
  }
}
