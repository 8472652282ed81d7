package import CheckIn
package import CheckInCore
internal import Synchronization

/// The phone's screen on a terminal: lines of words, and the PIN in large digits.
package final class AttendeeTerminal: AttendeeDisplay, AttendeeObserver {
  private let output: LineOutput
  private let capabilities: TerminalCapabilities
  private let clock: any CheckInClock
  private let eavesdroppers: @Sendable (Endpoint) -> Eavesdroppers?
  private let hasWaited = Atomic(false)
  /// Who could read along on the connection that is.
  private let reading = Mutex<Eavesdroppers?>(nil)

  /// A screen.
  ///
  /// - Parameters:
  ///   - clock: the attendee's own, for the time that is left.
  ///   - eavesdroppers: who could read along on a connection to an address.
  package init(
    output: LineOutput = .standardOutput, capabilities: TerminalCapabilities, clock: any CheckInClock,
    eavesdroppers: @escaping @Sendable (Endpoint) -> Eavesdroppers? = { _ in nil }
  ) {
    self.output = output
    self.capabilities = capabilities
    self.clock = clock
    self.eavesdroppers = eavesdroppers
  }

  /// Writes what there is to see.
  package func show(_ view: AttendeeView) {
    switch view {
    case .kiosk(let kiosk): say(kiosk.introduction(readBy: reading.withLock { $0 }))
    case .presented: say("Your ticket was shown. Waiting for the kiosk.", .dim)
    case .confirm: break
    case .pin(let shown): show(shown)
    case .noKeypad(let cause): say("\(cause.sentence ?? "") This kiosk has no keypad, so the check-in is cancelled.")
    case .checking: say("Confirmed. The kiosk is checking.", .dim)
    case .notice(.onScreen):
      // Whoever did not have to wait sees the kiosk's screen.
      if hasWaited.load(ordering: .relaxed) { say(Message.Notice.onScreen.sentence) }
    case .notice(let notice):
      if case .waiting = notice { hasWaited.store(true, ordering: .relaxed) }
      say(notice.sentence)
    case .outcome(let outcome): show(outcome)
    }
  }

  /// Keeps who could read along, and says what no view has: that it is tried again, and why the kiosk could not be reached again.
  package func observe(_ report: AttendeeReport, at time: WallTime) {
    switch report {
    case .retrying(_, _, let problem): say("\(problem) Trying again.", .dim)
    case .unreachable(_, let error, wasReached: true): say(error.message)
    case .connected(_, let remote): reading.withLock { $0 = eavesdroppers(remote) }
    // One that was never reached is the program's error, which it says itself.
    case .unreachable, .session: break
    }
  }

  private func show(_ shown: AttendeeView.PINView) {
    if let cause = shown.cause, let text = cause.sentence { say(text) }
    say("Your PIN. Type this at the kiosk:", .bold)
    let digits = String(decoding: shown.pin.digits, as: UTF8.self)
    output.writeLine("")
    if capabilities.isTerminal {
      for row in LargeDigits.rows(digits, unicode: capabilities.hasUnicode) {
        output.writeLine("    " + row, style: .bold, colour: capabilities.hasColour)
      }
    } else {
      output.writeLine("    " + digits.map(String.init).joined(separator: " "))
    }
    output.writeLine("")
    let left = KioskPicture.clockText(shown.deadline - clock.now.monotonic)
    say("It is good for \(left) and \(shown.attemptsLeft == 1 ? "one try" : "\(shown.attemptsLeft) tries").", .dim)
  }

  private func show(_ outcome: AttendeeOutcome) {
    let symbol = outcome.isSuccess ? (capabilities.hasUnicode ? "✓" : "OK") : (capabilities.hasUnicode ? "✗" : "NO")
    say("\(symbol) \(outcome.sentence)", TerminalStyle(outcome.isSuccess ? .green : .red, bold: true))
  }

  private func say(_ text: String, _ style: TerminalStyle = .plain) {
    output.say(text, style: style, colour: capabilities.hasColour)
  }
}

extension KioskIdentity {
  /// The kiosk and its gate, for people.
  package var place: String {
    gate == kiosk ? kiosk : "\(kiosk), gate \(gate),"
  }

  /// Who it is, and how far that is proved. In plain text the hello may be a recording, which only the answer tells
  /// (Protocol 16).
  package func introduction(readBy eavesdroppers: Eavesdroppers?) -> String {
    guard let eavesdroppers else { return "This is \(place) of \(event). It has proved it." }
    return "This shows the credential of \(place) of \(event). Without TLS that may be a recording until it answers. "
      + "\(eavesdroppers.who) can read along."
  }
}

extension Message.Notice {
  /// One sentence for the person with the phone.
  package var sentence: String {
    switch self {
    case .waiting(let ahead):
      ahead == 1
        ? "One person is before you at the kiosk's screen. Please wait."
        : "\(ahead) people are before you at the kiosk's screen. Please wait."
    case .onScreen: "It is your turn: the kiosk's screen shows your name."
    case .wrongPIN(let left):
      "Those digits were wrong. \(left == 1 ? "One try is" : "\(left) tries are") left."
    case .confirmationFailed(let left):
      left == 0
        ? "The kiosk did not accept the confirmation. Please type the PIN."
        : "The kiosk did not accept the confirmation."
    }
  }
}

extension Confirmation.KeypadCause {
  fileprivate var sentence: String? {
    switch self {
    case .chosen: nil
    case .declined: "Good, no biometrics."
    case .failed: "That did not work."
    case .unavailable: "This phone has no biometrics now."
    case .lockedOut: "Biometrics are locked after too many failures."
    }
  }
}

extension AttendeeOutcome {
  /// One sentence for the person with the phone.
  package var sentence: String {
    switch self {
    case .answered(let answer): answer.sentence
    case .noAnswer(let why): why.text
    case .refusedKiosk(let why): "Your ticket was not shown. \(why.text)"
    case .protocolError(let fault): fault.text
    case .cancelled: "The check-in was cancelled."
    case .failed: "The phone's own key could not sign."
    }
  }

  /// What the attendee program tells the shell.
  package var exitStatus: ExitStatus {
    switch self {
    case .answered(let answer): answer.isSuccess ? .success : .refused
    case .noAnswer: .noAnswer
    case .refusedKiosk, .protocolError: .protocol
    case .cancelled: .refused
    case .failed: .internal
    }
  }
}
