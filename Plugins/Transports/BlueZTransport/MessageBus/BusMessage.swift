internal import CheckIn

/// A call of a method.
package struct BusCall: Sendable {
  package let destination: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [BusValue]

  package init(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// A signal: one that came, with its sender, or one to send.
package struct BusSignal: Sendable {
  /// The unique name of who sent it, as the bus vouches for it; empty in one to send.
  package var sender = ""
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [BusValue]

  package init(_ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]) {
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}

/// A call that somebody makes to an object of ours.
package struct BusRequest: Sendable {
  /// The unique name of the caller, as the bus vouches for it.
  package let sender: String
  package let path: String
  package let interface: String
  package let member: String
  package let arguments: [BusValue]
}

/// What a request is answered.
package enum BusAnswer: Sendable {
  case values([BusValue])
  case error(name: String, text: String)

  /// There is no such method, interface or object here.
  package static func unknown(_ request: BusRequest) -> BusAnswer {
    .error(
      name: "org.freedesktop.DBus.Error.UnknownMethod",
      text: "There is no \(request.interface).\(request.member) at \(request.path).")
  }
}

/// Why a call has no result.
package enum BusError: Error, Hashable, Sendable {
  /// There is no bus, or the connection with it has ended: the number of the system's error.
  case noBus(Int32)
  /// Nobody answered in time.
  case timedOut
  /// The task was cancelled.
  case cancelled
  /// The call cannot be written: the number of the system's error.
  case unwritable(Int32)
  /// The answer is of types that nobody sends, too deep or too long.
  case unreadable
  /// The other end answered with an error.
  case refused(name: String, text: String)
}
