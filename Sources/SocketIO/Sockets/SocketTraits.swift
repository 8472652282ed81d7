/// How one kind of stream socket differs from another.
public struct SocketTraits: Sendable {
  /// The most bytes that go into one system call, where the kind has such a limit (the MTU of L2CAP); nil: none.
  public var maximumWrite: Int?
  /// Asks an open connection for the most bytes that go into one system call, where that is the peer's to say; nil while
  /// the connection is not open yet. Takes precedence over ``maximumWrite``.
  public var measureWrite: (@Sendable (borrowing Descriptor) -> Int?)?
  /// One direction can be ended alone.
  public var hasHalfClose: Bool
  /// A receive that gave less than was asked for has taken everything: true of streams, false of packets. It saves a
  /// system call for each message.
  public var shortReceiveDrains: Bool
  /// Each send is a packet of its own, which the system takes whole (Linux's management of Bluetooth): none are put together.
  /// It answers a packet that it refuses with another, and says then that it has taken no byte of it.
  public var keepsPackets = false
  /// The system tells how much the peer's system has not confirmed (TCP). ``SocketConnection/close()`` then waits for it.
  public var confirmsDelivery: Bool
  /// What the system tells is how much room the send buffer has (Bluetooth), instead of how much is not confirmed.
  public var reportsRoom = false
  /// The peer's end reads as a reset first (Bluetooth): what is read after it tells a good end from a broken link.
  public var resetMayBeEnd = false
  /// A dial that is given up has to be brought to its end, because the system would not tell the peer of it, who then
  /// keeps a connection without another end (Bluetooth). It takes at most ``linger``.
  public var finishesDials = false
  /// Whether so much is unread that the system could hand it out in the wrong order, if more arrived in the middle of a
  /// receive (Bluetooth). A receive then rests first, until the sender has run out of what it may send.
  public var isCrowded: (@Sendable (borrowing Descriptor) -> Bool)?
  /// How long it rests.
  public var rest = Duration.milliseconds(100)
  /// Closing the socket blocks while the peer has not confirmed what was sent, for up to ten seconds (Bluetooth Classic). A
  /// thread of its own does it then, so that a loop never waits for it.
  public var closeBlocks = false
  /// ``SocketConnection/abort()`` can reset the connection, so that the peer knows that it was no good end.
  public var abortResets: Bool
  /// How long ``SocketConnection/close()`` goes on to deliver what was sent.
  public var linger: Duration

  /// The traits of a Unix stream socket, unless said otherwise.
  public init(
    maximumWrite: Int? = nil, hasHalfClose: Bool = true, shortReceiveDrains: Bool = true,
    confirmsDelivery: Bool = false, abortResets: Bool = false, linger: Duration = .seconds(5)
  ) {
    self.maximumWrite = maximumWrite
    self.hasHalfClose = hasHalfClose
    self.shortReceiveDrains = shortReceiveDrains
    self.confirmsDelivery = confirmsDelivery
    self.abortResets = abortResets
    self.linger = linger
  }
}
