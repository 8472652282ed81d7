internal import CheckInCore
internal import EnrollmentCore
internal import Foundation
internal import OpenSSLCryptography
internal import Testing

/// The files `Tests/Vectors/enrollment-*.json`, which another implementation wrote.
@Suite("Vectors of enrollments, made elsewhere")
struct EnrollmentVectorTests {
  static let connections = ["registration-ed25519", "registration-es256", "proving-ed25519", "proving-es256"]
  let cryptography = OpenSSLCryptography()

  @Test(
    "Every message of a connection verifies in its place, and is written as the same payload", arguments: connections)
  func opened(name: String) throws {
    let file: EnrollmentVector = try EnrollmentVectorFiles.read("enrollment-\(name)")
    var (server, client) = try file.start(cryptography)
    #expect(server.transcript.bytes == (try hexBytes(file.transcript)))
    for entry in file.messages[2...] {
      let body = try hexBytes(entry.body)
      let message =
        entry.from == "server"
        ? try client.open(body, cryptography: cryptography) : try server.open(body, cryptography: cryptography)
      #expect(try message?.payload() == hexBytes(entry.payload), "\(entry.from) \(entry.sequence)")
    }
    // Nothing verifies a second time.
    let again = try hexBytes(try #require(file.messages.last).body)
    #expect(throws: MessageError.self) { _ = try client.open(again, cryptography: cryptography) }
  }

  @Test("Ed25519 signs the same connection to the byte", arguments: connections.filter { $0.hasSuffix("ed25519") })
  func sealed(name: String) throws {
    let file: EnrollmentVector = try EnrollmentVectorFiles.read("enrollment-\(name)")
    let (serverKey, clientKey) = (try file.key(file.server), try file.key(file.client))
    let binding = try hexBytes(file.binding)
    guard case .hello(let hello)? = try file.messages[0].decoded(),
      case .opening(let opening)? = try file.messages[1].decoded()
    else {
      Issue.record("a connection must begin with a hello and an opening")
      return
    }
    let greeting = try EnrollmentServerHandshake(
      hello: hello, binding: binding, key: serverKey, cryptography: cryptography)
    #expect(greeting.body == (try hexBytes(file.messages[0].body)))
    let answer = try EnrollmentClientHandshake(
      hello: greeting.body, signedBy: serverKey.publicKey, binding: binding, cryptography: cryptography)
    var (body, client) = try answer.seal(opening, key: clientKey, cryptography: cryptography)
    #expect(body == (try hexBytes(file.messages[1].body)))
    var (_, server) = try greeting.accept(body, signedBy: clientKey.publicKey, cryptography: cryptography)
    for entry in file.messages[2...] {
      let message = try #require(try entry.decoded())
      body =
        entry.from == "server" ? try server.seal(message, key: serverKey) : try client.seal(message, key: clientKey)
      #expect(body == (try hexBytes(entry.body)), "\(entry.from) \(entry.sequence)")
    }
  }

  @Test("The messages mean what is written beside them")
  func meaning() throws {
    for name in EnrollmentVectorTests.connections {
      let file: EnrollmentVector = try EnrollmentVectorFiles.read("enrollment-\(name)")
      for entry in file.messages {
        switch try entry.decoded() {
        case .request(let request)?: #expect(entry.message["1"] == .text(request.operation.rawValue))
        case .answer(let answer)?:
          #expect(entry.message["1"] == .number(answer.result.rawValue))
          #expect(entry.message["2"] == answer.status.map { .number($0.rawValue) })
          #expect(entry.message["3"] == answer.reason.map { .text($0) })
          #expect(entry.message["5"] == answer.token.map { .text(hexadecimal($0.bytes)) })
          #expect(entry.message["7"] == answer.offset.map { .number($0) })
          #expect(entry.message["8"] == answer.attemptsLeft.map { .number($0) })
        case .hello(let hello)?: #expect(entry.message["3"] == .text(hello.name))
        case .opening(let opening)?: #expect(entry.message["3"] == .text(hexadecimal(opening.client.bytes)))
        case .goodbye?: #expect(entry.message == ["0": .number(8)])
        case nil: Issue.record("a message that is passed over in \(name)")
        }
      }
    }
  }

  @Test("What must be refused is, each for what it is; a later version's message is passed over")
  func refused() throws {
    let file: EnrollmentVectorFiles.Messages = try EnrollmentVectorFiles.read("enrollment-messages")
    #expect(file.refused.count == 17 && file.accepted.count == 2)
    for entry in file.accepted {
      #expect(try take(entry, file) == nil, "\(entry.name)")
    }
    for entry in file.refused {
      #expect(try take(entry, file)?.name == entry.fault, "\(entry.name)")
    }
  }

  /// Takes a message after the two first; what is wrong with it, if something is.
  private func take(
    _ entry: EnrollmentVectorFiles.Messages.Entry, _ file: EnrollmentVectorFiles.Messages
  ) throws -> SessionFault? {
    let start = EnrollmentVector(
      server: file.server, client: file.client, binding: "", transcript: "",
      messages: file.opening.map { .init(from: "", sequence: 0, message: [:], payload: "", body: $0) })
    var (server, client) = try start.start(cryptography)
    let body = try hexBytes(entry.body)
    do throws(MessageError) {
      let message =
        entry.from == "server"
        ? try client.open(body, cryptography: cryptography) : try server.open(body, cryptography: cryptography)
      if let skipped = entry.skipped { #expect((message == nil) == skipped) }
      return nil
    } catch {
      return SessionFault(error)
    }
  }
}
