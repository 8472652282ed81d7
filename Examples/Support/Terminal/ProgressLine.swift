internal import Glibc
internal import Synchronization

/// One line on a terminal that says how far a longer piece of work is. It comes after a second, so that short work is quiet,
/// and it is gone when the work is done. Where the output is no terminal it says nothing.
package final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var lastDrawn: ContinuousClock.Instant?
    var isFinished = false
  }

  private let label: String
  private let total: Int?
  private let output: LineOutput
  private let isShown: Bool
  private let unicode: Bool
  private let width: @Sendable () -> Int
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  /// A line on standard error, or elsewhere for a test. Without a total it only shows that something goes on.
  package init(_ label: String, total: Int? = nil) {
    let capabilities = TerminalCapabilities.of(STDERR_FILENO)
    self.label = label
    self.total = total
    output = .standardError
    isShown = capabilities.hasScreen
    unicode = capabilities.hasUnicode
    width = { TerminalScreen.textWidth(of: STDERR_FILENO) }
  }

  /// A line on another output, shown in any case.
  package init(_ label: String, total: Int?, on output: LineOutput, unicode: Bool, width: Int = 80) {
    self.label = label
    self.total = total
    self.output = output
    isShown = true
    self.unicode = unicode
    self.width = { width }
  }

  /// Says that `count` more pieces are done.
  package func advance(by count: Int = 1, now: ContinuousClock.Instant = .now) {
    let text = state.withLock { state -> String? in
      state.done += count
      guard isShown, !state.isFinished, now - started >= .seconds(1) else { return nil }
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return nil }
      state.lastDrawn = now
      return Self.text(
        label, done: state.done, total: total, elapsed: now - started, unicode: unicode, width: width())
    }
    if let text { output.write("\r\(text)\u{1b}[K") }
  }

  /// Says something on a line that stays, above this one.
  package func interrupt(with text: String) {
    let isDrawn = state.withLock { state in
      defer { state.lastDrawn = state.lastDrawn.map { _ in started } }
      return state.lastDrawn != nil && !state.isFinished
    }
    output.write((isDrawn ? "\r\u{1b}[K" : "") + text.printable + "\n")
  }

  /// Takes the line away.
  package func finish() {
    let wasDrawn = state.withLock { state in
      defer { state.isFinished = true }
      return state.lastDrawn != nil && !state.isFinished
    }
    if wasDrawn { output.write("\r\u{1b}[K") }
  }

  /// Does work and shows meanwhile that something goes on.
  package static func spin<Result: Sendable, Failure: Error>(
    _ label: String, while body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let line = ProgressLine(label)
    let ticking = Task {
      while !Task.isCancelled {
        line.advance()
        try? await Task.sleep(for: .milliseconds(120))
      }
    }
    defer {
      ticking.cancel()
      line.finish()
    }
    return try await body()
  }

  /// The line, which leaves the last column free: a terminal that has filled it may begin another line.
  private static func text(
    _ label: String, done: Int, total: Int?, elapsed: Duration, unicode: Bool, width columns: Int
  ) -> String {
    let whole = text(label, done: done, total: total, elapsed: elapsed, unicode: unicode, bar: 24)
    let excess = DisplayWidth.of(whole) - (columns - 1)
    guard excess > 0 else { return whole }
    let narrow = text(label, done: done, total: total, elapsed: elapsed, unicode: unicode, bar: max(4, 24 - excess))
    return DisplayWidth.fitting(narrow, into: columns - 1, ellipsis: unicode ? "…" : "~")
  }

  private static func text(
    _ label: String, done: Int, total: Int?, elapsed: Duration, unicode: Bool, bar width: Int
  ) -> String {
    guard let total, total > 0 else {
      let marks = unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] : ["|", "/", "-", "\\"]
      return "\(marks[done % marks.count]) \(label.printable)"
    }
    let filled = width * min(done, total) / total
    let bar =
      String(repeating: unicode ? "█" : "#", count: filled)
      + String(repeating: unicode ? "░" : ".", count: width - filled)
    let seconds = Double(elapsed.components.seconds)
    let left = done > 0 ? Int(seconds * Double(total - done) / Double(done)) : 0
    return "\(label.printable) \(bar) \(done) of \(total)\(left > 1 ? ", about \(left) s left" : "")"
  }
}
