public import CheckInCore

/// The client's end of one connection: verifies who the server is, seals requests and opens answers.
///
/// It does nothing by itself. After any error the connection is of no use any more.
public struct EnrollmentLink<Crypto: Cryptography, Key: SigningKey>: Sendable {
  private let client: Bytes16
  private let serverKey: PublicKey
  private let binding: [UInt8]
  private let cryptography: Crypto
  private let key: Key
  private var conversation: EnrollmentConversation?
  /// The service's name, once the server has said hello.
  public private(set) var serviceName: String?

  /// A link for one connection.
  ///
  /// - Parameters:
  ///   - client: the identifier that this installation made for itself.
  ///   - serverKey: the key of the certificate that the server has proved itself with.
  ///   - channelBinding: bytes that both ends know and no other connection has (RFC 5056).
  ///   - cryptography: hashes, verifies and draws random bytes.
  ///   - key: the key of our certificate.
  public init(
    client: Bytes16, serverKey: PublicKey, channelBinding: [UInt8]?, cryptography: Crypto, key: Key
  ) {
    self.client = client
    self.serverKey = serverKey
    binding = channelBinding ?? []
    self.cryptography = cryptography
    self.key = key
  }

  /// Believes the server's first message, and answers with ours.
  public mutating func open(hello body: [UInt8], now: WallTime) throws(EnrollmentLinkError) -> [UInt8] {
    do throws(MessageError) {
      let handshake = try EnrollmentClientHandshake(
        hello: body, signedBy: serverKey, binding: binding, cryptography: cryptography)
      guard handshake.hello.versions.contains(EnrollmentProtocol.version) else {
        throw MessageError(.invalidField, "The server speaks no version that this program speaks.")
      }
      let opening = EnrollmentMessage.Opening(
        version: EnrollmentProtocol.version, nonce: Nonce(Bytes16(random: cryptography)), client: client, time: now)
      let (sealed, conversation) = try handshake.seal(opening, key: key, cryptography: cryptography)
      self.conversation = conversation
      serviceName = handshake.hello.name
      return sealed
    } catch {
      throw EnrollmentLinkError(error)
    }
  }

  /// Seals a request.
  ///
  /// - Precondition: the server's hello was believed.
  public mutating func seal(_ request: EnrollmentRequest) throws(EnrollmentLinkError) -> [UInt8] {
    try say(.request(request))
  }

  /// Seals a goodbye.
  ///
  /// - Precondition: the server's hello was believed.
  public mutating func sealGoodbye() throws(EnrollmentLinkError) -> [UInt8] {
    try say(.goodbye)
  }

  /// Opens what came: the answer; ``Reception/later`` for what this version passes over.
  ///
  /// - Precondition: the server's hello was believed.
  public mutating func open(_ body: [UInt8]) throws(EnrollmentLinkError) -> Reception {
    guard var conversation else { preconditionFailure("the server's hello comes first") }
    do throws(MessageError) {
      let message = try conversation.open(body, cryptography: cryptography)
      self.conversation = conversation
      switch message {
      case .answer(let answer)?: return .answer(answer)
      case .goodbye?: return .goodbye
      default: return .later
      }
    } catch {
      throw EnrollmentLinkError(error)
    }
  }

  /// What came from the server.
  public enum Reception: Sendable {
    /// The answer.
    case answer(EnrollmentAnswer)
    /// The server ends the connection in good order.
    case goodbye
    /// A message of a later version, to be passed over.
    case later
  }

  private mutating func say(_ message: EnrollmentMessage) throws(EnrollmentLinkError) -> [UInt8] {
    guard var conversation else { preconditionFailure("the server's hello comes first") }
    do throws(MessageError) {
      let body = try conversation.seal(message, key: key)
      self.conversation = conversation
      return body
    } catch {
      throw EnrollmentLinkError(error)
    }
  }
}

/// Why a connection to an enrollment server is of no use.
public struct EnrollmentLinkError: Error, Sendable {
  /// What the server did wrong; nil: our own side could not sign or write.
  public let fault: SessionFault?
  /// What happened, for people.
  public let message: String

  init(_ error: MessageError) {
    fault = SessionFault(error)
    message = error.message
  }
}
