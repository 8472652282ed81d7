extension TransportRegistry {
  /// The transport for `endpoint`, if a PIN may travel on it: inside one process, encrypted to a peer that has proved
  /// itself, or where the caller has said that plain text is meant (R7).
  package func secureTransport(
    for endpoint: Endpoint, allowsInsecure: Bool
  ) throws(CheckInError) -> any Transport {
    let found: any Transport
    do throws(TransportError) {
      found = try transport(for: endpoint)
    } catch {
      throw .transport(error)
    }
    guard allowsInsecure || !found.capabilities.isDisjoint(with: [.insideProcess, .secure]) else {
      throw CheckInError(
        .insecureTransport,
        "\(endpoint) is not encrypted: others could read the PIN. Use an encrypted transport, or say that you accept "
          + "this (--insecure-plaintext on the command line).")
    }
    return found
  }
}
