internal import CheckIn
internal import ExampleSupport
internal import Synchronization
internal import TransportConformance

/// What to test a transport with, by the URL that a person gave.
enum SubjectOfURL {
  /// The addresses for that URL. Where it has `{n}`, that becomes a fresh number each time; where it asks for a free
  /// address, each is one; else a number is put behind it.
  static func addresses(
    for endpoint: Endpoint, of transport: any Transport
  ) throws(ExampleError) -> ConformanceAddresses {
    // The parameters of a wrapper stand in every address.
    let parameters = endpoint.parameters.filter { $0.name != "psm" || !isL2CAP(endpoint) }
    var addresses = try known(for: endpoint).with(parameters: parameters)
    let isFree = transport.capabilities.contains(.ephemeralAddress) && endpoint == addresses.zero
    let numbers = Mutex(0)
    addresses.fresh = {
      if isFree { return endpoint }
      let number = numbers.withLock { last in
        last += 1
        return last
      }
      guard let place = endpoint.address.firstRange(of: "{n}") else {
        return endpoint.with(address: "\(endpoint.address).\(number)")
      }
      var address = endpoint.address
      address.replaceSubrange(place, with: "\(number)")
      return endpoint.with(address: address)
    }
    return addresses
  }

  /// What can be said of addresses of that shape, by the innermost scheme. Of a scheme that this program does not know
  /// it is only the address that was given.
  private static func known(for endpoint: Endpoint) throws(ExampleError) -> ConformanceAddresses {
    let scheme = endpoint.scheme
    switch scheme.split(separator: "+").last {
    case "tcp":
      guard let colon = endpoint.address.lastIndex(of: ":"),
        endpoint.address[colon...] == ":0" || endpoint.address.contains("{n}")
      else {
        throw ExampleError(
          .usage,
          "The checks need many addresses, and \(endpoint) is one. Write port 0, for free ones: tcp://127.0.0.1:0.")
      }
      return .hostAndPort(scheme: scheme, host: String(endpoint.address[..<colon]))
    case "unix": return .files(scheme: scheme, directory: "/tmp")
    case "memory": return .names(scheme: scheme)
    case "l2cap", "bredr": return try bluetooth(for: endpoint)
    default:
      let bare = Endpoint(scheme: scheme, address: endpoint.address)
      return ConformanceAddresses(zero: bare, fresh: { bare })
    }
  }

  /// Whether it is a Bluetooth address. A listener's queue is bounded there as everywhere, and by the sixty-four channels
  /// that two devices can have; but a dial that finds it full is refused by the peer's system, and cannot wait.
  static func isL2CAP(_ endpoint: Endpoint) -> Bool {
    ["l2cap", "bredr"].contains(endpoint.scheme.split(separator: "+").last)
  }

  /// Addresses of L2CAP: free PSMs of the controller. The dials come from another controller of this machine.
  private static func bluetooth(for endpoint: Endpoint) throws(ExampleError) -> ConformanceAddresses {
    guard endpoint.parameter("psm") ?? "0" == "0" else {
      throw ExampleError(
        .usage,
        "The checks need many addresses, and \(endpoint) is one. Write PSM 0, for free ones: l2cap://hci0?psm=0.")
    }
    func address(_ text: String, _ name: String = "psm", _ value: String = "0x81") -> Endpoint {
      Endpoint(scheme: endpoint.scheme, address: text, parameters: [Endpoint.Parameter(name: name, value: value)])
    }
    let places = [
      "", "hci", "hci00", "hci-1", "hci+1", "hci99999", "HCI0", " hci0", "hci0/", "0", "00:11:22:33:44",
      "00:11:22:33:44:5", "00:11:22:33:44:55:66", "00:11:22:33:44:555", "00-11-22-33-44-55", "0g:11:22:33:44:55",
      "+1:11:22:33:44:55", "00:11:22:33:44:", "00:00:00:00:00:00",
    ]
    let parameters = [
      ("psm", ""), ("psm", "x"), ("psm", "0x"), ("psm", "-1"), ("psm", "+129"), ("psm", "0x100"), ("psm", "65536"),
      ("psm", "0x00000081"), ("mtu", "1"), ("mtu", "65536"), ("security", "top"), ("security", ""), ("device", "lo"),
      ("type", "none"),
    ]
    // RFC 7042 keeps 00:00:5E:00:53:00 to FF for documentation: it is nobody's.
    let nobody = "00:00:5E:00:53:01"
    var unreachable = address(nobody)
    unreachable = Endpoint(
      scheme: unreachable.scheme, address: nobody,
      parameters: unreachable.parameters + [Endpoint.Parameter(name: "device", value: "hci99")])
    let zero = address(endpoint.address, "psm", "0")
    return ConformanceAddresses(
      zero: zero,
      malformed: places.map { address($0) } + parameters.map { address("00:11:22:33:44:55", $0.0, $0.1) },
      listenOnly: [zero], foreign: [address(nobody, "psm", "0")], unreachable: [unreachable], fresh: { zero })
  }
}

extension Endpoint {
  fileprivate func with(address: String) -> Endpoint {
    Endpoint(scheme: scheme, address: address, parameters: parameters)
  }
}
