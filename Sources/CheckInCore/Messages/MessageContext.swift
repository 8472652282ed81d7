/// Who says a message (the `role` that is under its signature).
package enum MessageRole: UInt64, Sendable {
  case kiosk = 0
  case attendee = 1

  package var other: MessageRole { self == .kiosk ? .attendee : .kiosk }
}

/// What is signed beside the payload, so that a message is worth nothing at any other place than its own (R9, R11).
package enum MessageContext {
  /// SHA-256 over the array of the session's parts that are known so far: the channel binding (RFC 5056) or nothing,
  /// the hello, the initial request, each as a byte string, so that no two sessions can be confused.
  package static func digest(of parts: [[UInt8]], _ cryptography: some Cryptography) -> Digest {
    var writer = CBORWriter(capacity: parts.reduce(8) { $0 + $1.count + 5 })
    writer.beginArray(parts.count)
    for part in parts {
      writer.write(part)
    }
    return cryptography.sha256(writer.bytes.span)
  }

  /// The `external_aad` (RFC 9052 §4.3) of the message that is the sender's number `sequence`, counted from zero.
  ///
  /// - Parameter name: the protocol that the message belongs to, so that it is worth nothing in another.
  package static func externalData(
    _ role: MessageRole, sequence: UInt64, context: Digest, protocol name: String = "checkin/1"
  ) -> [UInt8] {
    var writer = CBORWriter(capacity: 64)
    writer.beginArray(4)
    writer.write(name)
    writer.write(role.rawValue)
    writer.write(sequence)
    writer.write(context.bytes)
    return writer.bytes
  }
}
