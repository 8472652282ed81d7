/// Why bytes are not a signed envelope, or not one that a key signed.
public enum EnvelopeError: Error, Hashable, Sendable {
  /// The bytes do not begin like a COSE_Sign1 with its tag.
  case notAnEnvelope
  /// They begin like one, and are not deterministic CBOR.
  case malformed(CBORError)
  /// They are CBOR and break a rule of COSE, or of this protocol.
  case invalid(Rule)
  /// The signature is not the key's, or the algorithm is not the key's.
  case badSignature

  /// The rules that a well-formed envelope can break.
  public enum Rule: UInt8, Hashable, Sendable, CaseIterable {
    /// It is not an array of protected header, unprotected header, payload and signature (RFC 9052 §4.2).
    case structure
    /// The payload is not inside.
    case detachedPayload
    /// `alg` is not in the protected header, or is none that this library knows.
    case algorithm
    /// A header names labels as critical, and this library understands none of them (RFC 9052 §3.1).
    case critical
    /// A label is in both headers, or has a value of the wrong type.
    case header
    /// The header of a message has more in it than the algorithm.
    case notExact
    /// The signature has not the algorithm's size.
    case signatureSize
  }

  /// What is wrong, for people.
  public var message: String {
    switch self {
    case .notAnEnvelope: "it is not a COSE_Sign1 message"
    case .malformed(let cause): cause.message
    case .invalid(.structure): "it has not the four parts of a COSE_Sign1 message"
    case .invalid(.detachedPayload): "its payload is missing"
    case .invalid(.algorithm): "its protected header does not name EdDSA or ES256"
    case .invalid(.critical): "a critical header is not understood"
    case .invalid(.header): "a header is doubled or of the wrong type"
    case .invalid(.notExact): "its headers have more in them than the algorithm"
    case .invalid(.signatureSize): "its signature has a wrong size"
    case .badSignature: "the signature does not fit"
    }
  }
}
