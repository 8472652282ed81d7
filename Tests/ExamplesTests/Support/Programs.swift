internal import TestSupport

/// The programs as a test starts them.
extension ChildProcess {
  /// Runs a kiosk for JSON until it listens, hands it to `body`, and ends it.
  static func kiosk<Value>(
    _ event: TestEvent, identity: String? = nil, listen: [String] = ["tcp://127.0.0.1:0"],
    ledger: String? = nil, _ more: [String] = [], body: (ChildProcess) async throws -> Value
  ) async throws -> Value {
    let arguments = try kioskArguments(event, identity: identity, listen: listen, ledger: ledger) + ["--json"] + more
    return try await run("kiosk", arguments) { kiosk in
      try await kiosk.event("listening", listen.count)
      return try await body(kiosk)
    }
  }

  /// What a kiosk of this event is started with.
  static func kioskArguments(
    _ event: TestEvent, identity: String? = nil, listen: [String] = ["tcp://127.0.0.1:0"], ledger: String? = nil
  ) throws -> [String] {
    listen.flatMap { ["--listen", $0] }
      + ["--identity", try identity ?? event.kiosk(), "--issuer", event.issuerFile, "--insecure-plaintext"]
      + (ledger.map { ["--ledger", $0] } ?? [])
  }

  /// Runs an attendee for JSON at the kiosk's address for the time of `body`.
  static func attendee<Value>(
    _ event: TestEvent, _ ticket: String, at endpoint: String, _ more: [String] = [],
    body: (ChildProcess) async throws -> Value
  ) async throws -> Value {
    try await run("attendee", attendeeArguments(event, ticket, at: endpoint) + ["--json"] + more, body: body)
  }

  /// Lets an attendee check in without anybody who helps.
  static func visit(
    _ event: TestEvent, _ ticket: String, at endpoint: String, _ more: [String] = []
  ) async throws -> FinishedProcess {
    try await attendee(event, ticket, at: endpoint, more) { try await $0.finished() }
  }

  /// What an attendee of this event is started with.
  static func attendeeArguments(_ event: TestEvent, _ ticket: String, at endpoint: String) -> [String] {
    ["--connect", endpoint, "--ticket", ticket, "--issuer", event.issuerFile, "--insecure-plaintext"]
  }

  /// Where the kiosk listens: the first address, or the first with this scheme.
  func endpoint(_ scheme: String = "") throws -> String {
    guard let endpoint = events("listening").compactMap({ $0["endpoint"] }).first(where: { $0.hasPrefix(scheme) })
    else { throw ProcessFailure("The kiosk does not listen on “\(scheme)”.") }
    return endpoint
  }
}

extension FinishedProcess {
  /// The reason of the attendee's result.
  var reason: String? { events("result").first?["reason"] }
}
