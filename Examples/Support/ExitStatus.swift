/// What the example programs tell the shell. The numbers from 64 on are those of `sysexits.h`.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// The work is done; for the attendee program: admitted.
  case success = 0
  /// The kiosk said no.
  case refused = 1
  /// The kiosk did not answer.
  case noAnswer = 2
  /// The command line is wrong.
  case usage = 64
  /// A file's content is wrong.
  case badData = 65
  /// A file cannot be opened.
  case noInput = 66
  /// The other side cannot be reached.
  case unavailable = 69
  /// The program itself failed.
  case `internal` = 70
  /// A file cannot be made.
  case cannotCreate = 73
  /// Reading or writing failed midway, or the reader of our output went away.
  case inputOutput = 74
  /// The other side broke the protocol.
  case `protocol` = 76

  /// One line for the help pages.
  package var text: String {
    switch self {
    case .success: "Done."
    case .refused: "The kiosk refused."
    case .noAnswer: "The kiosk did not answer."
    case .usage: "The command line is wrong."
    case .badData: "A file’s content is wrong."
    case .noInput: "A file cannot be opened or read."
    case .unavailable: "The other side cannot be reached, or an address cannot be used."
    case .internal: "The program failed."
    case .cannotCreate: "A file cannot be made."
    case .inputOutput: "Reading or writing failed midway."
    case .protocol: "The other side broke the protocol."
    }
  }
}
