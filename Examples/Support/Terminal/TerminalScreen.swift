internal import Glibc
internal import Synchronization

/// A whole terminal under this program's control: keys come one by one, and frames are drawn.
///
/// However the program ends, the terminal is as it was before: ``close()``, the end of the process, a signal, Ctrl-Z, and as far
/// as that is possible a crash.
package final class TerminalScreen: Sendable {
  private struct State {
    var renderer: FrameRenderer
    var isOpen = true
    var isActive = false
    var isBroken = false
    var hasHungUp = false
  }

  /// What comes from the terminal. It ends after ``TerminalEvent/hangup`` and after ``close()``. When nobody takes events,
  /// the oldest are dropped.
  package let events: AsyncStream<TerminalEvent>
  /// What the terminal can show.
  package let capabilities: TerminalCapabilities

  private let input: Int32
  private let output: Int32
  private let mouse: Bool
  private let original: Attributes
  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let state: Mutex<State>
  private let decoder = Mutex(TerminalInputDecoder())
  private let parts = Mutex<(reader: DescriptorReader?, signals: ProcessSignals?)>((nil, nil))

  /// Takes the terminal over and listens to signals.
  ///
  /// - Throws: ``TerminalError`` when the descriptors are no terminal, or the system refuses.
  package init(
    input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, capabilities: TerminalCapabilities? = nil,
    mouse: Bool = true
  ) throws(TerminalError) {
    let capabilities = capabilities ?? .of(output)
    var attributes = termios()
    // The structure is ours for the time of the call.
    guard capabilities.hasScreen, unsafe tcgetattr(input, &attributes) == 0 else {
      throw TerminalError("This needs a terminal that can move its cursor. Use --json without one.")
    }
    self.capabilities = capabilities
    self.input = input
    self.output = output
    self.mouse = mouse
    original = Attributes(value: attributes)
    state = Mutex(State(renderer: FrameRenderer(colour: capabilities.hasColour)))
    (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self, bufferingPolicy: .bufferingNewest(1024))
    try start()
  }

  private func start() throws(TerminalError) {
    let signals: ProcessSignals
    do throws(SystemFault) {
      signals = try ProcessSignals(ProcessSignal.allCases) { [weak self] in self?.take($0) }
    } catch {
      throw TerminalError("The program cannot listen to signals: \(error).")
    }
    guard enter() else {
      signals.stop()
      throw TerminalError("The terminal refuses to give keys one by one.")
    }
    let reader = DescriptorReader(
      input,
      pause: { [weak self] in
        // A lone escape is known by the silence behind it.
        self?.decoder.withLock { $0.isWaiting } == true ? .milliseconds(60) : nil
      },
      handler: { [weak self] in self?.take($0) })
    parts.withLock { $0 = (reader, signals) }
  }

  /// The size now.
  package var size: TerminalSize { Self.size(of: output) }

  /// How many columns the terminal of a descriptor has.
  package static func width(of descriptor: Int32) -> Int { size(of: descriptor).columns }

  /// How wide lines of text may be on the terminal of a descriptor: its width, but no less than 20, and 80 where it does
  /// not say.
  package static func textWidth(of descriptor: Int32) -> Int {
    let columns = width(of: descriptor)
    return columns > 0 ? max(20, columns) : 80
  }

  /// The size of the terminal of a descriptor; zero where it has none.
  package static func size(of descriptor: Int32) -> TerminalSize {
    var size = winsize()
    // The structure is ours for the time of the call.
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize(rows: 0, columns: 0) }
    return TerminalSize(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  /// Shows the canvas: writes what differs from the last one. A terminal that is gone, or takes nothing for two seconds,
  /// is left alone.
  package func draw(_ canvas: Canvas) {
    state.withLock { state in
      guard state.isOpen, state.isActive, !state.isBroken else { return }
      if !send(state.renderer.render(canvas)) { state.renderer.invalidate() }
    }
  }

  /// Gives the terminal back as it was, and stops listening.
  package func close() {
    let wasOpen = state.withLock { state in
      defer { state.isOpen = false }
      return state.isOpen
    }
    guard wasOpen else { return }
    let (reader, signals) = parts.withLock { parts in
      defer { parts = (nil, nil) }
      return parts
    }
    reader?.stop()
    leave()
    // The end of the input is seen before the signal comes, sometimes: it must not kill who is about to end anyway.
    signals?.stop(ignoring: state.withLock { $0.isBroken } ? .hangup : nil)
    continuation.finish()
  }

  deinit {
    close()
  }

  // MARK: - What comes in

  private func take(_ input: DescriptorReader.Input) {
    switch input {
    case .bytes(let bytes): tell(decoder.withLock { $0.decode(bytes) })
    case .pause: tell(decoder.withLock { $0.flush() })
    case .end: hangUp()
    }
  }

  /// The terminal has gone: the end of its input says so, and a signal, each on a thread of its own. It is told once.
  private func hangUp() {
    let isFirst = state.withLock { state in
      defer { state.hasHungUp = true }
      state.isBroken = true
      return !state.hasHungUp
    }
    guard isFirst else { return }
    continuation.yield(.hangup)
    continuation.finish()
  }

  private func tell(_ events: [TerminalEvent]) {
    for event in events {
      // The terminal makes no signals of keys any more, so Ctrl-Z is up to us. As the terminal would, it stops the whole
      // group, such as a `make` above us; our own part of it comes back by ``take(_:)``.
      if event == .key(.control("z")) {
        kill(0, SIGTSTP)
      } else {
        continuation.yield(event)
      }
    }
  }

  private func take(_ signal: ProcessSignal) {
    switch signal {
    case .stop: suspend()
    case .continue:
      guard enter() else { return }
      state.withLock { $0.renderer.invalidate() }
      continuation.yield(.resize(size))
    case .windowChange:
      state.withLock { $0.renderer.invalidate() }
      continuation.yield(.resize(size))
    case .hangup where !TerminalPresence.hasGone([input, output]): continuation.yield(.reload)
    case .hangup: hangUp()
    default: continuation.yield(.interrupt(signal))
    }
  }

  private func suspend() {
    leave()
    // Stops every thread here; SIGCONT, which comes through the pipe, takes the terminal over again.
    kill(getpid(), SIGSTOP)
  }

  // MARK: - The terminal's mode

  private var enterSequence: String {
    "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l" + (mouse ? "\u{1b}[?1000h\u{1b}[?1006h" : "")
  }

  private static let leaveSequence = "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  private func enter() -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      TerminalRescue.restore()
      var raw = original.value
      raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
      raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
      TerminalRescue.arm(
        input: input, output: output, attributes: original.value, sequence: Array(Self.leaveSequence.utf8))
      // The structure is ours for the time of the call.
      guard unsafe tcsetattr(input, TCSAFLUSH, &raw) == 0 else {
        TerminalRescue.restore()
        return false
      }
      state.isActive = send(Array(enterSequence.utf8))
      state.renderer.invalidate()
      return true
    }
  }

  private func leave() {
    state.withLock { state in
      state.isActive = false
      TerminalRescue.restore()
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = Descriptor.wait(for: [(output, Int16(POLLOUT))], atMost: .seconds(2))
      guard ready[0] & Int16(POLLOUT) != 0 else { return false }
      // Small pieces, so that a terminal that stops taking holds us at this wait and not in the system.
      guard Descriptor.writeAll(Array(rest.prefix(1024)), to: output) == 0 else { return false }
      rest = rest.dropFirst(1024)
    }
    return true
  }

  private struct Attributes: @unchecked Sendable {
    // SAFETY: a plain C structure that is never changed.
    let value: termios
  }
}

/// The terminal cannot be used.
package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened and what to do.
  package let description: String

  /// An error.
  package init(_ description: String) {
    self.description = description
  }
}
