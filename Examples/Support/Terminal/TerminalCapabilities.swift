internal import Glibc

/// What may be sent to an output, by what it is and by what the person's environment says.
package struct TerminalCapabilities: Hashable, Sendable {
  /// Whether it is a terminal.
  package let isTerminal: Bool
  /// Whether the cursor can be moved: a terminal that is not `dumb`.
  package let hasScreen: Bool
  /// Whether colour is wanted: a screen, and no `NO_COLOR`.
  package let hasColour: Bool
  /// Whether more than ASCII can be shown: the locale says UTF-8.
  package let hasUnicode: Bool

  /// What the descriptor is, under this process's environment.
  package static func of(_ descriptor: Int32) -> TerminalCapabilities {
    TerminalCapabilities(isTerminal: Descriptor.isTerminal(descriptor)) { name in
      // The text is copied before anything could change the environment; the programs never do.
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
  }

  /// What an output is under a given environment.
  package init(isTerminal: Bool, environment: (String) -> String?) {
    self.isTerminal = isTerminal
    let kind = environment("TERM") ?? ""
    hasScreen = isTerminal && !kind.isEmpty && kind != "dumb"
    hasColour = hasScreen && (environment("NO_COLOR") ?? "").isEmpty
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
    let encoding = locale.uppercased()
    hasUnicode = encoding.contains("UTF-8") || encoding.contains("UTF8")
  }
}
