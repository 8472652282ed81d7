/// The address of one end, as a URL of the shape `scheme://address?name=value&name=value`.
///
/// The scheme picks the transport and is compared exactly, in lower case: a prefix of a scheme is another scheme. What
/// the address and the parameters mean is the transport's own. A wrapper is written in front of the scheme with a
/// plus: `tls+tcp://…`.
public struct Endpoint: Hashable, Sendable {
  /// One `name=value` of the query, percent-decoded.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value; empty when there is no equals sign.
    public let value: String

    /// A parameter.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The longest URL that is read, in UTF-8 bytes.
  public static let maximumLength = 1024

  /// The scheme, in lower case, wrappers included.
  public let scheme: String
  /// What stands between `://` and the question mark, percent-decoded.
  public let address: String
  /// The query, in order. No name stands twice.
  public let parameters: [Parameter]

  /// An endpoint from its parts.
  ///
  /// - Precondition: the scheme is one or more of `a-z`, `0-9`, `+`, `-`, `.` and begins with a letter (RFC 3986 §3.1).
  public init(scheme: String, address: String, parameters: [Parameter] = []) {
    precondition(Endpoint.isScheme(scheme), "not a URL scheme")
    self.scheme = scheme
    self.address = address
    self.parameters = parameters
  }

  /// Reads a URL.
  ///
  /// - Throws: ``TransportError/Code/addressMalformed``, saying what is wrong with it.
  public init(_ url: String) throws(TransportError) {
    guard url.utf8.count <= Endpoint.maximumLength else {
      throw .malformed(url, "it is longer than \(Endpoint.maximumLength) bytes")
    }
    guard let separator = url.firstRange(of: "://") else {
      throw .malformed(url, "there is no “://”, as in tcp://127.0.0.1:7443")
    }
    let scheme = url[..<separator.lowerBound].lowercased()
    guard Endpoint.isScheme(scheme) else { throw .malformed(url, "“\(scheme)” is not a scheme") }
    let rest = url[separator.upperBound...]
    let pieces = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = Endpoint.percentDecoded(pieces[0]) else {
      throw .malformed(url, "its percent-encoding is broken")
    }
    var parameters: [Parameter] = []
    for item in pieces.count > 1 ? pieces[1].split(separator: "&") : [] {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Endpoint.percentDecoded(parts[0]), !name.isEmpty,
        let value = parts.count > 1 ? Endpoint.percentDecoded(parts[1]) : ""
      else { throw .malformed(url, "the parameter “\(item)” cannot be read") }
      guard !parameters.contains(where: { $0.name == name }) else {
        throw .malformed(url, "the parameter “\(name)” stands twice")
      }
      parameters.append(Parameter(name: name, value: value))
    }
    self.init(scheme: scheme, address: address, parameters: parameters)
  }

  /// The value of the parameter, or nil where it is not there.
  public func parameter(_ name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }

  /// The same address under another scheme: how a wrapper names what it wraps.
  public func withScheme(_ scheme: String) -> Endpoint {
    Endpoint(scheme: scheme, address: address, parameters: parameters)
  }

  static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first) else { return false }
    return text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
  }
}

extension Endpoint: CustomStringConvertible {
  /// The URL. Reading it gives an equal endpoint.
  public var description: String {
    let query = parameters.map { item in
      let name = Endpoint.percentEncoded(item.name, also: "&=+")
      return item.value.isEmpty ? name : "\(name)=\(Endpoint.percentEncoded(item.value, also: "&+"))"
    }
    let base = "\(scheme)://\(Endpoint.percentEncoded(address, also: "?"))"
    return query.isEmpty ? base : "\(base)?\(query.joined(separator: "&"))"
  }

  private static func percentEncoded(_ text: String, also special: String) -> String {
    var result: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      if byte > 0x20, byte < 0x7f, byte != 0x25, !special.utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func percentDecoded(_ text: Substring) -> String? {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == 0x25 else {
        result.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst(),
        let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16), high != 0x2b
      else { return nil }
      result.append(value)
    }
    return String(validating: result, as: UTF8.self)
  }
}

extension TransportError {
  fileprivate static func malformed(_ url: String, _ why: String) -> TransportError {
    TransportError(.addressMalformed, "“\(url.prefix(80))” is not an endpoint: \(why).")
  }
}
