/// Writes events as JSON, one object on each line.
package struct JSONLine: Sendable {
  private let output: LineOutput
  private let now: @Sendable () -> String

  /// A writer. `now` gives the text of `at`; the wall clock's, unless a test says otherwise.
  package init(
    to output: LineOutput = .standardOutput, now: @escaping @Sendable () -> String = { Timestamp.now }
  ) {
    self.output = output
    self.now = now
  }

  /// Writes `{"event": …, "at": …, …}`. False when nobody reads any more.
  @discardableResult
  package func write(event: String, _ members: [JSONMember] = []) -> Bool {
    let object = JSONValue.object([JSONMember("event", .string(event)), JSONMember("at", .string(now()))] + members)
    return output.write(object.text + "\n")
  }

  /// Writes any object on a line of its own. False when nobody reads any more.
  @discardableResult
  package func write(_ object: JSONValue) -> Bool {
    output.write(object.text + "\n")
  }
}
