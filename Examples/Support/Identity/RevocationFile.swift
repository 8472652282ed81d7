internal import CheckIn
package import CheckInCore
internal import OpenSSLCryptography

/// The signed list of what was taken back, as a text file: a block `CHECKIN REVOCATIONS`. Everybody may have it.
///
/// `organizer revoke` writes it; a kiosk reads it, and reads it again while it runs.
package enum RevocationFile {
  /// The block's label.
  package static let label = "CHECKIN REVOCATIONS"
  /// The largest file that is read: the largest list as base64, and lines for people.
  private static let limit = RevocationLimits.list / 2 * 3

  /// Reads the list, and checks that it is the event's and that its issuer signed it.
  ///
  /// - Throws: ``FileError``.
  package static func read(_ path: String, issuer: IssuerFile) throws(FileError) -> RevocationList {
    try IdentityText.read(path, what: "list of what was taken back", limit: limit) { blocks throws(TextBlock.Fault) in
      let bytes = try blocks.only(label, what: "a list of what was taken back").bytes
      do throws(RevocationListError) {
        return try RevocationList(
          bytes, issuedBy: issuer.key, event: issuer.event, cryptography: OpenSSLCryptography())
      } catch {
        switch error {
        case .forged:
          throw TextBlock.Fault(
            "it was not signed by the issuer of “\(issuer.name.printable)”; perhaps it is for another event")
        case .wrongEvent(let event):
          throw TextBlock.Fault(
            "it is for the event “\(event.printable)”, and the issuer file is for “\(issuer.event.printable)”")
        default: throw TextBlock.Fault(error.message.asSentenceEnd)
        }
      }
    }
  }

  /// The file's content.
  ///
  /// - Parameters:
  ///   - list: what is in it, for the lines that a person reads.
  ///   - bytes: the signed list.
  package static func text(_ list: RevocationList, bytes: [UInt8], issuer: IssuerFile) -> [UInt8] {
    IdentityText.comment([
      "What was taken back at “\(issuer.name)” (\(issuer.event)): \(list.summary).",
      "Kiosks read this file (kiosk --revocations). Everybody may have it; only the organizer can make one.",
    ]) + TextBlock(label, SecretBytes(bytes)).text
  }
}

extension RevocationList {
  /// Which list it is and how much is in it, in words: the end of a sentence.
  package var summary: String {
    "list \(number) of \(issuedAt.rfc3339), with \(counted(attendees.count, "attendee")) and "
      + "\(counted(serials.count, "serial"))"
  }

  private func counted(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}
