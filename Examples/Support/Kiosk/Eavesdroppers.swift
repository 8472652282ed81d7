package import CheckIn

/// Who could read along where a kiosk's transport is not encrypted.
package enum Eavesdroppers: Int, Comparable, CaseIterable, Sendable {
  /// Other programs on this machine: the bytes do not leave it.
  case programs
  /// Others on the network as well.
  case network

  /// Those of a transport in plain text whose listener has this address.
  package init(at endpoint: Endpoint) {
    switch endpoint.scheme.split(separator: "+").last {
    case "unix": self = .programs
    case "tcp" where Eavesdroppers.isLoopback(endpoint.address): self = .programs
    default: self = .network
    }
  }

  package static func < (left: Eavesdroppers, right: Eavesdroppers) -> Bool { left.rawValue < right.rawValue }

  /// The warning, in as many words as fit; where none fits, the shortest.
  package func warning(columns: Int) -> String {
    let texts =
      switch self {
      case .programs:
        [
          "Not encrypted: other programs on this machine can read PINs.", "Other programs here can read PINs.",
          "Not encrypted",
        ]
      case .network:
        [
          "Not encrypted: others on the network can read PINs.",
          "Others on the network can read PINs.", "Not encrypted",
        ]
      }
    return texts.first { $0.count <= columns } ?? texts[texts.count - 1]
  }

  /// Whether a listener's address, which is a number, is reached from its own machine alone.
  private static func isLoopback(_ address: String) -> Bool {
    let host = address[..<(address.lastIndex(of: ":") ?? address.endIndex)]
    return host == "[::1]" || host.hasPrefix("[::ffff:127.")
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
