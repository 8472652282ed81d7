internal import CheckInCore
internal import ExampleSupport
internal import Glibc
internal import MockBiometricAuthenticator

/// Asks the person whether to confirm with the mock sensor: one line of standard input.
struct BiometricQuestion {
  /// Whether the output is JSON: then the question is an event, and the answer is still a line of input.
  let isJSON: Bool

  /// Asks until there is an answer that means something. The end of the input means no.
  func ask(_ context: ConfirmationContext) async -> MockBiometricProver.Choice {
    let input = InputLines()
    defer { input.stop() }
    pose(context)
    for await line in input.lines {
      switch line.lowercased().filter({ !$0.isWhitespace }) {
      case "", "y", "yes", "accept": return .confirm
      case "n", "no", "decline": return .decline
      case "fail", "reject": return .fail
      case "cancel", "q", "quit": return .cancel
      default: pose(context)
      }
    }
    return .decline
  }

  private func pose(_ context: ConfirmationContext) {
    if isJSON {
      JSONLine().write(
        event: "confirm",
        [
          JSONMember("attendee", .optional(context.attendee)), JSONMember("kiosk", .string(context.kiosk)),
          JSONMember("gate", .string(context.gate)),
        ])
    } else {
      let place = context.gate == context.kiosk ? context.kiosk : "\(context.kiosk), gate \(context.gate)"
      let output = LineOutput.standardOutput
      if let attendee = context.attendee { output.say("This is the ticket of \(attendee).") }
      output.say(
        "Check in to \(context.event) at \(place) with your fingerprint (mock)? Type y, n, fail or cancel.")
    }
  }
}
