package import CheckInCore
package import Enrollment
package import EnrollmentCore
internal import Synchronization

/// An enrollment on a whole terminal: draws the screens, and hands in what is typed.
package final class EnrollmentTerminal: EnrollmentDisplay, EnrollmentObserver {
  fileprivate struct State {
    var screen: EnrollmentScreen?
    var dialog: EnrollmentDialog?
    var field = ""
    var note = ""
    var tick = 0
    /// Where the large control is.
    var control: CanvasArea?
  }

  private let screen: TerminalScreen
  private let state = Mutex(State())
  private let redraw = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Takes the terminal over.
  package init(_ screen: TerminalScreen) {
    self.screen = screen
  }

  /// Takes the screen; it is drawn by ``run(post:)``.
  package func show(_ screen: EnrollmentScreen) {
    state.withLock { state in
      if screen.name != state.screen?.name {
        state.field = ""
        state.note = ""
      }
      // The digits of a code are shown as they were typed, as far as they still count.
      if case .code(_, let entered) = screen { state.field = String(state.field.prefix(entered)) }
      state.screen = screen
      state.dialog = nil
    }
    redraw.continuation.yield()
  }

  /// Takes the question.
  package func ask(_ dialog: EnrollmentDialog) {
    state.withLock { $0.dialog = dialog }
    redraw.continuation.yield()
  }

  /// Shows why there is no connection.
  package func observe(_ report: EnrollmentReport, at time: WallTime) {
    if case .connectionFailed(_, let message) = report { say(message) }
  }

  /// Says something at the foot of the screen.
  package func say(_ note: String) {
    state.withLock { $0.note = note }
    redraw.continuation.yield()
  }

  /// Draws and takes keys until the terminal goes away, or the task is cancelled.
  package func run(post: @escaping @Sendable (EnrollmentInput) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in self.redraw.stream { self.draw() }
      }
      group.addTask {
        while (try? await Task.sleep(for: .milliseconds(120))) != nil {
          self.state.withLock { $0.tick += 1 }
          self.redraw.continuation.yield()
        }
      }
      for await event in screen.events {
        switch event {
        case .key(.control("c")), .key(.control("d")), .interrupt, .hangup, .reload: post(.cancel)
        case .key(let key): take(key, post)
        case .mouse(let mouse):
          guard case .press(0) = mouse.action else { continue }
          let isHit = state.withLock { state in
            state.dialog == nil && state.control?.contains(row: mouse.row, column: mouse.column) == true
          }
          if isHit { take(.enter, post) }
        case .resize: redraw.continuation.yield()
        }
      }
      group.cancelAll()
      redraw.continuation.finish()
    }
  }

  private func take(_ key: TerminalKey, _ post: @Sendable (EnrollmentInput) -> Void) {
    let inputs = state.withLock { state -> [EnrollmentInput] in
      if state.dialog != nil {
        switch key {
        case .character("y"), .character("Y"), .enter: return [.dialog(true)]
        case .character("n"), .character("N"), .escape: return [.dialog(false)]
        default: return []
        }
      }
      switch (state.screen, key) {
      case (.phone, _), (.passportNumber, _): return State.type(key, &state)
      case (_, .character(let character)):
        if let digit = character.wholeNumberValue, character.isASCII {
          if case .code? = state.screen { state.field.append(character) }
          return [.digit(UInt8(digit))]
        }
        switch (state.screen, character) {
        case (.code, "n"), (.code, "N"): return [.resendSMS]
        case (.login, "f"), (.login, "F"): return [.useBiometrics]
        default: return []
        }
      case (_, .backspace), (_, .delete): return [.backspace]
      default: return []
      }
    }
    for input in inputs { post(input) }
    redraw.continuation.yield()
  }

  private func draw() {
    let (shown, dialog, field, note, tick) = state.withLock { ($0.screen, $0.dialog, $0.field, $0.note, $0.tick) }
    guard let shown else { return }
    let picture = EnrollmentPicture(
      shown, dialog: dialog, field: field, note: note, tick: tick, size: screen.size,
      unicode: screen.capabilities.hasUnicode)
    state.withLock { $0.control = picture.control }
    screen.draw(picture.canvas)
  }
}

extension EnrollmentTerminal.State {
  /// Types into the field; the key that breaks a line hands it in.
  fileprivate static func type(_ key: TerminalKey, _ state: inout Self) -> [EnrollmentInput] {
    switch key {
    case .character(let character) where state.field.utf8.count < 32: state.field.append(character)
    case .backspace, .delete: _ = state.field.popLast()
    case .enter:
      if case .phone? = state.screen {
        do throws(PhoneNumber.Fault) {
          return [.sendSMS(try PhoneNumber(state.field))]
        } catch {
          state.note = error.text
        }
      } else if let number = PassportNumber(state.field) {
        return [.passportNumber(number)]
      } else {
        state.note = "A passport’s number has 6 to 15 letters A–Z and digits."
      }
    default: break
    }
    return []
  }
}
