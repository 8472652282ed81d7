internal import CheckIn

/// An endpoint of the schemes `l2cap` and `l2cap+bredr`, read.
struct L2CAPEndpoint: Hashable, Sendable {
  /// Where it is: a controller of this machine by its name, or a device by its address.
  enum Place: Hashable, Sendable {
    case controller(UInt16)
    case device(BluetoothAddress)
  }

  /// What the link must have before bytes travel (Bluetooth Core 5.4, Vol 3 Part C §10.2).
  enum Security: UInt8, Sendable, CaseIterable {
    /// Nothing.
    case low = 1
    /// Encryption.
    case medium = 2
    /// Encryption with keys whose pairing a person has confirmed.
    case high = 3

    var name: String {
      switch self {
      case .low: "low"
      case .medium: "medium"
      case .high: "high"
      }
    }
  }

  /// The most and the least that one receive may hold; see `mtu`.
  static let sizes = 64...65_535

  let link: BluetoothLink
  let place: Place
  /// Zero: a free one.
  let psm: UInt16
  /// The peer's address is one of the changing ones that phones use.
  let isRandom: Bool
  /// The controller of this machine that dials.
  let controller: Place?
  let security: Security?
  let mtu: Int?

  /// Reads an endpoint.
  ///
  /// - Throws: ``TransportError/Code/addressMalformed``, and ``TransportError/Code/unsupported`` for another scheme.
  init(_ endpoint: Endpoint, of link: BluetoothLink) throws(TransportError) {
    guard endpoint.scheme == link.scheme else {
      throw TransportError(
        .unsupported, "This Bluetooth transport serves \(link.scheme)://, not \(endpoint.scheme.prefix(40))://.")
    }
    self.link = link
    guard let place = Place(endpoint.address) else {
      throw endpoint.malformed(
        "“\(endpoint.address.prefix(40))” is neither a controller such as hci0 nor an address such as 00:11:22:33:44:55"
      )
    }
    self.place = place
    var psm: UInt16 = 0
    var isRandom = false
    var controller: Place?
    var security: Security?
    var mtu: Int?
    for parameter in endpoint.parameters {
      let value = parameter.value
      switch (parameter.name, link) {
      case ("psm", _):
        guard let number = Self.number(value), number == 0 || link.isPSM(number) else {
          throw endpoint.malformed("psm “\(value.prefix(20))” is not one: \(link.rangeOfPSM)")
        }
        psm = number
      case ("type", .lowEnergy):
        guard value == "public" || value == "random" else {
          throw endpoint.malformed("type “\(value.prefix(20))” is neither public nor random")
        }
        isRandom = value == "random"
      case ("device", _):
        guard let place = Place(value) else {
          throw endpoint.malformed("device “\(value.prefix(40))” is neither hci0 or the like nor an address")
        }
        controller = place
      case ("security", _):
        security = Security.allCases.first { $0.name == value }
        if security == nil { throw endpoint.malformed("security “\(value.prefix(20))” is not low, medium or high") }
      case ("mtu", _):
        guard let number = Self.number(value), Self.sizes.contains(Int(number)) else {
          throw endpoint.malformed(
            "mtu “\(value.prefix(20))” is not \(Self.sizes.lowerBound) to \(Self.sizes.upperBound) bytes")
        }
        mtu = Int(number)
      default:
        let known = link == .lowEnergy ? "psm, type, device, security and mtu" : "psm, device, security and mtu"
        throw endpoint.malformed("\(link.scheme):// has no parameter “\(parameter.name.prefix(40))”; it has \(known)")
      }
    }
    self.psm = psm
    self.isRandom = isRandom
    self.controller = controller
    self.security = security
    self.mtu = mtu
  }

  /// The peer's address, for a dial.
  func peer(_ endpoint: Endpoint) throws(TransportError) -> BluetoothAddress {
    guard case .device(let address) = place else {
      throw endpoint.malformed(
        "a controller of this machine can be listened on, and not dialled; write the other device's address")
    }
    guard psm != 0 else {
      throw endpoint.malformed("the psm is missing: write the one that the listener has, as in ?psm=0x0081")
    }
    guard address != .any else { throw endpoint.malformed("the address of no device cannot be dialled") }
    return address
  }

  /// Refuses what only a dial has.
  func checkForListening(_ endpoint: Endpoint) throws(TransportError) {
    if controller != nil {
      throw endpoint.malformed("device is for dialling; a listener names its controller before the question mark")
    }
    guard endpoint.parameter("type") == nil else {
      throw endpoint.malformed("type is for dialling; a listener has the addresses that its controller has")
    }
    if case .device(.any) = place { throw endpoint.malformed("the address of no device cannot be listened on") }
  }

  /// A number as people write it: decimal, or hexadecimal with 0x.
  private static func number(_ text: String) -> UInt16? {
    let isHexadecimal = text.hasPrefix("0x")
    let digits = text.dropFirst(isHexadecimal ? 2 : 0)
    // A sign would be read too.
    guard (1...5).contains(digits.utf8.count), digits.first != "+", digits.first != "-" else { return nil }
    return UInt16(digits, radix: isHexadecimal ? 16 : 10)
  }
}

extension L2CAPEndpoint.Place {
  /// `hci0`, or an address.
  init?(_ text: String) {
    if let address = BluetoothAddress(text) {
      self = .device(address)
      return
    }
    let digits = text.dropFirst(3)
    guard text.hasPrefix("hci"), (1...4).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) }),
      digits == "0" || digits.first != "0", let number = UInt16(digits)
    else { return nil }
    self = .controller(number)
  }
}

extension L2CAPEndpoint.Place: CustomStringConvertible {
  /// As it stands in a URL.
  var description: String {
    switch self {
    case .controller(let number): "hci\(number)"
    case .device(let address): "\(address)"
    }
  }
}

extension Endpoint {
  func malformed(_ why: String) -> TransportError {
    TransportError(.addressMalformed, "\(description.prefix(160)): \(why).")
  }
}
