public import CheckIn
public import CheckInCore
internal import Synchronization

/// The phone's half of the authenticator `mock-biometric`: plays a phone's sensor without having one.
///
/// After five failures without a success between them it is locked out, as phones are, until ``reset()`` (R15).
public final class MockBiometricProver: AuthenticatorProver {
  /// How the played sensor behaves.
  public enum Behaviour: Sendable {
    /// It recognises the person each time.
    case accept
    /// It recognises nobody.
    case reject
    /// The phone has none, or it is switched off.
    case unavailable
    /// It asks the person, or whoever plays the person.
    case ask(@Sendable (ConfirmationContext) async -> Choice)
  }

  /// What a person who is asked says.
  public enum Choice: String, Hashable, Sendable, CaseIterable {
    /// Yes: check in.
    case confirm
    /// No: type the PIN instead.
    case decline
    /// Yes, and the sensor did not recognise it.
    case fail
    /// Do not check in at all.
    case cancel
  }

  /// How many failures lock the sensor.
  public static let failuresToLockOut = 5

  private let behaviour: Behaviour
  private let failures = Mutex(0)

  /// A prover that behaves so.
  public init(_ behaviour: Behaviour) {
    self.behaviour = behaviour
  }

  /// `mock-biometric`.
  public var name: String { MockEvidence.name }

  /// Whether too many failures have locked the sensor.
  public var isLockedOut: Bool { failures.withLock { $0 >= MockBiometricProver.failuresToLockOut } }

  /// Unlocks the sensor, as a phone's passcode does.
  public func reset() {
    failures.withLock { $0 = 0 }
  }

  /// Plays one attempt. A person who is asked while the task is cancelled is not waited for.
  public func confirm(_ context: ConfirmationContext) async -> Confirmation {
    guard !Task.isCancelled else { return .cancelled }
    if case .unavailable = behaviour { return .useKeypad(.unavailable) }
    guard !isLockedOut else { return .useKeypad(.lockedOut) }
    switch behaviour {
    case .accept: return succeed(context)
    case .reject: return fail()
    case .unavailable: return .useKeypad(.unavailable)
    case .ask(let ask):
      switch await choice(ask, context) {
      case .confirm: return succeed(context)
      case .decline: return .useKeypad(.declined)
      case .fail: return fail()
      case .cancel: return .cancelled
      }
    }
  }

  private func succeed(_ context: ConfirmationContext) -> Confirmation {
    reset()
    return .confirmed(evidence: MockEvidence.bytes(for: context))
  }

  private func fail() -> Confirmation {
    failures.withLock { $0 += 1 }
    return .useKeypad(.failed)
  }

  /// Asks in a task of its own, so that a closure that does not notice cancellation delays nobody (P2).
  private func choice(
    _ ask: @escaping @Sendable (ConfirmationContext) async -> Choice, _ context: ConfirmationContext
  ) async -> Choice {
    let first = FirstChoice()
    let asking = Task { first.make(await ask(context)) }
    return await withTaskCancellationHandler {
      await first.value()
    } onCancel: {
      asking.cancel()
      first.make(.cancel)
    }
  }
}

/// Holds the first of two choices: the person's, or the end of the task.
private final class FirstChoice: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<MockBiometricProver.Choice, Never>)
    case made(MockBiometricProver.Choice)
  }

  private let state = Mutex(State.open)

  func make(_ choice: MockBiometricProver.Choice) {
    let waiting: CheckedContinuation<MockBiometricProver.Choice, Never>? = state.withLock { state in
      switch state {
      case .open:
        state = .made(choice)
        return nil
      case .waiting(let continuation):
        state = .made(choice)
        return continuation
      case .made: return nil
      }
    }
    waiting?.resume(returning: choice)
  }

  func value() async -> MockBiometricProver.Choice {
    await withCheckedContinuation { continuation in
      let made: MockBiometricProver.Choice? = state.withLock { state in
        if case .made(let choice) = state { return choice }
        state = .waiting(continuation)
        return nil
      }
      if let made { continuation.resume(returning: made) }
    }
  }
}
