internal import CheckIn
internal import Synchronization

/// One run of one check: what it expects is recorded here, and what it opens is closed by it in the end.
final class ConformanceRun: Sendable {
  /// Ends a check whose failure has been recorded.
  struct Stop: Error {}

  private struct Opened {
    weak let connection: (any Connection)?
  }

  private struct State {
    var failures: [ConformanceFailure] = []
    var step: String?
    var connections: [Opened] = []
    var listeners: [any Listener] = []
    var endings: [@Sendable () async -> Void] = []
    var isOver = false
  }

  let subject: ConformanceSubject
  /// The calls that have not returned.
  let watch: CallWatch
  private let state = Mutex(State())

  init(_ subject: ConformanceSubject) {
    self.subject = subject
    watch = CallWatch(grace: .seconds(3) * subject.timeFactor)
  }

  // MARK: Time

  /// How long something that should work at once may take.
  var patience: Duration { scaled(.seconds(8)) }

  /// When ``patience`` ends.
  var deadline: Deadline { .now + patience }

  /// A duration, multiplied by the subject’s factor.
  func scaled(_ duration: Duration) -> Duration { duration * subject.timeFactor }

  /// A point in time, by a duration that is multiplied by the subject’s factor.
  func after(_ duration: Duration) -> Deadline { .now + scaled(duration) }

  // MARK: Amounts

  /// An amount of bytes or of rounds, multiplied by the subject’s factor; at least 1.
  func volume(_ amount: Int) -> Int { max(1, Int(Double(amount) * subject.volumeFactor)) }

  /// Says what the check does now, for the case that it hangs there.
  func step(_ text: String) {
    state.withLock { $0.step = text }
  }

  // MARK: Failures

  var failures: [ConformanceFailure] { state.withLock { $0.failures } }

  func record(expected: String, happened: String, file: String = #fileID, line: Int = #line) {
    let failure = ConformanceFailure(expected: expected, happened: happened, place: "\(file):\(line)")
    state.withLock { state in
      // What a body that was left behind still finds is not this run’s any more.
      if !state.isOver { state.failures.append(failure) }
    }
  }

  func record(thrown error: any Error) {
    if error is Stop { return }
    let place = state.withLock { $0.step } ?? watch.waiting.last.map { "\($0)" } ?? "the check"
    record(expected: "\(place) to work", happened: "it threw \(error.text)")
  }

  func recordHang(bound: Duration) {
    record(expected: "the whole check to end within \(bound.text)", happened: "it had not; \(whereabouts)")
  }

  /// Records a call that did not return although its deadline is past; false when there is none.
  func recordOverdue() -> Bool {
    guard let call = watch.overdue() else { return false }
    record(
      expected: "\(call) to return by its deadline",
      happened: "\(call.name) did not return within \(watch.grace.text) after its deadline")
    return true
  }

  /// Where the check is: the step that it has named, and the calls that have not returned, or the last that has.
  private var whereabouts: String {
    let step = state.withLock { $0.step }
    let (calls, last) = watch.waiting
    var parts = step.map { ["it was at: \($0)"] } ?? []
    if !calls.isEmpty {
      let shown = calls.prefix(5).map { "\($0)" }.joined(separator: ", ")
      let more = calls.count > 5 ? ", and \(calls.count - 5) more" : ""
      parts.append("not returned: \(shown)\(more)")
    } else if let last {
      parts.append("every call had returned, the last was: \(last)")
    } else {
      parts.append("it had called nothing of the transport")
    }
    return parts.joined(separator: "; ")
  }

  /// Records a failure unless the condition holds.
  func expect(
    _ condition: Bool, _ expected: String, _ happened: @autoclosure () -> String = "it is not so",
    file: String = #fileID, line: Int = #line
  ) {
    if !condition { record(expected: expected, happened: happened(), file: file, line: line) }
  }

  /// Records a failure and ends the check unless the condition holds.
  func require(
    _ condition: Bool, _ expected: String, _ happened: @autoclosure () -> String = "it is not so",
    file: String = #fileID, line: Int = #line
  ) throws {
    expect(condition, expected, happened(), file: file, line: line)
    if !condition { throw Stop() }
  }

  /// Records a failure unless the bytes are those that were sent.
  func expect(
    _ bytes: [UInt8], are sent: [UInt8], _ what: String, file: String = #fileID, line: Int = #line
  ) {
    expect(
      bytes == sent, "\(what): the \(sent.count) bytes that were sent", bytes.difference(from: sent), file: file,
      line: line)
  }

  /// Records a failure unless the call throws a transport error with one of the codes, within ``patience``.
  func expectError(
    _ codes: TransportError.Code..., from what: String, within time: Duration? = nil, file: String = #fileID,
    line: Int = #line, _ body: @escaping @Sendable () async throws -> some Sendable
  ) async {
    let result = await outcome(of: what, within: time, file: file, line: line, body)
    if let result { expect(result, fails: codes, what, file: file, line: line) }
  }

  /// Records a failure unless the result is a transport error with one of the codes.
  func expect(
    _ result: Result<some Sendable, any Error>, fails codes: [TransportError.Code], _ what: String,
    file: String = #fileID, line: Int = #line
  ) {
    let expected = "\(what) throws \(codes.map(\.description).joined(separator: " or "))"
    switch result {
    case .success(let value):
      record(
        expected: expected, happened: value is () ? "it returned" : "it returned \(value)", file: file, line: line)
    case .failure(let error as TransportError):
      expect(codes.contains(error.code), expected, "it threw \(error)", file: file, line: line)
      expect(!error.message.isEmpty, "\(what) has an error text for people", "it is empty", file: file, line: line)
    case .failure(let error):
      record(expected: expected, happened: "it threw \(error.text)", file: file, line: line)
    }
  }

  // MARK: Calls that may hang

  /// What a call answers, if it ends within the time, or ``patience``; else nil, and the failure is recorded. A call
  /// that hangs is left behind.
  func outcome<Value: Sendable>(
    of what: String, within time: Duration? = nil, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    await outcome(of: Task { try await body() }, what, within: time, file: file, line: line)
  }

  /// How a task ends, if it ends within the time, or ``patience``; else nil, and the failure is recorded.
  func outcome<Value: Sendable>(
    of task: Task<Value, any Error>, _ what: String, within time: Duration? = nil, file: String = #fileID,
    line: Int = #line
  ) async -> Result<Value, any Error>? {
    let time = time.map { scaled($0) } ?? patience
    let waiter = Waiter<Result<Value, any Error>>()
    Task { waiter.settle(await task.result) }
    switch await waiter.wait(before: .now + time) {
    case .settled(let result): return result
    case .cancelled:
      task.cancel()
      return .failure(CancellationError())
    case .timedOut:
      task.cancel()
      record(expected: "\(what) ends within \(time)", happened: "it had not", file: file, line: line)
      return nil
    }
  }

  /// What a call answers; the check ends where it hangs or throws.
  @discardableResult
  func value<Value: Sendable>(
    of what: String, within time: Duration? = nil, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await value(of: Task { try await body() }, what, within: time, file: file, line: line)
  }

  /// What a task answers; the check ends where it hangs or throws.
  @discardableResult
  func value<Value: Sendable>(
    of task: Task<Value, any Error>, _ what: String, within time: Duration? = nil, file: String = #fileID,
    line: Int = #line
  ) async throws -> Value {
    switch await outcome(of: task, what, within: time, file: file, line: line) {
    case .some(.success(let value)): return value
    case .some(.failure(let error)):
      if !(error is Stop) {
        record(expected: "\(what) to work", happened: "it threw \(error.text)", file: file, line: line)
      }
      throw Stop()
    case .none: throw Stop()
    }
  }

  // MARK: What was opened

  func keep(_ connection: any Connection) {
    state.withLock { $0.connections.append(Opened(connection: connection.unwatched)) }
  }

  func keep(_ listener: any Listener) {
    state.withLock { $0.listeners.append(listener) }
  }

  /// Has something done when the check is over.
  func atEnd(_ ending: @escaping @Sendable () async -> Void) {
    state.withLock { $0.endings.append(ending) }
  }

  /// What is found from now on is not this run’s: its body was ended, or left behind, by the suite itself.
  func end() {
    state.withLock { $0.isOver = true }
  }

  /// Ends everything that the check has opened.
  func cleanUp() async {
    let (connections, listeners, endings) = state.withLock { state in
      defer {
        state.connections = []
        state.listeners = []
        state.endings = []
      }
      state.isOver = true
      return (state.connections.compactMap(\.connection), state.listeners, state.endings)
    }
    for ending in endings { _ = await outcome(of: "stopping", within: .seconds(1)) { await ending() } }
    for connection in connections { connection.abort() }
    for listener in listeners {
      _ = await outcome(of: "closing a listener", within: .seconds(1)) { await listener.close() }
    }
  }
}

extension Duration {
  /// The duration for people, such as `3 s`.
  fileprivate var text: String {
    let seconds = self / .seconds(1)
    return seconds >= 0.01 ? "\((seconds * 100).rounded() / 100) s".replacing(".0 s", with: " s") : "\(self)"
  }
}

extension Error {
  /// The error for people.
  var text: String { (self as? TransportError)?.description ?? "\(self)" }
}
