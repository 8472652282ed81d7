internal import CheckInCore
internal import Glibc

/// Asks the person at the terminal for a password, which is not shown.
enum PasswordPrompt {
  /// The longest password that is taken.
  static let longest = 1024

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Asks on the process's own terminal, whatever standard input and output are; nil when there is none.
  ///
  /// However the process ends meanwhile, the terminal shows again what is typed.
  static func ask(_ question: String) throws(ExampleError) -> SecretBytes? {
    // Unsafe: C reads the path during the call.
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var attributes = termios()
    // Unsafe: C writes into this structure during the call.
    guard unsafe tcgetattr(terminal, &attributes) == 0 else { return nil }
    TerminalRescue.arm(input: terminal, output: terminal, attributes: attributes, sequence: [])
    let before = restoreOnSignals()
    defer {
      TerminalRescue.restore()
      setBack(before)
    }
    var silent = attributes
    silent.c_lflag &= ~tcflag_t(ECHO)
    // What was typed before the question is no answer to it. Unsafe: C reads the structure during the call.
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
    _ = Descriptor.writeAll(Array("\(question): ".utf8), to: terminal)
    defer { _ = Descriptor.writeAll([UInt8(ascii: "\n")], to: terminal) }
    return try readLine(from: terminal)
  }

  private static func readLine(from terminal: Int32) throws(ExampleError) -> SecretBytes {
    var line: [UInt8] = []
    line.reserveCapacity(longest)
    defer { SecretBytes.wipe(&line) }
    while true {
      switch Descriptor.readSome(terminal, limit: 256) {
      case .failure(let fault): throw ExampleError(.inputOutput, "The password cannot be read from the terminal: \(fault).")
      case .success(var bytes):
        defer { SecretBytes.wipe(&bytes) }
        for byte in bytes {
          if byte == UInt8(ascii: "\n") { return SecretBytes(line) }
          guard line.count < longest else {
            throw ExampleError(.badData, "A password has at most \(longest) bytes.")
          }
          line.append(byte)
        }
        // The end of the input, by Ctrl-D, is the end of the answer.
        if bytes.isEmpty { return SecretBytes(line) }
      }
    }
  }

  private static func restoreOnSignals() -> [(Int32, sigaction)] {
    signals.map { number in
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { number in
        TerminalRescue.restore()
        // The signal does then what it does to a program that does not listen to it.
        signal(number, SIG_DFL)
        raise(number)
      }
      var before = sigaction()
      // Unsafe: C reads one structure and writes the other during the call.
      _ = unsafe sigaction(number, &action, &before)
      return (number, before)
    }
  }

  private static func setBack(_ actions: [(Int32, sigaction)]) {
    for (number, action) in actions {
      var action = action
      _ = unsafe sigaction(number, &action, nil)
    }
  }
}
