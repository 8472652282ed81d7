internal import CheckIn
package import EnrollmentCore
internal import Synchronization

/// Reads the code from the message where the system offers it: here from a file, or from the folder of an outbox.
package final class MessageWatch: Sendable {
  private let path: String
  /// What was handed in last: a code that was wrong once is wrong again.
  private let used = Mutex("")

  /// Looks at that file or folder.
  package init(_ path: String) {
    self.path = path
  }

  /// Waits for the code of a message to this number, at most as long as a code lives; nil: none came.
  package func code(for phone: String) async -> FourDigits? {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline, !Task.isCancelled {
      if let code = newest(for: phone) { return code }
      try? await Task.sleep(for: .milliseconds(200))
    }
    return nil
  }

  private func newest(for phone: String) -> FourDigits? {
    let messages = SystemFile.names(in: path).filter { $0.hasSuffix(".sms") }.sorted().reversed().prefix(1000)
    // A folder without messages, or a file.
    let candidates = messages.isEmpty ? [path] : messages.map { "\(path)/\($0)" }
    for candidate in candidates {
      guard let bytes = try? FileReading.read(candidate, what: "message", limit: 4096) else { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let body = MessageWatch.body(text, to: phone) else { continue }
      let isNew = used.withLock { used in
        defer { used = candidate + text }
        return used != candidate + text
      }
      return isNew ? FourDigits(inMessage: body) : nil
    }
    return nil
  }

  /// The text of a message, without its head; nil when it is to somebody else.
  private static func body(_ text: String, to phone: String) -> String? {
    guard text.hasPrefix("To:") else { return text }
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard lines[0].dropFirst(3).filter({ $0 != " " }) == phone else { return nil }
    return lines.count > 1 ? String(lines[1]) : ""
  }
}
