import CheckIn
import CheckInCore
import MockBiometricAuthenticator
import Testing

@Suite struct MockBiometricAuthenticatorTests {
  func context(_ transcript: UInt8 = 3) -> ConfirmationContext {
    ConfirmationContext(
      event: "Event", kiosk: "Kiosk", gate: "Hall A", session: SessionID(Bytes16([UInt8](repeating: 1, count: 16))!),
      request: RequestID(Bytes16([UInt8](repeating: 2, count: 16))!),
      transcript: Digest([UInt8](repeating: transcript, count: 32))!)
  }

  func evidence(_ context: ConfirmationContext) async throws -> [UInt8] {
    guard case .confirmed(let evidence) = await MockBiometricProver(.accept).confirm(context) else {
      throw Missing()
    }
    return evidence
  }

  struct Missing: Error {}

  @Test("Evidence convinces for its own session", .timeLimit(.minutes(1)))
  func accepted() async throws {
    let verifier = MockBiometricVerifier()
    #expect(verifier.place == .phone)
    #expect(verifier.name == "mock-biometric" && MockBiometricProver(.accept).name == "mock-biometric")
    #expect(await verifier.accepts(try evidence(context()), for: context()))
  }

  @Test("R9: evidence of another session, or changed in any byte or length, convinces nobody", .timeLimit(.minutes(1)))
  func replayed() async throws {
    let verifier = MockBiometricVerifier()
    let good = try await evidence(context())
    #expect(await !verifier.accepts(good, for: context(4)))
    for index in good.indices {
      var changed = good
      changed[index] ^= 1
      #expect(await !verifier.accepts(changed, for: context()))
      #expect(await !verifier.accepts(Array(good.prefix(index)), for: context()))
    }
    #expect(await !verifier.accepts(good + [0], for: context()))
    #expect(await !verifier.accepts([], for: context()))
  }

  @Test("R15: after five failures the sensor is locked out until it is reset", .timeLimit(.minutes(1)))
  func lockedOut() async {
    let prover = MockBiometricProver(.reject)
    for _ in 0..<5 {
      #expect(!prover.isLockedOut)
      #expect(await prover.confirm(context()) == .useKeypad(.failed))
    }
    #expect(prover.isLockedOut)
    #expect(await prover.confirm(context()) == .useKeypad(.lockedOut))
    prover.reset()
    #expect(await prover.confirm(context()) == .useKeypad(.failed))
  }

  @Test("R15: a success forgives the failures before it; a locked sensor asks nobody", .timeLimit(.minutes(1)))
  func forgiven() async throws {
    let script = Script([.fail, .fail, .fail, .fail, .confirm, .fail, .fail, .fail, .fail, .fail])
    let prover = MockBiometricProver(.ask { _ in await script.next() })
    var answers: [CheckInCore.Confirmation] = []
    for _ in 0..<12 {
      answers.append(await prover.confirm(context()))
    }
    #expect(answers[4] == .confirmed(evidence: try await evidence(context())))
    #expect(answers[9] == .useKeypad(.failed))
    #expect(answers[10] == .useKeypad(.lockedOut) && answers[11] == .useKeypad(.lockedOut))
    #expect(await script.isUsedUp)
  }

  @Test("A phone without a sensor says so", .timeLimit(.minutes(1)))
  func unavailable() async {
    #expect(await MockBiometricProver(.unavailable).confirm(context()) == .useKeypad(.unavailable))
  }

  @Test(
    "The person's choice decides, and the person sees what it is for", .timeLimit(.minutes(1)),
    arguments: [
      (MockBiometricProver.Choice.decline, CheckInCore.Confirmation.useKeypad(.declined)), (.fail, .useKeypad(.failed)),
      (.cancel, .cancelled),
    ])
  func asks(choice: MockBiometricProver.Choice, expected: CheckInCore.Confirmation) async {
    let prover = MockBiometricProver(.ask { $0.gate == "Hall A" ? choice : .confirm })
    #expect(await prover.confirm(context()) == expected)
  }

  @Test("P2: cancelling ends the question, also when whoever was asked never answers", .timeLimit(.minutes(1)))
  func cancelled() async {
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let (never, release) = AsyncStream<Void>.makeStream()
    let prover = MockBiometricProver(
      .ask { _ in
        isAsked.finish()
        // Deaf to cancellation: waits in a task that nobody cancels.
        await Task.detached { for await _ in never {} }.value
        return .confirm
      })
    let task = Task { await prover.confirm(context()) }
    for await _ in asked {}
    task.cancel()
    #expect(await task.value == .cancelled)
    release.finish()
  }

  @Test(
    "P2: a task that is cancelled before it begins asks nobody", .timeLimit(.minutes(1)),
    arguments: [
      MockBiometricProver.Behaviour.accept, .reject, .unavailable, .ask { _ in .confirm },
    ])
  func cancelledBefore(behaviour: MockBiometricProver.Behaviour) async {
    let task = Task {
      // Unsafe: the task is used inside the closure only.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await MockBiometricProver(behaviour).confirm(context())
    }
    #expect(await task.value == .cancelled)
  }
}

/// Choices in an order that a test has written down.
private actor Script {
  private var rest: [MockBiometricProver.Choice]

  init(_ choices: [MockBiometricProver.Choice]) {
    rest = choices
  }

  var isUsedUp: Bool { rest.isEmpty }

  func next() -> MockBiometricProver.Choice { rest.isEmpty ? .cancel : rest.removeFirst() }
}
