internal import CheckIn
internal import Synchronization

/// The calls of the transport that a check has made and that have not returned: what a check that hangs hangs in, and
/// which call lets its deadline pass.
final class CallWatch: Sendable {
  /// One call that has not returned.
  enum Call: Hashable, Sendable, CustomStringConvertible {
    case listen(Endpoint)
    case dial(Endpoint)
    case accept
    case send(Int)
    case receive
    case finish
    case closeConnection
    case closeListener

    /// The call's name, as in the documentation.
    var name: String {
      switch self {
      case .listen: "listen"
      case .dial: "connect"
      case .accept: "accept"
      case .send: "send"
      case .receive: "receive"
      case .finish: "finish"
      case .closeConnection, .closeListener: "close"
      }
    }

    var description: String {
      switch self {
      case .listen(let endpoint): "listen at \(endpoint)"
      case .dial(let endpoint): "connect to \(endpoint)"
      case .accept: "accept"
      case .send(let count): "send of \(count) bytes"
      case .receive: "receive"
      case .finish: "finish"
      case .closeConnection: "close of a connection"
      case .closeListener: "close of a listener"
      }
    }
  }

  private struct State {
    var calls: [Int: (call: Call, due: Deadline?)] = [:]
    var last = 0
    var lastCall: Call?
  }

  /// How long after its deadline a call may return.
  let grace: Duration
  private let state = Mutex(State())

  init(grace: Duration) {
    self.grace = grace
  }

  /// Notes that a call begins, and answers its number.
  func begin(_ call: Call, before deadline: Deadline? = nil) -> Int {
    let due = deadline.map { max($0, .now) + grace }
    return state.withLock { state in
      state.last += 1
      state.calls[state.last] = (call, due)
      state.lastCall = call
      return state.last
    }
  }

  /// Notes that the call of that number has returned.
  func end(_ number: Int) {
    state.withLock { $0.calls[number] = nil }
  }

  /// A call that should have returned: its deadline is past, and the grace behind it.
  func overdue(now: Deadline = .now) -> Call? {
    state.withLock { state in
      state.calls.sorted { $0.key < $1.key }.first { $0.value.due.map { $0 < now } == true }?.value.call
    }
  }

  /// What has not returned, oldest first, and what was called last of all.
  var waiting: (calls: [Call], last: Call?) {
    state.withLock { state in
      (state.calls.sorted { $0.key < $1.key }.map(\.value.call), state.lastCall)
    }
  }
}
