internal import CheckIn

/// What discovery reads of an `l2cap://` endpoint: which controller, and which PSM.
struct BlueZPlace {
  /// `hci0`, the controller's own address, or empty for the first.
  let controller: String
  let psm: UInt16?

  init(_ endpoint: Endpoint) throws(TransportError) {
    guard endpoint.scheme == BlueZDiscovery.scheme else {
      throw TransportError(
        .unsupported, "Bluetooth discovery serves \(BlueZDiscovery.scheme)://, not \(endpoint.scheme)://.")
    }
    controller = endpoint.address
    guard let text = endpoint.parameter("psm") else {
      psm = nil
      return
    }
    let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
    guard let number else {
      throw TransportError(
        .addressMalformed, "“\(text.prefix(40))” is no PSM: write a number, such as 0x0081.")
    }
    psm = number
  }
}
