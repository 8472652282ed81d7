internal import Glibc

/// Whether a terminal is still there. A hangup signal alone does not say: people also send it to have files read again.
package enum TerminalPresence {
  /// Whether one of the descriptors was a terminal that has gone. One that never was a terminal has not gone.
  package static func hasGone(_ descriptors: [Int32]) -> Bool {
    descriptors.contains { descriptor in
      var attributes = termios()
      // The structure is ours for the time of the call.
      return unsafe tcgetattr(descriptor, &attributes) != 0 && errno == EIO
    }
  }
}
