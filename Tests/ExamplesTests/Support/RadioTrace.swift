internal import Foundation

/// What a controller has sent and received on a link, read from a recording of btmon (btsnoop's format, as
/// BlueZ's doc/btsnoop.txt has it).
struct RadioTrace {
  enum Side: String {
    case phone
    case kiosk
  }

  /// One message of a check-in, or of the channel's opening: who said it, and when its last byte came, as a number of packets.
  struct Message: Equatable {
    let side: Side
    let end: Int
  }

  /// How many packets with something in them each side has sent. Credits and the channel's end do not count.
  private(set) var packets: [Side: Int] = [:]
  /// The messages of the check-in, in the order in which they were complete; the goodbyes are the last of each side.
  private(set) var messages: [Message] = []
  /// The packets that open the channel.
  private(set) var opening: [Message] = []
  /// The controller has been seen.
  private(set) var hasBegun = false
  /// The link has come to its end.
  private(set) var hasEnded = false

  private var waiting: [Side: [UInt8]] = [:]

  /// Reads what was recorded by now. What is half written is left out.
  ///
  /// - Parameter controller: the phone's.
  init(_ file: [UInt8], controller: UInt8) {
    let head = 16
    guard file.count >= head, file.starts(with: Array("btsnoop\0".utf8)) else { return }
    var rest = file.dropFirst(head)
    while rest.count >= 24 {
      let count = number(rest, at: 4)
      let flags = number(rest, at: 8)
      guard rest.count >= 24 + count else { return }
      let packet = Array(rest.dropFirst(24).prefix(count))
      rest = rest.dropFirst(24 + count)
      // The upper half is the controller, the lower one what it is.
      guard flags >> 16 == Int(controller) else { continue }
      hasBegun = true
      switch flags & 0xffff {
      case 4: take(packet, from: .phone)
      case 5: take(packet, from: .kiosk)
      // Disconnection Complete.
      case 3 where packet.first == 0x05: hasEnded = hasEnded || !messages.isEmpty
      default: break
      }
    }
  }

  /// How often the phone has to wait for the kiosk, from the connection until it knows how the check-in ended: so many
  /// times what it says is followed by an answer. The goodbyes are left out, as nobody waits for them.
  var roundTrips: Int {
    var said = messages
    for side in [Side.phone, .kiosk] {
      if let last = said.lastIndex(where: { $0.side == side }) { said.remove(at: last) }
    }
    let sides = (opening + said).map(\.side)
    return zip(sides, sides.dropFirst()).count { $0 == .phone && $1 == .kiosk }
  }

  /// Takes a packet: its link, the L2CAP channel, and what is in it (Bluetooth Core, Vol 3 Part A §3).
  private mutating func take(_ packet: [UInt8], from side: Side) {
    let isBeginning = packet.count >= 8 && packet[1] >> 4 & 3 != 1
    guard isBeginning else { return }
    let channel = Int(packet[6]) | Int(packet[7]) << 8
    let content = packet.dropFirst(8)
    // Of the signals some keep nobody waiting: credits, and what ends the channel when all is said.
    if channel == 5, [0x16, 0x06, 0x07].contains(content.first) { return }
    packets[side, default: 0] += 1
    let count = packets.values.reduce(0, +)
    if channel == 5 {
      opening.append(Message(side: side, end: count))
    } else if channel >= 0x40 {
      // Behind two bytes of length: each write of ours is one packet.
      waiting[side, default: []] += content.dropFirst(2)
      while let bytes = waiting[side], bytes.count >= 4, bytes.count >= 4 + number(bytes[...], at: 0) {
        waiting[side] = Array(bytes.dropFirst(4 + number(bytes[...], at: 0)))
        messages.append(Message(side: side, end: count))
      }
    }
  }
}

/// Four bytes, the highest first.
private func number(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Int {
  bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
}
