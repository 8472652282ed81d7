internal import ExampleSupport
internal import Synchronization

/// The first request to end, such as Ctrl-C, is noted while a check runs; the same request again ends the process.
final class RequestsToEnd: Sendable {
  private let seen = Mutex<ProcessSignal?>(nil)
  private let signals = Mutex<ProcessSignals?>(nil)

  /// Listens from now on; the first request is answered with a notice.
  init(notice: String, _ output: ResultOutput) {
    let listening = try? ProcessSignals { [weak self] signal in
      guard let self, self.note(signal) else { return }
      output.notice(notice)
    }
    signals.withLock { $0 = listening }
  }

  /// The first request; nil while there is none.
  var first: ProcessSignal? { seen.withLock { $0 } }

  /// Listens no more.
  func stop() {
    signals.withLock { $0 }?.stop()
  }

  /// Whether it is the first.
  private func note(_ signal: ProcessSignal) -> Bool {
    seen.withLock { seen in
      defer { seen = seen ?? signal }
      return seen == nil
    }
  }
}
