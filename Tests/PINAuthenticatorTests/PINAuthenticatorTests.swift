import CheckIn
import CheckInCore
import PINAuthenticator
import Testing

@Suite struct PINAuthenticatorTests {
  static let context = ConfirmationContext(
    event: "Event", kiosk: "Kiosk", gate: "Hall A", session: SessionID(Bytes16([UInt8](repeating: 1, count: 16))!),
    request: RequestID(Bytes16([UInt8](repeating: 2, count: 16))!),
    transcript: Digest([UInt8](repeating: 3, count: 32))!)

  @Test("The phone's half sends the person to the keypad at once", .timeLimit(.minutes(1)))
  func prover() async {
    #expect(await PINProver().confirm(Self.context) == .useKeypad(.chosen))
    #expect(PINProver().name == "pin" && PINVerifier().name == "pin")
  }

  @Test("P2: a cancelled confirmation says so", .timeLimit(.minutes(1)))
  func cancelled() async {
    let task = Task {
      // Unsafe: the task is used inside the closure only.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await PINProver().confirm(Self.context)
    }
    #expect(await task.value == .cancelled)
  }

  @Test(
    "The kiosk's half stands at the keypad and believes no evidence", .timeLimit(.minutes(1)),
    arguments: [
      [], Array("12345".utf8), [UInt8](repeating: 3, count: 32),
    ])
  func verifier(evidence: [UInt8]) async {
    #expect(PINVerifier().place == .keypad)
    #expect(await !PINVerifier().accepts(evidence, for: Self.context))
  }
}
