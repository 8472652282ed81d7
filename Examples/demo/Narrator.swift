internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Glibc
internal import Synchronization

/// Tells what happens, line by line, as the kiosk's screen, its log and each phone see it.
final class Narrator: Sendable {
  private let capabilities = TerminalCapabilities.of(STDOUT_FILENO)
  private let invalid = Mutex<[String]>([])
  private let welcomes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// The log lines about tokens that are nobody's, so far.
  var invalidTokens: [String] { invalid.withLock { $0 } }

  /// Waits until the kiosk's screen is free again.
  func untilWelcome() async {
    for await _ in welcomes.stream { return }
  }

  /// A heading.
  func chapter(_ text: String) {
    LineOutput.standardOutput.writeLine("")
    LineOutput.standardOutput.writeLine(text, style: .bold, colour: capabilities.hasColour)
  }

  /// Some words between.
  func say(_ text: String) {
    for line in TextWrap.lines(text.printable, width: 78, indent: 2) {
      LineOutput.standardOutput.writeLine(line)
    }
  }

  /// What somebody's screen or log says.
  func says(_ who: String, _ text: String, _ style: TerminalStyle = .plain) {
    let label = who + String(repeating: " ", count: max(1, 16 - DisplayWidth.of(who)))
    LineOutput.standardOutput.writeLine("  \(label)\(text)", style: style, colour: capabilities.hasColour)
  }

  /// A table.
  func show(_ table: TextTable) {
    for line in table.lines(width: 80, unicode: capabilities.hasUnicode) {
      LineOutput.standardOutput.writeLine(line)
    }
  }
}

extension Narrator: KioskObserver {
  /// The kiosk's log.
  func observe(_ report: KioskReport, at time: WallTime) {
    switch report {
    case .session(.invalidToken(_, let token, let why)):
      invalid.withLock { $0.append(token) }
      says("Kiosk’s log", "invalid token, SHA-256 \(token)…: \(why.rawValue). The phone gets no answer.")
    case .listening(let endpoint):
      says("Kiosk", "listens at \(endpoint)")
    case .advertising: says("Kiosk", "tells phones that are near of itself")
    case .ledgerFailed(let error): says("Kiosk’s log", error.message)
    default: break
    }
  }
}

extension Narrator: KioskDisplay {
  /// The kiosk's screen.
  func show(_ view: KioskView) {
    switch view {
    case .welcome: welcomes.continuation.yield()
    case .greeting(let greeting):
      let boxes = (greeting.boxes ?? []).map(\.text).joined()
      says("Kiosk’s screen", "Hello, \(greeting.name)!  \(boxes)")
    case .outcome(let outcome):
      says(
        "Kiosk’s screen", "\(outcome.isSuccess ? "✓ Checked in" : "✗ Not checked in"): \(outcome.name)",
        TerminalStyle(outcome.isSuccess ? .green : .red))
    }
  }
}

extension KeypadBox {
  fileprivate var text: String {
    switch self {
    case .empty: "[ ]"
    case .masked: "[•]"
    case .shown(let digit): "[\(digit)]"
    }
  }
}
