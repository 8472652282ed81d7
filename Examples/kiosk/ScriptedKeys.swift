internal import CheckIn
internal import CheckInCore
internal import ExampleSupport

/// Keys from standard input, for a kiosk without a terminal: each line's characters are typed in order.
struct ScriptedKeys {
  /// Types until someone asks the program to end; the end of the input ends nothing.
  func run(_ kiosk: Kiosk) async -> TerminalEvent {
    let input = InputLines()
    let typing = Task {
      for await line in input.lines {
        for character in line {
          if let key = KeypadKey(typed: character) { kiosk.press(key) }
        }
      }
    }
    defer {
      input.stop()
      typing.cancel()
    }
    guard let (signals, requests) = try? ProcessSignals.requestsToEnd() else { return .hangup }
    defer { signals.stop() }
    for await signal in requests {
      return .interrupt(signal)
    }
    return .hangup
  }
}
