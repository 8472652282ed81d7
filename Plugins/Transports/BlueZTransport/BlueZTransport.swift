public import CheckIn
internal import Glibc
public import SocketIO

/// Connections over Bluetooth: L2CAP channels of the Linux kernel.
///
/// `l2cap://hci0?psm=0x0081` listens on the controller hci0; without a PSM, or with 0, a free one is taken.
/// `l2cap://00:11:22:33:44:55?psm=0x0081` dials a device. The scheme `l2cap` is Bluetooth Low Energy, with its
/// connection-oriented channels; `l2cap+bredr` is Bluetooth Classic. Parameters:
///
/// | name | for | meaning |
/// |---|---|---|
/// | `psm` | both | which listener: 0x80 to 0xff; with Classic an odd number from 0x1001 on |
/// | `type` | dialling, Low Energy | `public` (unless said otherwise) or `random`: which kind of address it is |
/// | `device` | dialling | which controller dials, such as `hci1`; else the kernel chooses |
/// | `security` | both | `low`, `medium` (encrypted) or `high` (encrypted, and the pairing was confirmed by a person) |
/// | `mtu` | both | how many bytes one packet from the peer may have, 64 to 65535; see below |
///
/// Unless `mtu` says otherwise it is 247 with Low Energy and 4096 with Classic. With Low Energy leave it: above about
/// 250 the kernel can hand out packets in the wrong order when the peer sends faster than its bytes are received
/// (`Documentation/Bluetooth.md`).
///
/// A channel ends as a whole: there is no half-close, and ``Connection/abort()`` looks to the peer like a good end, as
/// does a peer that dies while its machine lives. A link that breaks, or a controller that is switched off, at either
/// end, is a loss. A listener stays when its controller is switched off and on again. A dial that finds the listener's
/// queue full is refused by the peer's machine, in the same words as where nobody listens.
public struct BlueZTransport: Transport {
  private let link: BluetoothLink
  private let loops: EventLoopGroup
  private let connectTimeout: Duration
  private let backlog: Int
  private let traits: SocketTraits
  /// Nil with Classic: phones are found, and find, by Low Energy alone.
  let discovery: BlueZDiscovery?
  /// Those of this transport and of its copies.
  let listeners = OpenListeners()

  /// A transport whose connections share these loops.
  ///
  /// - Parameters:
  ///   - link: which radio.
  ///   - loops: where the connections live.
  ///   - connectTimeout: how long a dial without a deadline may take.
  ///   - linger: how long ``Connection/close()`` goes on to deliver what was sent.
  ///   - backlog: how many connections wait for ``Listener/accept()``.
  public init(
    _ link: BluetoothLink = .lowEnergy, loops: EventLoopGroup, connectTimeout: Duration = .seconds(20),
    linger: Duration = .seconds(5), backlog: Int = 1024
  ) {
    self.link = link
    self.loops = loops
    self.connectTimeout = connectTimeout
    self.backlog = backlog
    var traits = SocketTraits(hasHalfClose: false, confirmsDelivery: true, linger: linger)
    traits.reportsRoom = true
    traits.resetMayBeEnd = true
    traits.finishesDials = true
    traits.closeBlocks = link == .classic
    if link == .lowEnergy { traits.isCrowded = L2CAPSocket.isCrowded }
    traits.measureWrite = { descriptor in L2CAPSocket.measureWrite(link, descriptor) }
    self.traits = traits
    discovery = link == .lowEnergy ? BlueZDiscovery(loops: loops) : nil
  }

  /// `l2cap`, or `l2cap+bredr`.
  public var scheme: String { link.scheme }

  /// Free PSMs. Not `secure`: whatever the level, the peer's name on the radio proves nothing about who it is.
  public var capabilities: TransportCapabilities {
    discovery == nil ? [.ephemeralAddress] : [.ephemeralAddress, .discovery]
  }

  /// Opens a channel to the listener at that address and PSM.
  public func connect(
    to endpoint: Endpoint, before deadline: Deadline?
  ) async throws(TransportError) -> any Connection {
    let target = try L2CAPEndpoint(endpoint, of: link)
    let address = try target.peer(endpoint)
    guard !Task.isCancelled else { throw TransportError(.cancelled, "Dialling \(endpoint) was cancelled.") }
    let deadline = deadline ?? .now + connectTimeout
    do throws(TransportError) {
      let own = try ownAddress(for: target, to: address)
      let type = target.isRandom ? L2CAPSocket.randomType : link.ownType
      guard let peer = SocketAddress.l2cap(address, psm: target.psm, type: type) else {
        throw TransportError(.other, "The address does not fit.")
      }
      let socket = try L2CAPSocket(link, at: own, psm: 0, security: target.security, mtu: target.mtu)
      return try await connect(socket.take(), to: peer, before: deadline)
    } catch {
      throw TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
    }
  }

  /// Listens at a PSM of a controller. The controller may be off; connections come when it is on.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    let target = try L2CAPEndpoint(endpoint, of: link)
    try target.checkForListening(endpoint)
    do throws(TransportError) {
      guard let controller = try BluetoothControllers().controller(at: target.place) else {
        throw TransportError(.addressUnavailable, try Self.missing(target.place))
      }
      let socket = try L2CAPSocket(
        link, at: controller.address, psm: target.psm, security: target.security, mtu: target.mtu)
      let error = socket.descriptor.listen(backlog: Int32(clamping: backlog))
      guard error == 0 else { throw TransportError(bluetooth: error, "Listening failed") }
      guard let bound = SocketAddress(of: socket.descriptor)?.l2cap else {
        throw TransportError(.other, "The system does not say where the listener is.")
      }
      let (link, local, listeners) = (link, bound.endpoint(of: link), listeners)
      listeners.open(local)
      return try SocketListener(
        socket.take(), endpoint: local, loops: loops, traits: traits,
        names: { _, peer in (local, peer.l2cap?.diallerEndpoint(of: link) ?? Self.unknown(link)) },
        free: { listeners.close(local) })
    } catch {
      throw TransportError(error.code, "\(endpoint): \(error.message)", cause: error.cause)
    }
  }

  private func connect(
    _ descriptor: consuming Descriptor, to peer: SocketAddress, before deadline: Deadline
  ) async throws(TransportError) -> SocketConnection {
    let link = link
    do throws(TransportError) {
      return try await SocketConnection.connect(
        descriptor, to: peer, loops: loops, traits: traits, before: deadline,
        names: { descriptor, _ in
          (
            SocketAddress(of: descriptor)?.l2cap?.diallerEndpoint(of: link) ?? Self.unknown(link),
            peer.l2cap?.endpoint(of: link) ?? Self.unknown(link)
          )
        })
    } catch {
      throw error.ofBluetoothDial
    }
  }

  /// The address that dials: that of the controller that was named, else any.
  private func ownAddress(
    for target: L2CAPEndpoint, to peer: BluetoothAddress
  ) throws(TransportError) -> BluetoothAddress {
    guard let place = target.controller else { return .any }
    guard let controller = try BluetoothControllers().controller(at: place) else {
      throw TransportError(.unreachable, try Self.missing(place))
    }
    guard controller.address != peer else {
      throw TransportError(
        .unreachable, "A controller cannot dial itself. Name another one with device=, or leave it out.")
    }
    return controller.address
  }

  private static func missing(_ place: L2CAPEndpoint.Place) throws(TransportError) -> String {
    let found = try BluetoothControllers().all.map { "hci\($0.number) (\($0.address))" }
    let list = found.isEmpty ? "It has none." : "It has \(found.inWords)."
    return "This machine has no Bluetooth controller \(place). \(list)"
  }

  private static func unknown(_ link: BluetoothLink) -> Endpoint {
    Endpoint(scheme: link.scheme, address: "unknown")
  }
}
