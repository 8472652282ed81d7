internal import CheckInCore
internal import Foundation
internal import OpenSSLCryptography
internal import Testing

/// The files in `Tests/Vectors`, which another implementation wrote.
enum VectorFiles {
  static func read<Content: Decodable>(_ name: String, as type: Content.Type = Content.self) throws -> Content {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Content.self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  static func key(_ name: String) throws -> VectorKey {
    try #require(try read("keys", as: [String: VectorKey].self)[name])
  }
}

struct VectorKey: Decodable {
  let algorithm: String
  let `private`: String
  let `public`: String

  func publicKey() throws -> PublicKey {
    let algorithm: SignatureAlgorithm = algorithm == "EdDSA" ? .ed25519 : .es256
    return try #require(PublicKey(algorithm: algorithm, bytes: try hex(self.public)))
  }

  /// The private half of an Ed25519 key, in the frame that RFC 8410 §7 puts around it.
  func ed25519Key() throws -> OpenSSLSigningKey {
    let der = try hex("302e020100300506032b657004220420" + self.private)
    let text = "-----BEGIN PRIVATE KEY-----\n\(Data(der).base64EncodedString())\n-----END PRIVATE KEY-----\n"
    return try OpenSSLSigningKey(pem: Array(text.utf8))
  }
}

/// A whole conversation.
struct VectorConversation: Decodable {
  struct Entry: Decodable {
    let from: String
    let sequence: UInt64
    let message: VectorMessage
    let externalAad: String
    let payload: String
    let sigStructure: String
    let body: String
  }

  let issuer: String
  let kiosk: String
  let attendee: String
  let binding: String
  let transcript: String
  let messages: [Entry]
}

/// A message as JSON has it.
struct VectorMessage: Decodable {
  let type: String
  let versions: [UInt64]?
  let session: String?
  let nonce: String?
  let credential: String?
  let authenticators: [String]?
  let gate: String?
  let time: Int64?
  let version: UInt64?
  let request: String?
  let token: String?
  let pin: String?
  let lifetime: Int64?
  let attemptsLeft: UInt64?
  let authenticator: String?
  let evidence: String?
  let reason: UInt8?
  let admittedAt: Int64?
  let retryAfter: Int64?
  let code: Int?
  let number: UInt64?

  /// The message, as this library has it.
  func message() throws -> Message {
    switch type {
    case "hello":
      return .hello(
        Message.Hello(
          versions: try need(versions), session: SessionID(try bytes16(session)), nonce: Nonce(try bytes16(nonce)),
          credential: try hex(try need(credential)), authenticators: try need(authenticators),
          gate: try need(gate), time: WallTime(secondsSince1970: try need(time))))
    case "initial_request":
      return .initialRequest(
        Message.InitialRequest(
          version: try need(version), request: RequestID(try bytes16(request)), nonce: Nonce(try bytes16(nonce)),
          token: try hex(try need(token)), time: WallTime(secondsSince1970: try need(time))))
    case "pin":
      return .pin(
        Message.PINMessage(
          pin: try need(PIN(try need(pin))), lifetime: .seconds(try need(lifetime)),
          attemptsLeft: try need(attemptsLeft)))
    case "check_in_request":
      return .checkInRequest(
        Message.CheckInRequest(
          request: RequestID(try bytes16(request)), pin: try need(PIN(try need(pin))),
          authenticator: try need(authenticator), evidence: try hex(try need(evidence))))
    case "result":
      let answer = Answer(
        try need(Reason(rawValue: try need(reason))),
        admittedAt: admittedAt.map { WallTime(secondsSince1970: $0) }, gate: gate,
        retryAfter: retryAfter.map { .seconds($0) })
      return .result(Message.Result(request: RequestID(try bytes16(request)), answer: answer))
    case "notice":
      let notices: [Int: Message.Notice] = [
        1: .waiting(ahead: number ?? 0), 2: .onScreen, 3: .wrongPIN(attemptsLeft: number ?? 0),
        4: .confirmationFailed(attemptsLeft: number ?? 0),
      ]
      return .notice(try need(notices[try need(code)]))
    case "cancel": return .cancel
    case "goodbye": return .goodbye
    default:
      Issue.record("no message type \(type)")
      return .goodbye
    }
  }

  private func need<Value>(_ value: Value?) throws -> Value {
    try #require(value, "a \(type) with a field too few")
  }

  private func bytes16(_ text: String?) throws -> Bytes16 {
    try need(Bytes16(try hex(try need(text))))
  }
}
