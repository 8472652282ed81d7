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
  /// From before the first reading, so that no change is missed.
  private let revokedStamp: FileStamp?

  /// Reads the files that the command line names.
  init(
    _ values: CommandLineValues, issuer: IssuerFile, cryptography: OpenSSLCryptography
  ) throws(ExampleError) {
    self.issuer = issuer
    tickets = TicketTokenVerifier(issuer: issuer.key, event: issuer.event, cryptography: cryptography)
    var verifiers: [any TokenVerifier] = []
    if let path = values[KioskCommand.attendees] {
      verifiers.append(try Tokens.readList(path, cryptography: cryptography))
    }
    chain = TokenVerifierChain(verifiers + [tickets])
    revokedPath = values[KioskCommand.revoked]
    revokedStamp = revokedPath.map { FileStamp($0) }
    if let revokedPath { try readRevocations(revokedPath) }
  }

  /// Judges a token as it came from a phone.
  func judge(_ token: [UInt8]) async -> TokenVerdict {
    await chain.judge(token)
  }

  /// Reads the list of tickets taken back again every two seconds when it has changed, until the task is cancelled. A list
  /// that cannot be read leaves the last good one in force, and is said once.
  func watch() async {
    guard let revokedPath, let revokedStamp else { return }
    await revokedStamp.watch(revokedPath) {
      do throws(ExampleError) {
        try readRevocations(revokedPath)
      } catch {
        LineOutput.standardError.writeLine("kiosk: \(error.description.printable) The last good list stays in force.")
      }
    }
  }

  private func readRevocations(_ path: String) throws(ExampleError) {
    do throws(FileError) {
      tickets.replaceRevocations(with: try RevocationFile.read(path))
    } catch {
      throw ExampleError(error)
    }
  }

  /// Reads the list of tokens. Rows that are wrong are said and left out.
  private static func readList(
    _ path: String, cryptography: OpenSSLCryptography
  ) throws(ExampleError) -> TokenList {
    do {
      let bytes = try FileReading.read(path, what: "list of attendees", limit: 64 << 20)
      let list = try TokenList(csv: bytes, cryptography: cryptography)
      for error in list.errors {
        LineOutput.standardError.writeLine(
          "kiosk: \(path.printable), line \(error.line), column \(error.column): \(error.message.printable)")
      }
      return list
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as CSVError {
      throw ExampleError(.badData, "\(path), line \(error.line), column \(error.column): \(error.message)")
    } catch {
      throw ExampleError(.internal, "\(path) cannot be read.")
    }
  }
}
