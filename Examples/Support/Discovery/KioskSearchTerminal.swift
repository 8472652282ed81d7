package import CheckIn
package import CheckInCore
internal import Glibc
internal import Synchronization

/// A search on a terminal: a list that redraws itself while the search goes on, and a question where there is a choice.
package final class KioskSearchTerminal: KioskSearchDisplay {
  private let output: LineOutput
  private let capabilities: TerminalCapabilities
  private let picture: KioskSearchPicture
  private let size: @Sendable () -> TerminalSize
  private let near: SignalStrength?
  /// How many lines of the list stand above the cursor.
  private let drawn = Mutex(0)

  /// A display.
  package init(
    output: LineOutput = .standardOutput, capabilities: TerminalCapabilities, near: SignalStrength?,
    size: @escaping @Sendable () -> TerminalSize = { KioskSearchTerminal.currentSize }
  ) {
    self.output = output
    self.capabilities = capabilities
    self.size = size
    self.near = near
    picture = KioskSearchPicture(near: near, unicode: capabilities.hasUnicode)
  }

  package func began(at places: [Endpoint]) {
    if !capabilities.hasScreen { output.writeLine("Looking for a kiosk.") }
  }

  package func changed(_ change: NearbyKiosks.Change) {
    guard !capabilities.hasScreen else { return }
    switch change {
    case .appeared(let kiosk): output.say("\(kiosk.label) is here, at \(kiosk.endpoint).")
    case .vanished(let kiosk): output.say("\(kiosk.label) is here no more, at \(kiosk.endpoint).")
    case .renamed, .arrived, .left: break
    }
  }

  package func failed(_ place: Endpoint, _ error: TransportError) {
    clear()
    output.say("\(place): \(error.message)")
  }

  package func show(_ chooser: KioskChooser, after elapsed: Duration) {
    guard capabilities.hasScreen else { return }
    let lines = picture.lines(chooser, after: elapsed, size: size())
    drawn.withLock { drawn in
      output.write(Self.up(drawn) + lines.map { "\($0.printable)\u{1b}[K\n" }.joined() + "\u{1b}[J")
      drawn = lines.count
    }
  }

  package func ask(_ kiosks: [NearbyKiosks.Kiosk]) async -> KioskAnswer {
    clear()
    for line in picture.question(kiosks, size: size()) { output.writeLine(line) }
    let input = InputLines()
    defer { input.stop() }
    pose(kiosks.count)
    for await line in input.lines {
      switch line.lowercased().filter({ !$0.isWhitespace }) {
      case "q", "quit", "cancel": return .quit
      case "r", "again": return .again
      case let text:
        if let number = Int(text), kiosks.indices.contains(number - 1) { return .kiosk(kiosks[number - 1]) }
        pose(kiosks.count)
      }
    }
    return .quit
  }

  package func ended(with result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>) {
    clear()
    // What failed is the program's error, which it says itself.
    guard case .success(.some(let kiosk)) = result else { return }
    let strength = kiosk.signal.map { " (\($0.decibelMilliwatts) dBm)" } ?? ""
    let isNear = near != nil && kiosk.isNear
    output.say(
      isNear ? "\(kiosk.label)\(strength) is near. Connecting." : "Connecting to \(kiosk.label)\(strength).")
  }

  /// The size of standard output's terminal; the usual one where it does not say.
  package static var currentSize: TerminalSize {
    let size = TerminalScreen.size(of: STDOUT_FILENO)
    return size.rows > 0 && size.columns > 0 ? size : TerminalSize(rows: 24, columns: 80)
  }

  private func pose(_ count: Int) {
    output.say("Which kiosk? Type its number from 1 to \(count), r to look again, or q to give up.")
  }

  /// Takes the list away.
  private func clear() {
    drawn.withLock { drawn in
      if drawn > 0 { output.write(Self.up(drawn) + "\u{1b}[J") }
      drawn = 0
    }
  }

  private static func up(_ lines: Int) -> String {
    lines > 0 ? "\u{1b}[\(lines)A\r" : "\r"
  }
}
