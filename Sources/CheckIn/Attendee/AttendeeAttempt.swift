internal import CheckInCore
internal import Synchronization

/// One session of an attendee's: does its actions, asks the person beside it, keeps how it ended.
final class AttendeeAttempt: Sendable {
  private struct State {
    var outcome: AttendeeOutcome?
    var question: Task<Void, Never>?
  }

  private let configuration: AttendeeConfiguration
  private let state = Mutex(State())

  /// An attempt that has not begun.
  init(configuration: AttendeeConfiguration) {
    self.configuration = configuration
  }

  /// How it ended. A session that was torn down before it could say so was cancelled.
  var outcome: AttendeeOutcome {
    state.withLock { $0.outcome } ?? .cancelled
  }

  /// Cancels the question to the person, if there is one, and waits until it is gone.
  func stopAsking() async {
    let question = takeQuestion()
    question?.cancel()
    await question?.value
  }

  /// Does one action.
  func perform(_ action: AttendeeAction, _ runner: SessionRunner<Attendee.Session>) async -> AttendeeInput? {
    switch action {
    case .send(let body):
      do throws(TransportError) {
        try await runner.channel.send(body, before: .now + configuration.sendBound)
      } catch {
        return .peerLost
      }
    case .askConfirmation(let name, let context):
      ask(name, context, runner)
    case .stopAsking:
      takeQuestion()?.cancel()
    case .show(let view):
      configuration.display?.show(view)
    case .startTimer(let timer, let duration):
      runner.startTimer(timer, duration)
    case .stopTimer(let timer):
      runner.stopTimer(timer)
    case .report(let event):
      configuration.observer?.observe(.session(event), at: configuration.clock.now.wall)
    case .finish(let outcome):
      state.withLock { $0.outcome = outcome }
    case .close:
      await runner.channel.close()
    case .abort:
      runner.channel.abort()
    }
    return nil
  }

  private func takeQuestion() -> Task<Void, Never>? {
    state.withLock { $0.question.take() }
  }

  /// Asks the person in a task of its own: the kiosk may have something to say meanwhile.
  private func ask(_ name: String, _ context: ConfirmationContext, _ runner: SessionRunner<Attendee.Session>) {
    guard let prover = configuration.authenticators.first(where: { $0.name == name }) else {
      runner.post(.confirmation(.useKeypad(.unavailable)))
      return
    }
    let question = Task {
      let confirmation = await prover.confirm(context)
      if !Task.isCancelled { runner.post(.confirmation(confirmation)) }
    }
    let earlier = state.withLock { state in
      let earlier = state.question
      state.question = question
      return earlier
    }
    earlier?.cancel()
  }
}
