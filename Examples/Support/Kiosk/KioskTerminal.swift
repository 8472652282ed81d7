package import CheckIn
package import CheckInCore
internal import Synchronization

/// A kiosk's full-screen view on a terminal: draws what the kiosk shows, hands it the keys and clicks.
package final class KioskTerminal: KioskDisplay, KioskObserver {
  private struct State {
    var view: KioskView
    var places: [(endpoint: Endpoint, text: String)] = []
    var eavesdroppers: Eavesdroppers?
    /// What is in the files in force, for the welcome.
    var inForce: [KioskReport.Part: String] = [:]
    /// What could not be read again, until it can.
    var complaints: [KioskReport.Part: String] = [:]
    var keys: [(area: CanvasArea, key: KeypadKey)] = []
  }

  private let screen: TerminalScreen
  private let heading: KioskView.Welcome
  private let clock: any CheckInClock
  private let eavesdroppers: @Sendable (Endpoint) -> Eavesdroppers?
  private let state: Mutex<State>
  private let redraw = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - clock: the kiosk's own, for the time that is left.
  ///   - eavesdroppers: who could read along at an address that the kiosk listens at; of those, the farthest are warned of.
  package init(
    profile: KioskProfile, clock: any CheckInClock,
    eavesdroppers: @escaping @Sendable (Endpoint) -> Eavesdroppers? = { _ in nil }, screen: TerminalScreen
  ) {
    self.screen = screen
    self.clock = clock
    self.eavesdroppers = eavesdroppers
    heading = KioskView.Welcome(event: profile.event, kiosk: profile.kiosk, gate: profile.gate)
    state = Mutex(State(view: .welcome(heading)))
  }

  /// Takes the view; it is drawn by ``run(_:)``.
  package func show(_ view: KioskView) {
    state.withLock { $0.view = view }
    redraw.continuation.yield()
  }

  /// Keeps where the kiosk listens and whether it can be found there, for the welcome, and what the staff must look after.
  package func observe(_ report: KioskReport, at time: WallTime) {
    switch report {
    case .inForce(let part, let text), .reloaded(let part, let text):
      state.withLock { state in
        state.inForce[part] = text
        state.complaints[part] = nil
      }
    case .reloadFailed(let part, let why): state.withLock { $0.complaints[part] = why }
    default: return observe(place: report)
    }
    redraw.continuation.yield()
  }

  private func observe(place report: KioskReport) {
    let (endpoint, text): (Endpoint, String)
    switch report {
    case .listening(let place): (endpoint, text) = (place, "Listening at \(place)")
    case .advertising(let place): (endpoint, text) = (place, "Listening at \(place); phones near can find it")
    case .advertisingFailed(let place, let error):
      (endpoint, text) = (place, "Listening at \(place); phones cannot find it: \(error.message)")
    default: return
    }
    let here = eavesdroppers(endpoint)
    state.withLock { state in
      state.eavesdroppers = [state.eavesdroppers, here].compactMap(\.self).max()
      if let index = state.places.firstIndex(where: { $0.endpoint == endpoint }) {
        // Advertising begins before the listeners are told of.
        if case .listening = report { return }
        state.places[index].text = text
      } else {
        state.places.append((endpoint, text))
      }
    }
    redraw.continuation.yield()
  }

  /// Draws and takes keys until the terminal goes away or someone asks the program to end; answers which.
  ///
  /// - Parameter reload: called when someone asks to read files again (SIGHUP).
  package func run(_ kiosk: Kiosk, reload: () -> Void = {}) async -> TerminalEvent {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.drawWhenAsked() }
      group.addTask { await self.askEverySecond() }
      let last = await takeEvents(for: kiosk, reload: reload)
      group.cancelAll()
      redraw.continuation.finish()
      return last
    }
  }

  private func takeEvents(for kiosk: Kiosk, reload: () -> Void) async -> TerminalEvent {
    for await event in screen.events {
      switch event {
      case .key(.control("c")), .key(.control("d")): return .interrupt(.interrupt)
      case .interrupt, .hangup: return event
      case .key(let key):
        if let key = KeypadKey(key) { kiosk.press(key) }
      case .mouse(let mouse):
        guard case .press(0) = mouse.action else { continue }
        let hit = state.withLock { $0.keys.first { $0.area.contains(row: mouse.row, column: mouse.column) } }
        if let hit { kiosk.press(hit.key) }
      case .resize: redraw.continuation.yield()
      case .reload: reload()
      }
    }
    return .hangup
  }

  private func askEverySecond() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      redraw.continuation.yield()
    }
  }

  private func drawWhenAsked() async {
    draw()
    for await _ in redraw.stream {
      draw()
    }
  }

  private func draw() {
    let now = clock.now
    let (view, facts, eavesdroppers, complaints) = state.withLock { state in
      let inForce = KioskReport.Part.allCases.compactMap { state.inForce[$0] }
      return (state.view, state.places.map(\.text) + inForce, state.eavesdroppers, state.complaints)
    }
    let picture = KioskPicture(
      view, heading: heading, clock: LocalClock.text(now.wall), now: now.monotonic, eavesdroppers: eavesdroppers,
      facts: facts, complaint: KioskReport.Part.allCases.compactMap { complaints[$0] }.first, size: screen.size,
      unicode: screen.capabilities.hasUnicode)
    state.withLock { $0.keys = picture.keys }
    screen.draw(picture.canvas)
  }
}

extension KeypadKey {
  /// The keypad's key for a key of the keyboard; nil for one that means nothing here.
  package init?(_ key: TerminalKey) {
    switch key {
    case .character(let character):
      guard character.isASCII, let digit = character.wholeNumberValue else {
        guard let key = KeypadKey(typed: character) else { return nil }
        self = key
        return
      }
      self = .digit(UInt8(digit))
    case .backspace, .delete, .left: self = .backspace
    case .escape, .control("u"): self = .clear
    default: return nil
    }
  }

  /// The keypad's key for a character of a script: digits, `<` takes one back, `!` clears.
  package init?(typed character: Character) {
    switch character {
    case "0"..."9": self = .digit(UInt8(character.wholeNumberValue ?? 0))
    case "<": self = .backspace
    case "!": self = .clear
    default: return nil
    }
  }
}
