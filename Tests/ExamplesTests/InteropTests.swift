internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import TestSupport
internal import Testing

/// The Python environment with the other implementation's packages, which `scripts/test` makes.
enum Python {
  static let program = ProcessInfo.processInfo.environment["PYTHON"]

  /// The folder of the other implementation.
  static var folder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Interop").path
  }

  /// Runs one of its programs.
  static func run(_ script: String, _ arguments: [String]) async throws -> FinishedProcess {
    let program = try #require(program)
    return try await ChildProcess.finish(program, ["\(folder)/\(script)"] + arguments, atMost: .seconds(170))
  }
}

@Suite(
  "Live sessions, judged by an implementation that is not ours",
  .enabled(
    if: Python.program != nil, "PYTHON names no Python with the packages of Tests/Interop: “make venv” makes one."))
struct InteropTests {
  /// How an attendee confirms in a session that is captured.
  enum Way: String, CaseIterable {
    case biometric, keypad, wrongPIN, again
  }

  @Test(
    "Every byte that our programs say to each other is what the protocol's text says", .bounded, arguments: Way.allCases
  )
  func captured(way: Way) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ticket = try event.ticket(algorithm: way == .keypad ? .es256 : .ed25519)
      let capture = try await ChildProcess.kiosk(event) { kiosk in
        if way == .again { _ = try await ChildProcess.visit(event, ticket, at: kiosk.endpoint()) }
        return try await RecordingProxy.run(to: kiosk.endpoint()) { proxy in
          let keypad = way == .keypad || way == .wrongPIN
          let more = ["--authenticator", keypad ? "pin" : "mock-biometric"]
          let end = try await ChildProcess.attendee(event, ticket, at: proxy.endpoint, more) { phone in
            if keypad {
              let pin = try await phone.pinOnScreen()
              for left in way == .wrongPIN ? [2, 1] : [] {
                kiosk.type(pin.wrong + "\n")
                try await phone.event("notice") { $0.number("attempts_left") == Int64(left) }
              }
              kiosk.type((way == .wrongPIN ? pin.wrong : pin) + "\n")
            }
            return try await phone.finished()
          }
          #expect(end.exit == .status(way == .wrongPIN || way == .again ? 1 : 0))
          return proxy.messages
        }
      }
      #expect(capture.count >= 5, "hello, request, result and two goodbyes")
      let issuer = try IssuerFile.read(event.issuerFile)
      let header = """
        {"capture": 1, "issuer": {"algorithm": "EdDSA", "public": "\(hexadecimal(issuer.key.bytes))"}, \
        "event": "\(event.id)"}

        """
      let lines = capture.map { #"{"from": "\#($0.side.rawValue)", "body": "\#(hexadecimal($0.body))"}"# + "\n" }
      let file = try folder.write(header + lines.joined(), to: "capture.jsonl")
      let verdict = try await Python.run("check_capture.py", [file])
      #expect(verdict.exit == .status(0), "\(verdict.output)\(verdict.errors)")

      // The check can fail: one bit less, and it is no capture any more.
      var spoilt = try #require(capture.last).body
      spoilt[spoilt.count - 1] ^= 1
      let last = #"{"from": "\#(capture[capture.count - 1].side.rawValue)", "body": "\#(hexadecimal(spoilt))"}"# + "\n"
      let bad = try folder.write(header + lines.dropLast().joined() + last, to: "spoilt.jsonl")
      let second = try await Python.run("check_capture.py", [bad])
      #expect(second.exit == .status(1))
    }
  }
}
