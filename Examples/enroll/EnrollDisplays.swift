internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import Synchronization

/// What shows the screens and hands in answers: a terminal, or JSON with a script; and beside it whatever reads the SMS.
final class EnrollDisplays: EnrollmentDisplay, EnrollmentObserver {
  private struct State {
    var post: @Sendable (EnrollmentInput) -> Void = { _ in }
    var input: InputLines?
    var watching: Task<Void, Never>?
    var signals: ProcessSignals?
    var lastProblem: String?
  }

  private let terminal: EnrollmentTerminal?
  private let screen: TerminalScreen?
  private let json = EnrollmentJSON()
  private let script: EnrollmentScript?
  private let messages: MessageWatch?
  private let state = Mutex(State())

  /// Displays on a terminal; without one as JSON.
  init(screen: TerminalScreen?, smsFrom: String) {
    self.screen = screen
    terminal = screen.map { EnrollmentTerminal($0) }
    messages = smsFrom == "ask" ? nil : MessageWatch(smsFrom)
    let relay = Relay()
    script =
      screen == nil ? EnrollmentScript(showing: EnrollmentJSON(), codeComes: smsFrom != "ask") { relay.post($0) } : nil
    self.relay = relay
  }

  private let relay: Relay

  /// Hands answers to `post` from now on.
  func connect(_ post: @escaping @Sendable (EnrollmentInput) -> Void) {
    relay.connect(post)
    state.withLock { $0.post = post }
  }

  func show(_ screen: EnrollmentScreen) {
    watchMessages(screen)
    terminal?.show(screen)
    script?.show(screen)
  }

  func ask(_ dialog: EnrollmentDialog) {
    terminal?.ask(dialog)
    script?.ask(dialog)
  }

  /// Why there was no connection, the last time.
  var lastProblem: String? { state.withLock { $0.lastProblem } }

  func observe(_ report: EnrollmentReport, at time: WallTime) {
    if case .connectionFailed(_, let message) = report { state.withLock { $0.lastProblem = message } }
    if let terminal { terminal.observe(report, at: time) } else { json.observe(report, at: time) }
  }

  /// Says something that belongs to no screen.
  func say(_ text: String) {
    if let terminal { terminal.say(text) } else { LineOutput.standardError.say("enroll: \(text)") }
  }

  /// Takes keys, or lines of a script and requests to end, until it is stopped.
  func listen() async {
    let post = state.withLock { $0.post }
    if let terminal { return await terminal.run(post: post) }
    let input = InputLines()
    guard let (signals, requests) = try? ProcessSignals.requestsToEnd() else { return post(.cancel) }
    state.withLock { state in
      state.input = input
      state.signals = signals
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in requests { post(.cancel) }
      }
      group.addTask {
        for await line in input.lines {
          if let fault = EnrollmentScript.fault(line) {
            self.say(fault)
            post(.cancel)
          } else {
            self.script?.take(line)
          }
        }
        if !Task.isCancelled { self.script?.end() }
      }
    }
  }

  /// Stops listening.
  func stop() {
    let (input, watching, signals) = state.withLock { ($0.input, $0.watching, $0.signals) }
    watching?.cancel()
    input?.stop()
    signals?.stop()
    screen?.close()
  }

  /// While the code is wanted, looks whether it came with a message.
  private func watchMessages(_ screen: EnrollmentScreen) {
    guard let messages else { return }
    state.withLock { state in
      state.watching?.cancel()
      state.watching = nil
      guard case .code(let phone, 0) = screen else { return }
      let post = state.post
      state.watching = Task {
        if let code = await messages.code(for: phone), !Task.isCancelled { post(.codeFromMessage(code)) }
      }
    }
  }
}

/// Passes answers on to what is known later.
private final class Relay: Sendable {
  private let target = Mutex<@Sendable (EnrollmentInput) -> Void>({ _ in })

  func connect(_ post: @escaping @Sendable (EnrollmentInput) -> Void) {
    target.withLock { $0 = post }
  }

  func post(_ input: EnrollmentInput) {
    target.withLock { $0 }(input)
  }
}
