public import EnrollmentCore

/// Sends text messages to phones.
public protocol SMSSender: Sendable {
  /// Sends one message. When it returns, the message is on its way.
  ///
  /// - Throws: ``SMSError``. Then nothing was sent.
  func send(_ text: String, to number: PhoneNumber) async throws(SMSError)
}

/// A message could not be sent.
public struct SMSError: Error, Sendable, CustomStringConvertible {
  /// What happened, to what, what to do: for people. It holds neither number nor text.
  public let message: String

  /// An error with its explanation.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
