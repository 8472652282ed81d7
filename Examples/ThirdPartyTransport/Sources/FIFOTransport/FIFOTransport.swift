public import CheckIn
internal import Glibc

/// Connections between programs of one machine and one user, over named pipes: `fifo:///run/user/1000/checkin`.
///
/// A listener has one named pipe, at its path. Who dials makes two more beside it, one for each direction, and writes their
/// names into the listener's. When both ends have them open their names are removed.
public final class FIFOTransport: Transport {
  /// How many connections wait for ``CheckIn/Listener/accept()`` before a further dial has to wait.
  public static let backlog = 64
  /// The longest path, in bytes.
  public static let longestPath = 200

  private let thread = PollThread()

  /// A transport with a thread of its own.
  public init() {
    // A pipe whose reader has gone is an error for us, and not the end of the process.
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// `fifo`.
  public var scheme: String { "fifo" }

  /// Half-close: each direction is a pipe of its own.
  public var capabilities: TransportCapabilities { [.halfClose] }

  /// Opens a connection to the program that listens at the path.
  public func connect(to endpoint: Endpoint, before deadline: Deadline?) async throws(TransportError) -> any Connection
  {
    let path = try FIFOPath(endpoint)
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
    let dial = try FIFODial(path, thread: thread)
    return try await dial.connect(before: deadline ?? .now + .seconds(10))
  }

  /// Listens at the path. A pipe that a dead program has left there is used again.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let path = try FIFOPath(endpoint)
    return FIFOListener(try FIFOListenerCore(path, thread: thread))
  }
}
