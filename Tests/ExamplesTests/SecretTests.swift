internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import OpenSSLCryptography
internal import TestSupport
internal import Testing

@Suite("What a kiosk never writes")
struct SecretTests {
  @Test("R13, R16: no PIN, token or private key is in its output, its errors or its ledger", .bounded)
  func secrets() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let identity = try event.kiosk()
      let tickets = try (0..<3).map { try event.ticket("Guest \($0)", id: "guest-\($0)") } + [event.forgedTicket()]
      var pins: [String] = []
      let said = try await ChildProcess.kiosk(event, identity: identity, ledger: folder.path("ledger")) { kiosk in
        for ticket in tickets.prefix(3) {
          let end = try await ChildProcess.attendee(
            event, ticket, at: kiosk.endpoint(), ["--authenticator", "pin"]
          ) { phone in
            let pin = try await phone.pinOnScreen()
            pins.append(pin)
            kiosk.type(pin.wrong + "\n")
            try await phone.event("notice") { $0["notice"] == "wrong_pin" }
            kiosk.type(pin + "\n")
            return try await phone.finished()
          }
          #expect(end.exit == .status(0))
        }
        let forged = try await ChildProcess.visit(event, tickets[3], at: kiosk.endpoint())
        #expect(forged.exit == .status(2))
        kiosk.signal(SIGTERM)
        _ = try await kiosk.exit()
        return kiosk.everything
      }
      let text = String(decoding: said, as: UTF8.self)
      #expect(text.contains("checked_in") && text.contains("invalid_token"), "there is something to search")
      for pin in pins + pins.map(\.wrong) {
        // Whole words: digits may stand within the hexadecimal of a session's name.
        #expect(!text.split { !$0.isLetter && !$0.isNumber }.contains(pin[...]))
        #expect(!text.contains("\"\(pin)\""))
      }
      let ledger = try ["ledger", "ledger-wal"].reduce(into: Data()) { all, name in
        let path = folder.path(name)
        if FileManager.default.fileExists(atPath: path) { all += try Data(contentsOf: URL(filePath: path)) }
      }
      let issuer = try IssuerFile.read(event.issuerFile)
      let files = try [KioskFile.read(identity, issuer: issuer).key] + tickets.map { try event.read($0).key }
      let secrets =
        try tickets.map { try event.read($0).token } + files.map { try SecretTests.privateKey($0.pem().bytes) }
      #expect(secrets.count == 9)
      for secret in secrets {
        // Any piece of 16 bytes is too much.
        for start in stride(from: 0, through: secret.count - 16, by: 8) {
          let piece = Array(secret[start..<(start + 16)])
          let forms = [
            piece, Array(hexadecimal(piece).utf8), Array(Data(piece).base64EncodedString().prefix(20).utf8),
          ]
          for form in forms {
            #expect(!said.contains(form))
            if form == piece { #expect(!ledger.contains(form)) }
          }
        }
      }
    }
  }

  /// The secret number in a key file: the last 32 bytes of the PKCS #8 of an Ed25519 key (RFC 8410).
  private static func privateKey(_ pem: [UInt8]) throws -> [UInt8] {
    let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
    return Array(try #require(Data(base64Encoded: lines.joined())).suffix(32))
  }
}

extension Collection<UInt8> {
  /// Whether the bytes are somewhere in these.
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    Data(self).range(of: Data(bytes)) != nil
  }
}
