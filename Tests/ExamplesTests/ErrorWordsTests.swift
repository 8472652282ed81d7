internal import Glibc
internal import TestSupport
internal import Testing

@Suite("Errors of the programs", .serialized)
struct ErrorWordsTests {
  private static let hasNoBluetooth = socket(31, Int32(SOCK_SEQPACKET.rawValue), 0) < 0

  /// What a program says on standard error that is its terminal's, row by row; and elsewhere.
  private func errors(
    of program: String, _ arguments: [String], columns: Int
  ) async throws -> (rows: [String], elsewhere: String) {
    let terminal = ChildProcess.Stream.terminal(rows: 40, columns: columns)
    let rows = try await ChildProcess.run(
      program, arguments, input: terminal, output: terminal, errors: terminal
    ) { child in
      _ = try await child.exit()
      return child.picture?.rows.filter { !$0.isEmpty } ?? []
    }
    return (rows, try await ChildProcess.finish(program, arguments).errors)
  }

  @Test("break between words on a terminal, and are one line elsewhere", .bounded, arguments: [40, 80, 200])
  func breaks(columns: Int) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let pigeon = try ChildProcess.attendeeArguments(event, event.ticket(), at: "carrier-pigeon://roof")
      for (program, arguments, lines) in [("attendee", pigeon, 1), ("organizer", ["nonsense"], 2)] {
        let said = try await errors(of: program, arguments, columns: columns)
        #expect(said.rows.count > lines && said.rows.allSatisfy { $0.count <= min(80, columns) }, "\(said.rows)")
        let words = said.elsewhere.split { $0 == " " || $0 == "\n" }
        #expect(said.rows.flatMap { $0.split(separator: " ") } == words)
        #expect(said.elsewhere.count { $0 == "\n" } == lines)
      }
    }
  }

  @Test(
    "Bluetooth on a machine that has none is not the command line’s fault; a wrong address is", .bounded,
    .enabled(if: hasNoBluetooth), arguments: [("l2cap://hci0", 69), ("l2cap://lobby", 64), ("bluetooth://hci0", 64)])
  func noBluetooth(url: String, status: Int32) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let served = try ChildProcess.kioskArguments(event, listen: [url]) + ["--json"]
      let kiosk = try await ChildProcess.finish("kiosk", served)
      #expect(kiosk.exit == .status(status), "\(kiosk.errors)")
      let who = try ChildProcess.attendeeArguments(event, event.ticket(), at: url).dropFirst(2)
      let phone = try await ChildProcess.finish("attendee", who + ["--discover", "--discover-at", url, "--json"])
      #expect(phone.exit == .status(status), "\(phone.errors)")
      let end = phone.events.last
      #expect((end?.name == "no_kiosk") == (url != "bluetooth://hci0"), "\(phone.output)")
      if status == 69 {
        #expect(end?["reason"] == "search_failed" && end?["code"] == "address_unavailable" && end?["place"] == url)
        #expect(phone.errors == "attendee: \(end?["message"] ?? "")\n")
      }
    }
  }

  @Test("attendee: what may not be dialled is not looked for", .bounded)
  func plaintext() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let end = try await ChildProcess.finish(
        "attendee", ["--discover", "--ticket", try event.ticket(), "--issuer", event.issuerFile, "--json"])
      #expect(end.exit == .status(64) && end.output == "")
      #expect(end.errors.contains("--container") && end.errors.contains("--insecure-plaintext"), "\(end.errors)")
    }
  }
}
