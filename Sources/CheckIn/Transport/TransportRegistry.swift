/// The transports that a program has, by scheme. A value: each program, and each test, makes its own.
///
/// A scheme is looked up exactly; a prefix of a known scheme is unknown. Where there is no such transport, and the text
/// before the first plus is a wrapper's prefix, the rest is looked up the same way and wrapped. So `l2cap+bredr` may be
/// a scheme of its own.
public struct TransportRegistry: Sendable {
  private let transports: [String: any Transport]
  private let wrappers: [String: any TransportWrapper]

  /// A registry of these transports and wrappers.
  ///
  /// - Throws: ``TransportError/Code/duplicateScheme`` when a scheme or prefix comes twice,
  ///   ``TransportError/Code/unsupported`` when one cannot stand in a URL.
  public init(
    _ transports: [any Transport], wrappers: [any TransportWrapper] = []
  ) throws(TransportError) {
    var byScheme: [String: any Transport] = [:]
    for transport in transports {
      try Self.check(
        transport.scheme, isScheme: Endpoint.isScheme(transport.scheme), isNew: byScheme[transport.scheme] == nil)
      byScheme[transport.scheme] = transport
    }
    var byPrefix: [String: any TransportWrapper] = [:]
    for wrapper in wrappers {
      let usable = Endpoint.isScheme(wrapper.prefix) && !wrapper.prefix.utf8.contains(UInt8(ascii: "+"))
      let isNew = byPrefix[wrapper.prefix] == nil && byScheme[wrapper.prefix] == nil
      try Self.check(wrapper.prefix, isScheme: usable, isNew: isNew)
      byPrefix[wrapper.prefix] = wrapper
    }
    self.transports = byScheme
    self.wrappers = byPrefix
  }

  /// The schemes of the transports, sorted.
  public var schemes: [String] { transports.keys.sorted() }

  /// The prefixes of the wrappers, sorted.
  public var prefixes: [String] { wrappers.keys.sorted() }

  /// The transport for an endpoint, wrapped as its scheme says.
  ///
  /// - Throws: ``TransportError/Code/unsupported``, with the schemes that are known and the nearest one.
  public func transport(for endpoint: Endpoint) throws(TransportError) -> any Transport {
    guard let transport = lookUp(endpoint.scheme[...]) else { throw unknown(endpoint.scheme) }
    return transport
  }

  /// Opens a connection with the transport that the endpoint's scheme names; see ``Transport/connect(to:before:)``.
  public func connect(
    to endpoint: Endpoint, before deadline: Deadline? = nil
  ) async throws(TransportError) -> any Connection {
    try await transport(for: endpoint).connect(to: endpoint, before: deadline)
  }

  /// Listens with the transport that the endpoint's scheme names; see ``Transport/listen(on:)``.
  public func listen(on endpoint: Endpoint) async throws(TransportError) -> any Listener {
    try await transport(for: endpoint).listen(on: endpoint)
  }

  private func lookUp(_ scheme: Substring) -> (any Transport)? {
    if let transport = transports[String(scheme)] { return transport }
    guard let plus = scheme.firstIndex(of: "+"), let wrapper = wrappers[String(scheme[..<plus])],
      let inner = lookUp(scheme[scheme.index(after: plus)...])
    else { return nil }
    return wrapper.wrap(inner)
  }

  private func unknown(_ scheme: String) -> TransportError {
    var message = "There is no transport for “\(scheme)://”. Known: \(schemes.joined(separator: ", "))"
    if !wrappers.isEmpty {
      message += "; in front of one, with a plus: \(prefixes.joined(separator: ", "))"
    }
    message += "."
    if let nearest = nearest(to: scheme) { message += " Did you mean “\(nearest)://”?" }
    return TransportError(.unsupported, message)
  }

  /// The known scheme that is at most two slips of the finger away.
  private func nearest(to scheme: String) -> String? {
    let wrapped = prefixes.flatMap { prefix in schemes.map { "\(prefix)+\($0)" } }
    let distances = (schemes + wrapped).map { (known: $0, distance: editDistance($0, scheme)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }), best.distance <= 2,
      best.distance < best.known.utf8.count
    else { return nil }
    return best.known
  }

  private static func check(_ scheme: String, isScheme: Bool, isNew: Bool) throws(TransportError) {
    guard isScheme else {
      throw TransportError(
        .unsupported,
        "“\(scheme)” cannot be a scheme: use small letters, digits, minus and full stop, beginning with a letter.")
    }
    guard isNew else {
      throw TransportError(
        .duplicateScheme, "Two transports or wrappers are named “\(scheme)”. Leave one of them out of the registry.")
    }
  }
}

/// How many letters must be put in, taken out or replaced to make one text of the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let second = Array(second.utf8)
  var row = Array(0...second.count)
  for (line, letter) in first.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for column in second.indices {
      let replaced = diagonal + (letter == second[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
    }
  }
  return row[second.count]
}
