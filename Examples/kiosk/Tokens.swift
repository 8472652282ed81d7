internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import Synchronization
internal import TicketTokens
internal import TokenList

/// The tokens that the kiosk takes for genuine: a list, if there is one, and the issuer's tickets that were not taken back.
final class Tokens: TokenVerifier {
  /// Whose tickets they are.
  let issuer: IssuerFile
  private let tickets: TicketTokenVerifier
  private let chain: TokenVerifierChain
  private let takenBack: Mutex<Set<String>>

  /// Reads the files that the command line names.
  init(
    _ values: CommandLineValues, issuer: IssuerFile, takenBack: RevocationList?, cryptography: OpenSSLCryptography
  ) throws(ExampleError) {
    self.issuer = issuer
    tickets = TicketTokenVerifier(issuer: issuer.key, event: issuer.event, cryptography: cryptography)
    var verifiers: [any TokenVerifier] = []
    if let path = values[KioskCommand.attendees] {
      verifiers.append(try Tokens.readList(path, cryptography: cryptography))
    }
    chain = TokenVerifierChain(verifiers + [tickets])
    self.takenBack = Mutex([])
    if let takenBack { replace(takenBack: takenBack) }
  }

  /// Judges a token as it came from a phone. Attendees who were taken back are so with tokens of the list too.
  func judge(_ token: [UInt8]) async -> TokenVerdict {
    let verdict = await chain.judge(token)
    guard case .valid(let holder) = verdict, takenBack.withLock({ $0.contains(holder.attendee) }) else {
      return verdict
    }
    return .refused(.revoked, holder)
  }

  /// Tokens that are judged from now on are judged by this list.
  func replace(takenBack list: RevocationList) {
    tickets.replaceRevocations(with: Revocations(list))
    takenBack.withLock { $0 = Set(list.attendees) }
  }

  /// Reads the list of tokens. Rows that are wrong are said and left out.
  private static func readList(
    _ path: String, cryptography: OpenSSLCryptography
  ) throws(ExampleError) -> TokenList {
    do {
      let bytes = try FileReading.read(path, what: "list of attendees", limit: 64 << 20)
      let list = try TokenList(csv: bytes, cryptography: cryptography)
      for error in list.errors {
        LineOutput.standardError.say(
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
