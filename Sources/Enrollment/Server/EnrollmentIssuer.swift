public import CheckInCore

/// Makes what a person gets: the container, and tickets for the kiosks.
public protocol EnrollmentIssuer: Sendable {
  /// Makes a key and its certificate for an account, in a container whose password is the token.
  func container(account: String, name: String, token: SecretBytes) async throws(EnrollmentIssuerError)
    -> IssuedContainer

  /// Makes a ticket for the key of an account.
  func ticket(account: String, name: String, key: PublicKey) async throws(EnrollmentIssuerError) -> [UInt8]
}

/// A container that was made.
public struct IssuedContainer: Sendable {
  /// The container (PKCS#12).
  public let bytes: [UInt8]
  /// The serial number of the certificate in it.
  public let serial: [UInt8]

  /// A container.
  public init(bytes: [UInt8], serial: [UInt8]) {
    self.bytes = bytes
    self.serial = serial
  }
}

/// A container or ticket could not be made.
public struct EnrollmentIssuerError: Error, Sendable {
  /// What happened, for people.
  public let message: String

  /// An error with its explanation.
  public init(_ message: String) {
    self.message = message
  }
}

extension SecretBytes {
  /// The token as the text that is a container's password: its bytes in hexadecimal, so that every token makes one.
  public var containerPassword: SecretBytes {
    var bytes = self.bytes
    defer { SecretBytes.wipe(&bytes) }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    defer { SecretBytes.wipe(&text) }
    return SecretBytes(text)
  }
}
