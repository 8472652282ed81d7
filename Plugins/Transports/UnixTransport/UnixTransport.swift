public import CheckIn
internal import Glibc
public import SocketIO

/// Connections between programs of one machine, over a socket in the file system: `unix:///run/checkin.sock`.
///
/// The address is an absolute path of at most 107 bytes. A socket file that a dead program has left is replaced; one
/// on which somebody listens, and any other kind of file, never is. The file is removed when the listener closes. Its
/// permissions are `0600`, so that only the same user can connect, or what `mode` says: `unix:///run/x.sock?mode=0660`.
///
/// How a connection ends is told less exactly than over TCP: when the peer aborts or dies, and no byte of ours lies
/// unread at its end, we read a good end (``Reception/finished``), not a loss. Frames, and the goodbye message, tell.
public struct UnixTransport: Transport {
  private let loops: EventLoopGroup
  private let connectTimeout: Duration
  private let backlog: Int
  private let traits: SocketTraits

  /// A transport whose connections share these loops.
  ///
  /// - Parameters:
  ///   - loops: where the connections live.
  ///   - connectTimeout: how long a dial without a deadline waits for a place in the listener's queue.
  ///   - linger: how long ``Connection/close()`` goes on to deliver what was sent.
  ///   - backlog: how many connections wait for ``Listener/accept()``; the system may have a lower limit.
  public init(
    loops: EventLoopGroup, connectTimeout: Duration = .seconds(10), linger: Duration = .seconds(5),
    backlog: Int = 1024
  ) {
    self.loops = loops
    self.connectTimeout = connectTimeout
    self.backlog = backlog
    traits = SocketTraits(linger: linger)
  }

  /// `unix`.
  public var scheme: String { "unix" }

  /// Half-close. The bytes stay on this machine, but other programs of it could be at the other end.
  public var capabilities: TransportCapabilities { [.halfClose] }

  /// Opens a connection to the program that listens at the path.
  public func connect(
    to endpoint: Endpoint, before deadline: Deadline?
  ) async throws(TransportError) -> any Connection {
    let path = try UnixPath(endpoint)
    let deadline = deadline ?? .now + connectTimeout
    var pause = Duration.milliseconds(2)
    while true {
      guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
      do throws(TransportError) {
        return try await connect(to: path, before: deadline)
      } catch {
        guard let cause = error.cause as? SystemError, cause.number == EAGAIN else {
          throw TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
        }
      }
      // The listener's queue is full, and the system does not wait for this kind of socket.
      guard .now < deadline else {
        throw TransportError(.timedOut, "\(endpoint): the listener did not accept in time.")
      }
      try? await Task.sleep(until: min(.now + pause, deadline), clock: .continuous)
      pause = min(pause * 2, .milliseconds(100))
    }
  }

  /// Listens at the path.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let path = try UnixPath(endpoint)
    do throws(TransportError) {
      let lock = await DirectoryLock.take(forFileAt: path.text)
      let listening = try path.bind(backlog: Int32(clamping: backlog))
      _ = consume lock
      let file = listening.file
      return try SocketListener(
        listening.descriptor, endpoint: path.endpoint, loops: loops, traits: traits, names: Self.names,
        free: { path.remove(ifStill: file) })
    } catch {
      throw TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
    }
  }

  private func connect(to path: UnixPath, before deadline: Deadline) async throws(TransportError) -> SocketConnection {
    let descriptor = try Descriptor.stream(family: AF_UNIX)
    // A name of our own, made by the system (unix(7), autobind), so that the two ends can tell connections apart.
    if let unnamed = SocketAddress.unnamed { _ = descriptor.bind(to: unnamed) }
    return try await SocketConnection.connect(
      descriptor, to: path.address, loops: loops, traits: traits, before: deadline, names: Self.names)
  }

  private static let names: SocketNames = { descriptor, peer in
    (
      SocketAddress(of: descriptor)?.unixEndpoint ?? .unnamedUnix(process: getpid(), user: getuid()),
      peer.unixEndpoint ?? descriptor.peerCredentials.map { .unnamedUnix(process: $0.process, user: $0.user) }
        ?? Endpoint(scheme: "unix", address: "unnamed")
    )
  }
}
