public import CheckIn
public import CheckInCore

/// Tokens that are known because a list has them: the simplest verifier, made from a CSV file.
///
/// | column | what it holds |
/// |---|---|
/// | `token` | the token in base64url without padding (RFC 4648 §5), 1 to 4096 bytes; make it of random bytes |
/// | `id` | the organizer's identifier of the attendee |
/// | `name` | the name to greet the person with |
/// | `key` | the key that signs the attendee's messages: `ed25519:` or `es256:` and the raw key in base64url |
/// | `gate` | optional: the gates that it opens, with `;` between them; empty: every gate |
/// | `valid_from` | optional: a time such as `2026-12-01T09:00:00Z`, or a date, from its first second on |
/// | `valid_until` | optional: a time, the first that is not valid any more, or a date, that day included |
/// | `revoked` | optional: `true` or `false` |
///
/// Each token and each id stands once. The list keeps a hash of each token and not the token, and looks up the hash of
/// what a phone sends: how long that takes says nothing about tokens that are nearly right (R16).
public struct TokenList: TokenVerifier {
  /// What is known of one token.
  private struct Known: Sendable {
    let holder: TokenHolder
    let isRevoked: Bool
  }

  /// What is wrong with the rows that were left out, in the order of the file.
  public let errors: [CSVError]
  private let known: [Digest: Known]
  private let cryptography: any Cryptography

  /// Reads a CSV file's bytes. A row that is wrong is left out and named in ``errors``; the others count.
  ///
  /// - Throws: what is wrong with the header row.
  public init(csv bytes: [UInt8], cryptography: some Cryptography) throws(CSVError) {
    let table = try CSVTable(
      bytes, required: TokenListEntry.requiredColumns, optional: TokenListEntry.optionalColumns)
    var errors = table.errors
    var known: [Digest: Known] = [:]
    var lines: (tokens: [Digest: Int], ids: [[UInt8]: Int]) = ([:], [:])
    for row in table.rows {
      do throws(CSVError) {
        let entry = try TokenListEntry(row)
        let digest = cryptography.sha256(entry.token.span)
        if let earlier = lines.tokens[digest] {
          throw CSVError(.duplicate, at: row["token"]!, "The token of this row stands in line \(earlier) already.")
        }
        let id = Array(entry.holder.attendee.utf8)
        if let earlier = lines.ids[id] {
          throw CSVError(.duplicate, at: row["id"]!, "The id of this row stands in line \(earlier) already.")
        }
        lines.tokens[digest] = row.line
        lines.ids[id] = row.line
        known[digest] = Known(holder: entry.holder, isRevoked: entry.isRevoked)
      } catch {
        errors.append(error)
      }
    }
    self.errors = errors.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    self.known = known
    self.cryptography = cryptography
  }

  /// How many tokens are known.
  public var count: Int { known.count }

  /// Looks the token's hash up.
  public func judge(_ token: [UInt8]) async -> TokenVerdict {
    guard let known = known[cryptography.sha256(token.span)] else { return .invalid(.unknown) }
    return known.isRevoked ? .refused(.revoked, known.holder) : .valid(known.holder)
  }
}
