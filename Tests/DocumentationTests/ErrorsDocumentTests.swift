internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Testing

@Suite("Documentation/Errors.md")
struct ErrorsDocumentTests {
  private let document: Document

  init() throws {
    document = try Document("Documentation/Errors.md")
  }

  @Test("names every reason with its number and its text, and no other")
  func reasons() {
    let rows = document.rows(below: "Reasons")
    #expect(rows.map { Array($0.prefix(3)) } == Reason.allCases.map { ["\($0.rawValue)", "`\($0.name)`", $0.text] })
    #expect(rows.allSatisfy { $0.count == 4 && !$0[3].isEmpty })
  }

  @Test("names every exit status, and no other")
  func exitStatuses() {
    let rows = document.rows(below: "Exit statuses")
    #expect(rows.map { $0.first ?? "" } == ExitStatus.allCases.map { "\($0.rawValue)" })
  }

  @Test("names whatever else has a name on either side, and nothing else")
  func names() {
    let faults: [SessionFault] = [
      .framing, .malformed, .notAuthentic, .unknownType, .unexpectedMessage, .wrongRequest, .wrongVersion, .flood,
    ]
    let ends: [SessionEnd] = [
      .finished, .peerFinished, .peerLost, .timedOut(""), .silence, .fault(.framing), .superseded, .displaced, .stopped,
      .failed,
    ]
    let refusals: [DeskAdmission.Refusal] = [.tooManySessions, .tooManyHalfOpen, .peerTooFast]
    #expect(document.names(below: "No answer") == NoAnswer.allCases.map(\.rawValue))
    #expect(document.names(below: "Refused kiosks") == KioskRefusal.allCases.map(\.rawValue))
    #expect(document.names(below: "Invalid tokens") == InvalidToken.allCases.map(\.rawValue))
    #expect(document.names(below: "Faults of the other side") == faults.map(\.name))
    #expect(document.names(below: "How a session ended") == ends.map(\.name))
    #expect(document.names(below: "Turned away") == refusals.map(\.rawValue))
  }

  /// The codes of each public error that has such, as the sources declare them, in their order.
  private func codes() throws -> [String: [String]] {
    var codes: [String: [String]] = [:]
    for path in Repository.files(in: "Sources", ending: ".swift") + Repository.files(in: "Plugins", ending: ".swift") {
      var error: String?
      // The prefixes spare most lines the slower patterns.
      for line in try Repository.text(path).split(separator: "\n")
      where line.hasPrefix("public struct ") || line.hasPrefix("    public static let ") {
        if let name = line.prefixMatch(of: /public struct ([A-Za-z]+): .*Error\b/)?.1 { error = String(name) }
        guard let code = line.firstMatch(of: /public static let [A-Za-z0-9]+ = Code\("([a-z0-9_]+)"\)/)?.1 else {
          continue
        }
        codes[try #require(error, "\(path): \(line)"), default: []].append(String(code))
      }
    }
    return codes
  }

  @Test("names every code of every error that the libraries throw, and no other")
  func errorCodes() throws {
    let codes = try codes()
    #expect(
      Set(codes.keys).isSuperset(of: [
        "TransportError", "LedgerError", "CheckInError", "AuthenticatorRegistryError", "CSVError", "OpenSSLError",
      ]))
    // The sources were read rightly where it can be seen from here.
    #expect(codes["CheckInError"]?.contains(CheckInError.Code.insecureTransport.description) == true)
    #expect(codes["CSVError"]?.contains(CSVError.Code.tooMany.description) == true)
    for (error, codes) in codes {
      #expect(document.names(below: error) == codes, "\(error)")
    }
  }
}
