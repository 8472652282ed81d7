internal import Glibc

extension CommandLineCommand {
  /// Reads the command line of this process. Prints the help page or the version and ends the process where they were
  /// asked for; says what is wrong and ends it with ``ExitStatus/usage`` where the command line is wrong.
  package func valuesOrExit() -> CommandLineValues {
    do throws(CommandLineError) {
      switch try parse(Array(CommandLine.arguments.dropFirst())) {
      case .run(let values): return values
      case .help(let page): leave(LineOutput.standardOutput.write(page) ? .success : .inputOutput)
      case .version(let line): leave(LineOutput.standardOutput.write(line + "\n") ? .success : .inputOutput)
      }
    } catch {
      for line in "\(error)".split(separator: "\n") { LineOutput.standardError.say(String(line)) }
      leave(.usage)
    }
  }
}

/// Ends the process with this status. What `atexit` knows, such as a terminal to restore, is done first.
package func leave(_ status: ExitStatus) -> Never {
  exit(status.rawValue)
}
