internal import CheckInCore
internal import EnrollmentCore
internal import Foundation
internal import OpenSSLCryptography
internal import Testing

/// The files in `Tests/Vectors`.
enum EnrollmentVectorFiles {
  /// Single messages after the two first of a connection.
  struct Messages: Decodable {
    struct Entry: Decodable {
      let name: String
      let from: String
      let body: String
      let skipped: Bool?
      let fault: String?
    }

    let server: String
    let client: String
    let opening: [String]
    let accepted: [Entry]
    let refused: [Entry]
  }

  struct Key: Decodable {
    let algorithm: String
    let `private`: String
    let `public`: String

    func publicKey() throws -> PublicKey {
      try #require(
        PublicKey(algorithm: algorithm == "EdDSA" ? .ed25519 : .es256, bytes: try hexBytes(self.public)))
    }
  }

  static func read<Content: Decodable>(_ name: String, as type: Content.Type = Content.self) throws -> Content {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors")
    return try JSONDecoder().decode(Content.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  static func key(_ name: String) throws -> Key {
    try #require(try read("keys", as: [String: Key].self)[name])
  }
}

/// A whole connection.
struct EnrollmentVector: Decodable {
  struct Entry: Decodable {
    let from: String
    let sequence: UInt64
    let message: [String: VectorValue]
    let payload: String
    let body: String

    func decoded() throws -> EnrollmentMessage? { try EnrollmentMessage(payload: try hexBytes(payload)) }
  }

  let server: String
  let client: String
  let binding: String
  let transcript: String
  let messages: [Entry]

  /// Both ends after the two first messages.
  func start(
    _ cryptography: OpenSSLCryptography
  ) throws -> (server: EnrollmentConversation, client: EnrollmentConversation) {
    let (serverKey, clientKey) = (
      try EnrollmentVectorFiles.key(server).publicKey(), try EnrollmentVectorFiles.key(client).publicKey()
    )
    let binding = try hexBytes(binding)
    let (hello, opening) = (try hexBytes(messages[0].body), try hexBytes(messages[1].body))
    let greeting = EnrollmentServerHandshake(sealed: hello, binding: binding)
    let (_, server) = try greeting.accept(opening, signedBy: clientKey, cryptography: cryptography)
    // The client's end, as its handshake would make it: the hello verifies, and the transcript is the server's.
    _ = try EnrollmentClientHandshake(
      hello: hello, signedBy: serverKey, binding: binding, cryptography: cryptography)
    return (server, EnrollmentConversation(role: .attendee, peerKey: serverKey, transcript: server.transcript))
  }

  /// The private half of an Ed25519 key, in the frame that RFC 8410 §7 puts around it.
  func key(_ name: String) throws -> OpenSSLSigningKey {
    let der = try hexBytes("302e020100300506032b657004220420" + EnrollmentVectorFiles.key(name).private)
    let text = "-----BEGIN PRIVATE KEY-----\n\(Data(der).base64EncodedString())\n-----END PRIVATE KEY-----\n"
    return try OpenSSLSigningKey(pem: Array(text.utf8))
  }
}

/// A value in a message.
enum VectorValue: Decodable, Equatable {
  case number(UInt64)
  case text(String)
  case numbers([UInt64])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(UInt64.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .numbers(try container.decode([UInt64].self))
    }
  }
}

func hexBytes(_ text: String) throws -> [UInt8] {
  let made = bytes(hexadecimal: text)
  return try #require(made)
}
