package import CheckInCore

/// What the shell needs to know of a session to run it over a connection.
package protocol SessionMachine: ~Copyable, Sendable {
  associatedtype Input: Sendable
  associatedtype Action: Sendable
  associatedtype Timer: Hashable & Sendable

  /// How what a connection does is said to this machine.
  static func input(_ event: ConnectionEvent) -> Input
  /// How a timer that ran out is said to this machine.
  static func input(fired timer: Timer) -> Input

  /// Whether nothing more will come of this session.
  var isEnded: Bool { get }

  /// Takes one input and answers what to do.
  mutating func handle(_ input: Input, now: Moment) -> [Action]
}

/// What a connection can do to a session.
package enum ConnectionEvent: Sendable {
  case received([UInt8])
  case framingFailed
  case finished
  case lost
}

extension KioskSession: SessionMachine {
  package static func input(_ event: ConnectionEvent) -> KioskInput {
    switch event {
    case .received(let body): .received(body)
    case .framingFailed: .framingFailed
    case .finished: .peerFinished
    case .lost: .peerLost
    }
  }

  package static func input(fired timer: KioskTimer) -> KioskInput { .timerFired(timer) }
}

extension AttendeeSession: SessionMachine {
  package static func input(_ event: ConnectionEvent) -> AttendeeInput {
    switch event {
    case .received(let body): .received(body)
    case .framingFailed: .framingFailed
    case .finished: .peerFinished
    case .lost: .peerLost
    }
  }

  package static func input(fired timer: AttendeeTimer) -> AttendeeInput { .timerFired(timer) }
}
