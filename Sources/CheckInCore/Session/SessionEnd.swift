/// How a session ended, for the observer of either side.
public enum SessionEnd: Hashable, Sendable {
  /// Both sides said goodbye.
  case finished
  /// The peer ended its direction without a goodbye.
  case peerFinished
  /// The connection broke.
  case peerLost
  /// A wait was over; the name says which: `initial_request`, `session`, `hello`, `answer`, `person`, `goodbye`.
  case timedOut(String)
  /// An invalid token: the silence was kept to its end (R16).
  case silence
  /// The peer broke the protocol.
  case fault(SessionFault)
  /// A new session of the same token took over (R6).
  case superseded
  /// It had sent no request yet, it was the oldest of those, and others needed its place (R19).
  case displaced
  /// Our own side was told to stop.
  case stopped
  /// Our own side could not go on: its key would not sign, or its ledger would not answer.
  case failed

  /// The name in JSON and logs.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .peerFinished: "peer_finished"
    case .peerLost: "peer_lost"
    case .timedOut: "timed_out"
    case .silence: "silence"
    case .fault: "protocol_error"
    case .superseded: "superseded"
    case .displaced: "displaced"
    case .stopped: "stopped"
    case .failed: "failed"
    }
  }

  /// What is behind the name, where there is more: the wait that was over, or the fault.
  public var detail: String? {
    switch self {
    case .timedOut(let wait): wait
    case .fault(let fault): fault.name
    default: nil
    }
  }
}
