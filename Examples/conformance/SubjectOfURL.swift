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
    var addresses = try known(for: endpoint).with(parameters: endpoint.parameters)
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
    default:
      let bare = Endpoint(scheme: scheme, address: endpoint.address)
      return ConformanceAddresses(zero: bare, fresh: { bare })
    }
  }
}

extension Endpoint {
  fileprivate func with(address: String) -> Endpoint {
    Endpoint(scheme: scheme, address: address, parameters: parameters)
  }
}
