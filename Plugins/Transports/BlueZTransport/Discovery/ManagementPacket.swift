internal import CheckInCore

/// One packet of the kernel's management socket, either way: a code, a controller, and parameters. All numbers are
/// little-endian (BlueZ, “Management Protocol”).
struct ManagementPacket: Hashable, Sendable {
  /// “Non-controller”: the packet is about no controller.
  static let noController: UInt16 = 0xffff
  /// The longest parameters that are believed. The longest event that is of use here has some three hundred bytes.
  static let longest = 4096

  /// Which command, or which event.
  let code: UInt16
  /// The number of hci0, hci1, ….
  let controller: UInt16
  let parameters: [UInt8]

  init(code: UInt16, controller: UInt16 = noController, parameters: [UInt8] = []) {
    self.code = code
    self.controller = controller
    self.parameters = parameters
  }

  /// The packet as it is sent.
  var bytes: [UInt8] {
    code.littleEndianBytes + controller.littleEndianBytes + UInt16(parameters.count).littleEndianBytes + parameters
  }

  /// Takes the first whole packet from the queue; nil when there is none yet.
  ///
  /// - Throws: when one says that it is longer than any: what follows has no beginning then.
  static func take(from queue: inout ByteQueue) throws(ManagementFault) -> ManagementPacket? {
    guard queue.count >= 6 else { return nil }
    let header = queue.withBytes { bytes in (0..<6).map { bytes[$0] } }
    let length = Int(header.littleEndian16(at: 4))
    guard length <= longest else { throw ManagementFault(what: "a packet of \(length) bytes") }
    guard queue.count >= 6 + length else { return nil }
    queue.drop(6)
    return ManagementPacket(
      code: header.littleEndian16(at: 0), controller: header.littleEndian16(at: 2), parameters: queue.take(length))
  }
}

/// The kernel said something that cannot be read.
struct ManagementFault: Error, Sendable {
  /// What it was, for people.
  let what: String
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The number's bytes, least significant first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}

extension [UInt8] {
  /// Two bytes as a number. The caller has checked that they are there.
  func littleEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  /// Four bytes as a number. The caller has checked that they are there.
  func littleEndian32(at offset: Int) -> UInt32 {
    UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
  }
}
