internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import TicketTokens
internal import TokenList

/// The tokens that the kiosk takes for genuine: a list, if there is one, and the issuer's tickets that were not taken back.
struct Tokens: TokenVerifier {
  /// Whose tickets they are.
  let issuer: IssuerFile
  private let tickets: TicketTokenVerifier
  private let chain: TokenVerifierChain
  private let revokedPath: String?

  /// Reads the files that the command line names.
  init(_ values: CommandLineValues, cryptography: OpenSSLCryptography) throws(ExampleError) {
    do throws(FileError) {
      issuer = try IssuerFile.read(values[KioskCommand.issuer])
    } catch {
      throw ExampleError(error)
    }
    tickets = TicketTokenVerifier(issuer: issuer.key, event: issuer.event, cryptography: cryptography)
    var verifiers: [any TokenVerifier] = []
    if let path = values[KioskCommand.attendees] {
      verifiers.append(try Tokens.readList(path, cryptography: cryptography))
    }
    chain = TokenVerifierChain(verifiers + [tickets])
    revokedPath = values[KioskCommand.revoked]
    if let revokedPath {
      tickets.replaceRevocations(with: try Tokens.readRevocations(revokedPath))
    }
  }

  /// Judges a token as it came from a phone.
  func judge(_ token: [UInt8]) async -> TokenVerdict {
    await chain.judge(token)
  }

  /// Reads the list of tickets taken back again whenever it has changed, until the task is cancelled.
  func watch() async {
    guard let revokedPath else { return }
  }
}
