internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Glibc

/// Keys from standard input, for a kiosk without a terminal: each line's characters are typed in order.
///
/// A person sees that the keypad takes no keys while a PIN is being checked; a script does not. So what it writes meanwhile
/// waits, at most as many lines as ``InputLines`` keeps. It is also the kiosk's display: each view may be the one that
/// says that the check is over.
struct ScriptedKeys: KioskDisplay {
  private let views = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Takes the view as a sign to look again.
  func show(_ view: KioskView) {
    views.continuation.yield()
  }

  /// Types until someone asks the program to end; the end of the input ends nothing.
  ///
  /// - Parameter reload: called when someone asks to read files again (SIGHUP).
  func run(_ kiosk: Kiosk, reload: () -> Void) async -> TerminalEvent {
    let input = InputLines()
    let typing = Task { await type(input, at: kiosk) }
    defer {
      input.stop()
      typing.cancel()
    }
    guard let (signals, requests) = try? ProcessSignals.requestsToEnd() else { return .hangup }
    defer { signals.stop() }
    for await signal in requests {
      if signal == .hangup, !TerminalPresence.hasGone([STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
        reload()
        continue
      }
      return .interrupt(signal)
    }
    return .hangup
  }

  private func type(_ input: InputLines, at kiosk: Kiosk) async {
    var views = self.views.stream.makeAsyncIterator()
    for await line in input.lines {
      for key in line.compactMap({ KeypadKey(typed: $0) }) {
        while kiosk.isChecking {
          guard await views.next() != nil else { return }
        }
        kiosk.press(key)
      }
    }
  }
}
