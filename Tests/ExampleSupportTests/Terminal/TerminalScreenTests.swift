internal import ExampleSupport
internal import Glibc
internal import Testing

/// A terminal that is no window: what a program writes is read at the other end.
final class PseudoTerminal: Sendable {
  let controller: Int32
  let terminal: Int32
  /// The path by which another process opens it.
  let name: String

  init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
    controller = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(controller >= 0)
    // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)): the system reads the zero that unlocks, and writes the number.
    var locked: Int32 = 0
    var number: UInt32 = 0
    try #require(unsafe ioctl(controller, 0x4004_5431, &locked) == 0)
    try #require(unsafe ioctl(controller, 0x8004_5430, &number) == 0)
    name = "/dev/pts/\(number)"
    terminal = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    resize(rows: rows, columns: columns)
  }

  func resize(rows: UInt16, columns: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  /// The modes that a screen changes.
  var modes: [UInt32] {
    var attributes = termios()
    _ = unsafe tcgetattr(terminal, &attributes)
    return [attributes.c_iflag, attributes.c_oflag, attributes.c_lflag]
  }

  func type(_ text: String) {
    _ = Descriptor.writeAll(Array(text.utf8), to: controller)
  }

  /// What was written to the terminal, until the text is in it or five seconds are over.
  func output(until text: String) -> String {
    var bytes: [UInt8] = []
    let deadline = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < deadline, !String(decoding: bytes, as: UTF8.self).contains(text) {
      guard Descriptor.wait(for: [(controller, Int16(POLLIN))], atMost: .milliseconds(100))[0] != 0 else { continue }
      guard case .success(let more) = Descriptor.readSome(controller, limit: 4096) else { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A screen on the pseudo-terminal of this name.
  static func screen(on name: String) throws -> TerminalScreen {
    let terminal = unsafe open(name, O_RDWR | O_NOCTTY)
    return try TerminalScreen(input: terminal, output: terminal, capabilities: capabilities)
  }

  static let capabilities = TerminalCapabilities(isTerminal: true) { ["TERM": "xterm", "LANG": "C.UTF-8"][$0] }
  static let restored = "\u{1b}[?25h\u{1b}[?1049l"
}

// Each test runs in a process of its own: signals and the last rescue of a terminal belong to a process. What fails in
// there ends that process with another status than the one that is expected.
@Suite("A screen", .timeLimit(.minutes(1)))
struct TerminalScreenTests {
  /// Sends the signal to the process, as other programs do. (`raise` would send it to this thread, which runs a task and
  /// takes none.)
  private static func send(_ signal: Int32) {
    kill(getpid(), signal)
  }

  @Test("gives keys, clicks and sizes, draws, and leaves the terminal as it was")
  func gives() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let pty = try PseudoTerminal(rows: 10, columns: 40)
      let before = pty.modes
      let screen = try TerminalScreen(
        input: pty.terminal, output: pty.terminal, capabilities: PseudoTerminal.capabilities)
      try #require(pty.modes != before)
      try #require(screen.size == TerminalSize(rows: 10, columns: 40))
      var canvas = Canvas(screen.size)
      canvas.put("Welcome", row: 1, column: 2)
      screen.draw(canvas)
      let shown = pty.output(until: "Welcome")
      try #require(shown.contains("\u{1b}[?1049h"))
      try #require(shown.contains("\u{1b}[2;3H"))
      var events = screen.events.makeAsyncIterator()
      pty.type("4\u{7f}\u{1b}[<0;3;2M\u{3}")
      try #require(await events.next() == .key(.character("4")))
      try #require(await events.next() == .key(.backspace))
      try #require(await events.next() == .mouse(TerminalMouse(.press(0), row: 1, column: 2)))
      try #require(await events.next() == .interrupt(.interrupt))
      pty.type("\u{1b}")
      try #require(await events.next() == .key(.escape))
      pty.resize(rows: 5, columns: 20)
      Self.send(SIGWINCH)
      try #require(await events.next() == .resize(TerminalSize(rows: 5, columns: 20)))
      Self.send(SIGTERM)
      try #require(await events.next() == .interrupt(.terminate))
      screen.close()
      screen.close()
      try #require(pty.output(until: PseudoTerminal.restored).hasSuffix(PseudoTerminal.restored))
      try #require(pty.modes == before)
      try #require(await events.next() == nil)
    }
  }

  @Test("notices that its terminal has gone, and drawing does no harm")
  func noticesHangup() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let pty = try PseudoTerminal()
      let screen = try TerminalScreen(
        input: pty.terminal, output: pty.terminal, capabilities: PseudoTerminal.capabilities)
      close(pty.controller)
      var last: TerminalEvent?
      for await event in screen.events { last = event }
      try #require(last == .hangup)
      screen.draw(Canvas(screen.size))
      screen.close()
    }
  }

  @Test(
    "takes a hangup signal for a request to read files again while its terminal is there, and for its end after that")
  func noticesHangupSignal() async {
    await #expect(processExitsWith: .success) {
      alarm(30)
      let pty = try PseudoTerminal()
      let screen = try TerminalScreen(
        input: pty.terminal, output: pty.terminal, capabilities: PseudoTerminal.capabilities)
      var events = screen.events.makeAsyncIterator()
      Self.send(SIGHUP)
      try #require(await events.next() == .reload)
      Self.send(SIGHUP)
      try #require(await events.next() == .reload)
      close(pty.controller)
      Self.send(SIGHUP)
      try #require(await events.next() == .hangup)
      try #require(await events.next() == nil)
      screen.close()
    }
  }

  @Test("leaves the terminal as it was when the program ends without closing it")
  func restoresAtExit() async throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    let name = pty.name
    await #expect(processExitsWith: .exitCode(7)) { [name = name as String] in
      alarm(30)
      let screen = try PseudoTerminal.screen(on: name)
      screen.draw(Canvas(screen.size))
      exit(7)
    }
    #expect(pty.output(until: PseudoTerminal.restored).contains(PseudoTerminal.restored))
    #expect(pty.modes == before)
  }

  @Test(
    "leaves the terminal as it was when the program crashes, and the crash is still seen",
    arguments: [
      SIGABRT, SIGSEGV, SIGILL,
    ])
  func restoresAfterCrash(signal: Int32) async throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    let name = pty.name
    await #expect(processExitsWith: .signal(signal)) { [name = name as String, signal] in
      alarm(30)
      let screen = try PseudoTerminal.screen(on: name)
      screen.draw(Canvas(screen.size))
      // The first two of these signals reach a thread of a task; an abort is more than its signal.
      if signal == SIGABRT { abort() }
      raise(signal)
    }
    #expect(pty.output(until: PseudoTerminal.restored).contains(PseudoTerminal.restored))
    #expect(pty.modes == before)
  }

  @Test("leaves the terminal as it was when the program is asked twice to end and does not")
  func restoresWhenHanging() async throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    let name = pty.name
    await #expect(processExitsWith: .signal(SIGTERM)) { [name = name as String] in
      alarm(30)
      let screen = try PseudoTerminal.screen(on: name)
      var events = screen.events.makeAsyncIterator()
      Self.send(SIGTERM)
      try #require(await events.next() == .interrupt(.terminate))
      Self.send(SIGTERM)
      // A program that hangs.
      sleep(30)
    }
    #expect(pty.output(until: PseudoTerminal.restored).contains(PseudoTerminal.restored))
    #expect(pty.modes == before)
  }

  @Test("needs a terminal that can move its cursor")
  func needsTerminal() throws {
    let pty = try PseudoTerminal()
    let dumb = TerminalCapabilities(isTerminal: true) { $0 == "TERM" ? "dumb" : nil }
    #expect(throws: TerminalError.self) {
      try TerminalScreen(input: pty.terminal, output: pty.terminal, capabilities: dumb)
    }
    let file = unsafe open("/dev/null", O_RDWR)
    defer { close(file) }
    #expect(throws: TerminalError.self) { try TerminalScreen(input: file, output: file) }
  }
}
