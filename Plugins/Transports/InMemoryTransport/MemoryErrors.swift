internal import CheckIn

extension TransportError {
  static func cancelled(_ what: String) -> TransportError {
    TransportError(.cancelled, "\(what) was cancelled.")
  }

  static func timedOut(_ what: String) -> TransportError {
    TransportError(.timedOut, "\(what) did not end in time.")
  }

  static func refused(_ endpoint: Endpoint) -> TransportError {
    TransportError(
      .refused,
      "Nobody listens at \(endpoint) in this process. Start the listener first. Other programs cannot be reached by "
        + "memory://.")
  }

  static let connectionClosed = TransportError(.closed, "This side has closed the connection.")
  static let listenerClosed = TransportError(.closed, "This listener was closed.")
  static let finishedSending = TransportError(.closed, "This side has finished sending.")
  static let peerLost = TransportError(.lost, "The peer is gone.")
}
