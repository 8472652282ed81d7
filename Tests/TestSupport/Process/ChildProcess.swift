internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that runs for a test: what it writes is kept, what it reads is typed, and every wait is bounded.
///
/// Made by ``run(_:_:environment:input:output:errors:body:)``, which ends the program with the call, whatever happens.
package final class ChildProcess: Sendable {
  /// What the program's standard input or output is.
  package enum Stream: Sendable {
    /// The test's.
    case captured
    /// Nothing is there: `/dev/null`.
    case null
    /// A descriptor of this process.
    case descriptor(Int32)
    /// The descriptor is closed.
    case closed
    /// The pseudo-terminal of this program.
    case terminal(rows: Int, columns: Int)
  }

  struct State {
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var partial: [UInt8] = []
    var events: [ProcessEvent] = []
    var picture: TerminalPicture?
    var exit: ProcessExit?
    var dropsOutput = false
    var isClosed = false
  }

  /// The process.
  package let pid: Int32
  let name: String
  let state: Mutex<State>
  let bell = ProcessBell()
  private let terminal: ProcessTerminal?
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let wake: (ours: Int32, theirs: Int32)

  /// Runs a program of this package, or any program by its path, for the time of `body`; then kills it if it still runs.
  package static func run<Value>(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: Stream = .captured, output: Stream = .captured, errors: Stream = .captured,
    body: (ChildProcess) async throws -> Value
  ) async throws -> Value {
    let path = program.hasPrefix("/") ? program : try BuiltProgram.path(program)
    let child = try ChildProcess(
      path, arguments, environment: environment, input: input, output: output, errors: errors)
    do {
      let value = try await body(child)
      await child.end()
      return value
    } catch {
      await child.end()
      throw error
    }
  }

  private init(
    _ path: String, _ arguments: [String], environment: [String: String], input: Stream, output: Stream,
    errors: Stream
  ) throws(ProcessFailure) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    var terminal: ProcessTerminal?
    var picture: TerminalPicture?
    for case .terminal(let rows, let columns) in [input, output] where terminal == nil {
      terminal = try ProcessTerminal(rows: rows, columns: columns)
      picture = TerminalPicture(rows: rows, columns: columns)
    }
    var theirs: [Int32] = []
    defer { for descriptor in theirs { close(descriptor) } }
    func place(_ stream: Stream, flags: Int32) throws(ProcessFailure) -> (ProcessSpawn.Place, ours: Int32) {
      switch stream {
      case .captured:
        let pair = try ProcessSpawn.pair()
        theirs.append(pair.theirs)
        return (.copy(pair.theirs), pair.ours)
      case .null: return (.file("/dev/null", flags: flags), -1)
      case .descriptor(let descriptor): return (.copy(descriptor), -1)
      case .closed: return (.closed, -1)
      case .terminal: return (.file(terminal?.path ?? "", flags: O_RDWR), -1)
      }
    }
    let (inputPlace, ours) = try place(input, flags: O_RDONLY)
    let (outputPlace, outputEnd) = try place(output, flags: O_WRONLY)
    let (errorPlace, errorEnd) = try place(errors, flags: O_WRONLY)
    var values = ProcessInfo.processInfo.environment
    values.merge(["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC"]) { $1 }
    // What the runner of the tests sets for itself: nobody has it who runs the programs.
    for name in ["NO_COLOR", "SWIFT_BACKTRACE"] { values[name] = nil }
    values.merge(environment) { $1 }
    pid = try ProcessSpawn.start(
      path, arguments, environment: values.map { "\($0)=\($1)" }, places: [inputPlace, outputPlace, errorPlace],
      newSession: terminal != nil)
    wake = try ProcessSpawn.pair()
    self.terminal = terminal
    self.input = ours >= 0 ? ours : terminal?.controller ?? -1
    self.output = outputEnd >= 0 ? outputEnd : terminal?.controller ?? -1
    self.errors = errorEnd
    state = Mutex(State(picture: picture))
    Thread.detachNewThread { self.listen() }
  }

  // MARK: - What it says

  /// What it has written to standard output so far.
  package var outputText: String { state.withLock { String(decoding: $0.output, as: UTF8.self) } }
  /// What it has written to standard error so far.
  package var errorText: String { state.withLock { String(decoding: $0.errors, as: UTF8.self) } }
  /// Every byte that it has written, for a search.
  package var everything: [UInt8] { state.withLock { $0.output + $0.errors } }
  /// The lines of JSON that it has written so far.
  package var events: [ProcessEvent] { state.withLock { $0.events } }

  /// The lines of JSON with this name so far.
  package func events(_ name: String) -> [ProcessEvent] { events.filter { $0.name == name } }

  /// Waits for a line of JSON with this name; the first, unless said otherwise, of those that fulfil a condition.
  @discardableResult
  package func event(
    _ name: String, _ number: Int = 1, atMost time: Duration = .seconds(60),
    where condition: @Sendable (ProcessEvent) -> Bool = { _ in true }
  ) async throws -> ProcessEvent {
    try await wait("an event “\(name)” (number \(number))", atMost: time) { state in
      let found = state.events.filter { $0.name == name && condition($0) }
      return found.count >= number ? found[number - 1] : nil
    }
  }

  /// Waits until standard error has this text in it.
  package func complaint(_ text: String, atMost time: Duration = .seconds(60)) async throws {
    try await wait("“\(text)” on standard error", atMost: time) { state in
      String(decoding: state.errors, as: UTF8.self).contains(text) ? () : nil
    }
  }

  /// Waits until the person at the terminal sees something; answers the picture.
  @discardableResult
  package func picture(
    _ what: String, atMost time: Duration = .seconds(60), where condition: @Sendable (TerminalPicture) -> Bool
  ) async throws -> TerminalPicture {
    try await wait("“\(what)” on the screen", atMost: time) { state in
      state.picture.flatMap { condition($0) ? $0 : nil }
    }
  }

  /// The picture now.
  package var picture: TerminalPicture? { state.withLock { $0.picture } }

  /// Waits until it has ended.
  @discardableResult
  package func exit(atMost time: Duration = .seconds(60)) async throws -> ProcessExit {
    try await wait("its end", atMost: time) { $0.exit }
  }

  /// Whether it is stopped, as by Ctrl-Z (proc_pid_stat(5)).
  package var isStopped: Bool {
    let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return status?.split(separator: ")").last?.hasPrefix(" T") == true
  }

  /// How it ended; nil while it runs.
  package var ended: ProcessExit? { state.withLock { $0.exit } }

  private func wait<Value: Sendable>(
    _ what: String, atMost time: Duration, _ look: @Sendable (borrowing State) -> Value?
  ) async throws -> Value {
    let deadline = ContinuousClock.now + time
    while true {
      let rings = bell.rings
      let (found, exit) = state.withLock { (look($0), $0.exit) }
      if let found { return found }
      try Task.checkCancellation()
      if let exit { throw failure("ended (\(exit)) before \(what)") }
      if ContinuousClock.now >= deadline { throw failure("gave no sign of \(what) within \(time)") }
      await bell.wait(after: rings, before: deadline)
    }
  }

  private func failure(_ what: String) -> ProcessFailure {
    let picture = self.picture.map { "\nscreen:\n\($0.text)" } ?? "\nstandard output:\n\(outputText)"
    return ProcessFailure("\(name) \(what).\(picture)\nstandard error:\n\(errorText)")
  }

  // MARK: - What is done to it

  /// Types on its standard input or terminal.
  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    var offset = 0
    while offset < bytes.count {
      // The pointer is good for the time of the call, and `offset` stays within the bytes.
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe terminal == nil
          ? send(input, buffer.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
          : write(input, buffer.baseAddress! + offset, bytes.count - offset)
      }
      guard written > 0 else { return }
      offset += written
    }
  }

  /// Ends its standard input.
  package func endInput() {
    if terminal == nil { shutdown(input, Int32(SHUT_WR)) }
  }

  /// Goes away: nobody reads its output any more, or its terminal is closed.
  package func hangUp() {
    state.withLock { $0.dropsOutput = true }
    var byte: UInt8 = 0
    // One byte of this frame.
    _ = unsafe send(wake.ours, &byte, 1, Int32(MSG_NOSIGNAL))
  }

  /// Gives its terminal another size.
  package func resize(rows: Int, columns: Int) {
    state.withLock { $0.picture?.resize(rows: rows, columns: columns) }
    terminal?.resize(rows: rows, columns: columns)
  }

  /// Sends it a signal, if it still runs. A program on a terminal has a group of its own, which can have the signal whole.
  package func signal(_ number: Int32, toGroup: Bool = false) {
    state.withLock { state in
      if state.exit == nil { _ = kill(toGroup && terminal != nil ? -pid : pid, number) }
    }
  }

  /// Kills it, if it still runs, and waits until it is gone.
  package func end() async {
    signal(SIGKILL, toGroup: true)
    let deadline = ContinuousClock.now + .seconds(10)
    while ended == nil, ContinuousClock.now < deadline {
      let rings = bell.rings
      // Waits in a task of its own: this one may be cancelled, and then waits for nothing.
      if ended == nil { await Task { await bell.wait(after: rings, before: deadline) }.value }
    }
    if ended != nil { closeAll() }
  }

  // MARK: - The thread that listens

  /// Reads until both outputs have ended, then waits for the program's end.
  private func listen() {
    var open = [output, errors].filter { $0 >= 0 }
    while !open.isEmpty {
      var polls = (open + [wake.theirs]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      // The array is ours for the time of the call.
      guard unsafe poll(&polls, nfds_t(polls.count), -1) > 0 else { continue }
      if polls[polls.count - 1].revents != 0 {
        open.removeAll { $0 == output }
        close(output)
        break
      }
      for entry in polls.dropLast() where entry.revents != 0 {
        if !read(entry.fd) { open.removeAll { $0 == entry.fd } }
      }
    }
    for descriptor in open { drain(descriptor) }
    reap()
    bell.ring()
  }

  /// Closes what is ours, once: a number that is closed may be somebody else's already. Nothing is done to the program
  /// after this.
  private func closeAll() {
    let (isFirst, dropped) = state.withLock { state in
      defer { state.isClosed = true }
      return (!state.isClosed, state.dropsOutput ? output : -1)
    }
    guard isFirst else { return }
    for descriptor in Set([input, output, errors, wake.ours, wake.theirs]) where descriptor >= 0 {
      if descriptor != dropped { close(descriptor) }
    }
  }

  private func drain(_ descriptor: Int32) {
    while read(descriptor) {}
  }

  /// Reads what there is. False at the end: a terminal whose program has gone says so with an error.
  private func read(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // The buffer is ours for the time of the call.
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    let bytes = Array(buffer.prefix(count))
    state.withLock { state in
      if descriptor == errors { return state.errors += bytes }
      state.output += bytes
      state.picture?.take(bytes)
      guard state.picture == nil else { return }
      state.partial += bytes
      while let end = state.partial.firstIndex(of: 0x0a) {
        if let event = ProcessEvent(String(decoding: state.partial[..<end], as: UTF8.self)) {
          state.events.append(event)
        }
        state.partial.removeFirst(end + 1)
      }
    }
    bell.ring()
    return true
  }

  private func reap() {
    var info = unsafe siginfo_t()
    // Left for `waitpid`, so that no signal can go to a process that has taken the number over.
    while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      // The integer is ours for the time of the call.
      _ = unsafe waitpid(pid, &status, 0)
      state.exit = ProcessExit(waitStatus: status)
    }
  }
}
