internal import CheckInCore
internal import Glibc

/// Asks a person for a password at the terminal of standard input, without echo.
enum PasswordPrompt {
  /// How long a person may think.
  private static let patience = Duration.seconds(300)

  /// Asks on standard error, so that standard output can be kept.
  ///
  /// - Throws: ``FileError`` when there is no terminal, nobody answers, or the person gives up (Ctrl-C, Ctrl-D).
  static func ask(_ question: String) throws(FileError) -> SecretBytes {
    var original = termios()
    // Unsafe: the structure is ours for the time of each call.
    guard unsafe tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw FileError(
        .noInput,
        "A password is wanted, and there is no terminal to ask at. Use --password-file, --password-fd or --password-env."
      )
    }
    var silent = original
    // Keys come one by one and signals come as keys, so that the terminal is put back whatever is typed.
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    TerminalRescue.arm(input: STDIN_FILENO, output: STDERR_FILENO, attributes: original, sequence: [])
    let before = restoreOnSignals()
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
      TerminalRescue.restore()
      setBack(before)
      throw FileError(
        .inputOutput, "The terminal cannot be told not to show what is typed, so no password is asked for.")
    }
    defer {
      TerminalRescue.restore()
      setBack(before)
      LineOutput.standardError.write("\n")
    }
    LineOutput.standardError.write(question.printable)
    var typed: [UInt8] = []
    typed.reserveCapacity(PasswordSource.longest + 1)
    defer { SecretBytes.wipe(&typed) }
    let deadline = ContinuousClock.now + patience
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero, Descriptor.wait(for: [(STDIN_FILENO, Int16(POLLIN))], atMost: left)[0] != 0,
        case .success(let keys) = Descriptor.readSome(STDIN_FILENO, limit: 1), let key = keys.first
      else { throw FileError(.noInput, "Nobody typed a password.") }
      switch key {
      case 0x0a, 0x0d:
        guard !typed.isEmpty else { throw FileError(.badData, "The password is empty. Please try again.") }
        return SecretBytes(typed)
      case 0x03, 0x04: throw FileError(.noInput, "No password was given.")
      case 0x08, 0x7f:
        // A whole character of UTF-8.
        while let last = typed.popLast(), last & 0xc0 == 0x80 {}
      case 0x15: SecretBytes.wipe(&typed)
      case 0..<0x20: continue
      default:
        guard typed.count < PasswordSource.longest else { throw FileError(.badData, "The password is too long.") }
        typed.append(key)
      }
    }
  }

  /// Lets a signal that ends the program show again first what is typed.
  private static func restoreOnSignals() -> [(Int32, sigaction)] {
    [SIGTERM, SIGHUP].map { number in
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
      // Unsafe: C reads the structure during the call.
      _ = unsafe sigaction(number, &action, nil)
    }
  }
}
