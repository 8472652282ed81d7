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

  static func closedWhileAdvertised(_ endpoint: Endpoint) -> TransportError {
    TransportError(.closed, "The listener at \(endpoint) was closed, and so its advertisement ended.")
  }

  static let browserClosed = TransportError(.closed, "This side has stopped looking for kiosks.")
  static let connectionClosed = TransportError(.closed, "This side has closed the connection.")
  static let listenerClosed = TransportError(.closed, "This listener was closed.")
  static let finishedSending = TransportError(.closed, "This side has finished sending.")
  static let peerLost = TransportError(.lost, "The peer is gone.")
}
