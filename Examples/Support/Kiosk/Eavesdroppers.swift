package import CheckIn

/// Who could read along where a kiosk's transport is not encrypted.
package enum Eavesdroppers: Int, Comparable, CaseIterable, Sendable {
  /// Other programs on this machine: the bytes do not leave it.
  case programs
  /// Others with a radio within its reach.
  case radio
  /// Others on the network as well.
  case network

  /// Those of a transport in plain text whose listener has this address.
  package init(at endpoint: Endpoint) {
    let schemes = endpoint.scheme.split(separator: "+")
    switch schemes.last {
    case _ where schemes.contains("l2cap"): self = .radio
    case "unix": self = .programs
    case "tcp" where Eavesdroppers.isLoopback(endpoint.address): self = .programs
    default: self = .network
    }
  }

  package static func < (left: Eavesdroppers, right: Eavesdroppers) -> Bool { left.rawValue < right.rawValue }

  /// Those of a transport that a registry has; nil where nobody can, inside one process and where it is encrypted.
  package init?(at endpoint: Endpoint, over registry: TransportRegistry) {
    let capabilities = (try? registry.transport(for: endpoint))?.capabilities ?? []
    guard capabilities.isDisjoint(with: [.insideProcess, .secure]) else { return nil }
    self.init(at: endpoint)
  }

  /// Who they are, as the beginning of a sentence.
  package var who: String {
    switch self {
    case .programs: "Other programs on this machine"
    case .radio: "Others in radio range"
    case .network: "Others on the network"
    }
  }

  /// The warning, in as many words as fit; where none fits, the shortest.
  package func warning(columns: Int) -> String {
    let short = self == .programs ? "Other programs here" : who
    let texts = [
      "Not encrypted: \(who.prefix(1).lowercased())\(who.dropFirst()) can read PINs.", "\(short) can read PINs.",
      "Not encrypted",
    ]
    return texts.first { $0.count <= columns } ?? texts[texts.count - 1]
  }

  /// Whether a listener's address, which is a number, is reached from its own machine alone.
  private static func isLoopback(_ address: String) -> Bool {
    let host = address[..<(address.lastIndex(of: ":") ?? address.endIndex)]
    return host == "[::1]" || host.hasPrefix("[::ffff:127.")
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
