public import CheckIn
internal import Synchronization

/// The addresses that a transport is tested with.
public struct ConformanceAddresses: Sendable {
  /// An address to listen at that no other call gives.
  public var fresh: @Sendable () -> Endpoint
  /// The address that asks for a free one, where the transport has such (T6); else as ``fresh``.
  public var zero: Endpoint
  /// Addresses that cannot be read (T2).
  public var malformed: [Endpoint]
  /// Addresses that can be listened at and not dialled, such as a wildcard (T8).
  public var listenOnly: [Endpoint]
  /// Addresses that are another machine’s (T10).
  public var foreign: [Endpoint]
  /// Addresses to which there is no way (T11). No dial to one may leave this machine.
  public var unreachable: [Endpoint]

  /// Addresses of any kind. What is left empty is not tested.
  public init(
    zero: Endpoint? = nil, malformed: [Endpoint] = [], listenOnly: [Endpoint] = [], foreign: [Endpoint] = [],
    unreachable: [Endpoint] = [], fresh: @escaping @Sendable () -> Endpoint
  ) {
    self.fresh = fresh
    self.zero = zero ?? fresh()
    self.malformed = malformed
    self.listenOnly = listenOnly
    self.foreign = foreign
    self.unreachable = unreachable
  }

  /// Addresses of the shape `host:port`, as TCP has them.
  ///
  /// - Parameters:
  ///   - scheme: the transport’s scheme.
  ///   - host: the loopback address to test on, as it stands in a URL: `127.0.0.1`, or `[::1]`.
  ///   - port: the port to listen at; 0 for a free one.
  public static func hostAndPort(scheme: String, host: String = "127.0.0.1", port: UInt16 = 0) -> ConformanceAddresses {
    let malformed = [
      "", "127.0.0.1", "127.0.0.1:", ":7443", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:x",
      "127.0.0.1:7443:7443", "127.0.0.1:7443/", "256.0.0.1:1", "1.2.3:1", "0:1", "::1:7443", "[::1", "[::1]",
      "[::1]7443", "[127.0.0.1]:1", "[:::1]:1", "[]:1", "a b:1", "a_b/:1", String(repeating: "x", count: 254) + ":1",
    ]
    func endpoints(_ addresses: [String]) -> [Endpoint] { addresses.map { Endpoint(scheme: scheme, address: $0) } }
    return ConformanceAddresses(
      zero: Endpoint(scheme: scheme, address: "\(host):0"), malformed: endpoints(malformed),
      listenOnly: endpoints(["0.0.0.0:0", "[::]:0", "\(host):0"]),
      // RFC 5737 keeps 192.0.2.0/24 for documentation: it is nobody’s.
      foreign: endpoints(["192.0.2.1:0"]),
      // A multicast group is no place to dial: the system refuses it before anything is sent.
      unreachable: endpoints(["224.0.0.1:9"]),
      fresh: { Endpoint(scheme: scheme, address: "\(host):\(port)") })
  }

  /// Addresses that are absolute paths in the file system, as Unix sockets have them.
  ///
  /// - Parameters:
  ///   - scheme: the transport’s scheme.
  ///   - directory: where the files are made: an absolute path without a slash at its end. It must exist.
  ///   - longest: how many bytes a path may have.
  public static func files(scheme: String, directory: String, longest: Int = 107) -> ConformanceAddresses {
    let malformed = ["", "relative", "./s", "/tmp/", "/tmp/a\u{0}b", "/" + String(repeating: "x", count: longest)]
    let numbers = FreshNumbers()
    return ConformanceAddresses(
      malformed: malformed.map { Endpoint(scheme: scheme, address: $0) },
      fresh: { Endpoint(scheme: scheme, address: "\(directory)/c\(numbers.next()).sock") })
  }

  /// Addresses that are names, of which `0` asks for a fresh one.
  ///
  /// - Parameters:
  ///   - scheme: the transport’s scheme.
  ///   - longest: how many letters a name may have.
  public static func names(scheme: String, longest: Int = 128) -> ConformanceAddresses {
    let malformed = ["", "a b", "a/b", "lobby:1", "ä", String(repeating: "x", count: longest + 1)]
    let numbers = FreshNumbers()
    return ConformanceAddresses(
      zero: Endpoint(scheme: scheme, address: "0"), malformed: malformed.map { Endpoint(scheme: scheme, address: $0) },
      listenOnly: [Endpoint(scheme: scheme, address: "0")],
      fresh: {
        let number = numbers.next()
        return Endpoint(scheme: scheme, address: number % 2 == 0 ? "0" : "lobby-\(number)")
      })
  }

  /// The same addresses, each with these parameters: for a wrapper, whose parameters say what it does.
  public func with(parameters: [Endpoint.Parameter]) -> ConformanceAddresses {
    @Sendable func changed(_ endpoint: Endpoint) -> Endpoint {
      Endpoint(scheme: endpoint.scheme, address: endpoint.address, parameters: endpoint.parameters + parameters)
    }
    return ConformanceAddresses(
      zero: changed(zero), malformed: malformed.map(changed), listenOnly: listenOnly.map(changed),
      foreign: foreign.map(changed), unreachable: unreachable.map(changed), fresh: { [fresh] in changed(fresh()) })
  }
}

/// Numbers, each given once.
final class FreshNumbers: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
