/// The numbers of the message types on the wire.
enum MessageType: UInt64 {
  case hello = 1
  case initialRequest = 2
  case pin = 3
  case checkInRequest = 4
  case result = 5
  case notice = 6
  case cancel = 7
  case goodbye = 8

  /// Types from here on may be skipped by who does not know them.
  static let firstIgnorable: UInt64 = 64
}

/// The numbers of the notices on the wire.
enum NoticeCode: UInt64 {
  case waiting = 1
  case onScreen = 2
  case wrongPIN = 3
  case confirmationFailed = 4
}
