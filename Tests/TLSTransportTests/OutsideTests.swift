internal import Certificates
internal import CheckIn
internal import CheckInCore
internal import Foundation
internal import SocketIO
internal import TCPTransport
internal import TLSTransport
internal import TestSupport
internal import Testing

/// The program `openssl` at one end: TLS that is not ours to drive.
@Suite("An outside TLS client and server", .serialized, .timeLimit(.minutes(2)))
struct OutsideTests {
  private static let program = "/usr/bin/openssl"
  private let hall: TLSHall
  private let loops: EventLoopGroup

  init() throws {
    hall = try TLSHall()
    loops = try EventLoopGroup(count: 1)
  }

  /// What an outside client shows, and the alert that it gets (RFC 8446 §6.2); nil: it is let in.
  enum Client: String, CaseIterable, CustomTestStringConvertible {
    case good, none, kiosk, expired, notYetValid, otherIssuer, oldProtocol, otherProtocol

    var testDescription: String { rawValue }

    var alert: Int? {
      switch self {
      case .good: nil
      case .none: 116
      case .kiosk: 43
      case .expired: 45
      case .notYetValid: 42
      case .otherIssuer: 48
      case .oldProtocol: 70
      case .otherProtocol: 120
      }
    }

    func credentials(in hall: TLSHall) throws -> TLSCredentials {
      switch self {
      case .kiosk: hall.kiosk
      case .expired: try TLSHall.credentials(hall.authority, .attendee, "eve", "summer", from: -7_200, to: -3_600)
      case .notYetValid: try TLSHall.credentials(hall.authority, .attendee, "eve", "summer", from: 3_600, to: 7_200)
      case .otherIssuer: try TLSHall().attendee
      default: hall.attendee
      }
    }
  }

  @Test(
    "R23: a client gets the alert that fits what is wrong, and with nothing wrong is served", arguments: Client.allCases
  )
  func judgesClients(client: Client) async throws {
    let tls = try hall.transport().wrap(TCPTransport(loops: loops))
    let listener = try await tls.listen(on: Endpoint("tls+tcp://127.0.0.1:0"))
    let serving = Task {
      while let connection = try? await listener.accept() {
        try await connection.send(Array("served\n".utf8), before: nil)
        await connection.close()
      }
    }
    try await ProcessFolder.with { folder in
      var arguments = [
        "s_client", "-connect", listener.endpoint.address, "-ign_eof", "-alpn",
        client == .otherProtocol ? "h2" : "checkin/1", client == .oldProtocol ? "-tls1_2" : "-tls1_3",
      ]
      if client != .none { arguments += try write(client.credentials(in: hall), to: folder) }
      let run = try await ChildProcess.finish(Self.program, arguments, atMost: .seconds(30))
      let said = run.output + run.errors
      if let alert = client.alert {
        #expect(said.contains("alert number \(alert)\n"), "\(said)")
        #expect(!said.contains("served"))
      } else {
        #expect(run.exit == .status(0), "\(said)")
        #expect(said.contains("served\n"), "\(said)")
      }
    }
    serving.cancel()
    await listener.close()
    await loops.shutdown()
  }

  /// What an outside server shows, and why we turn it away; nil: we do not.
  enum Server: String, CaseIterable, CustomTestStringConvertible {
    case good, attendee, expired, otherIssuer

    var testDescription: String { rawValue }

    var refusal: CertificateRefusal.Code? {
      switch self {
      case .good: nil
      case .attendee: .wrongRole
      case .expired: .expired
      case .otherIssuer: .otherIssuer
      }
    }

    func credentials(in hall: TLSHall) throws -> TLSCredentials {
      switch self {
      case .good: hall.kiosk
      case .attendee: try TLSHall.credentials(hall.authority, .attendee, "eve", "summer")
      case .expired: try TLSHall.credentials(hall.authority, .kiosk, "eve", "summer", from: -7_200, to: -3_600)
      case .otherIssuer: try TLSHall().kiosk
      }
    }
  }

  @Test("R23: a server is believed by its role, event and dates alone", arguments: Server.allCases)
  func judgesServers(server: Server) async throws {
    let tls = try hall.transport().wrap(TCPTransport(loops: loops))
    try await ProcessFolder.with { folder in
      let issuer = folder.path("issuer.pem")
      try Data(pem("CERTIFICATE", hall.authority.certificate.der).utf8).write(to: URL(filePath: issuer))
      let arguments =
        ["s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-Verify", "1", "-verify_return_error"]
        + ["-CAfile", issuer, "-purpose", "any", "-alpn", "checkin/1", "-tls1_3"]
        + (try write(server.credentials(in: hall), to: folder))
      try await ChildProcess.run(Self.program, arguments) { child in
        let address = try await listeningAddress(of: child)
        let endpoint = Endpoint(scheme: "tls+tcp", address: address)
        if let code = server.refusal {
          do throws(TransportError) {
            _ = try await tls.connect(to: endpoint, before: .now + .seconds(10))
            Issue.record("a server was believed that is \(server)")
          } catch {
            #expect(error.code == .certificateRefused, "\(error)")
            #expect((error.cause as? CertificateRefusal)?.code == code, "\(error)")
          }
        } else {
          let connection = try await tls.connect(to: endpoint, before: .now + .seconds(10))
          child.type("from outside\n")
          #expect(try await connection.receive(exactly: 13) == Array("from outside\n".utf8))
          #expect(connection.channelBinding?.count == 32)
          await connection.close()
        }
      }
    }
    await loops.shutdown()
  }

  /// The files of the certificate and of its key, and the arguments that name them.
  private func write(_ credentials: TLSCredentials, to folder: ProcessFolder) throws -> [String] {
    let (certificate, key) = (folder.path("certificate.der"), folder.path("key.der"))
    try Data(credentials.chain[0].der).write(to: URL(filePath: certificate))
    try Data(credentials.key.pkcs8().bytes).write(to: URL(filePath: key))
    return ["-cert", certificate, "-certform", "DER", "-key", key, "-keyform", "DER"]
  }

  /// Where it listens, as its first line says.
  private func listeningAddress(of child: ChildProcess) async throws -> String {
    for _ in 0..<500 {
      for line in child.outputText.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
        return String(line.dropFirst("ACCEPT ".count))
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ProcessFailure("openssl s_server does not listen: \(child.outputText)\(child.errorText)")
  }
}
