package import CheckInCore

extension Answer {
  /// The reason's text, with the time, gate or wait that belongs to it.
  package var sentence: String {
    var text = reason.text
    if reason == .alreadyAdmitted, let admittedAt {
      let place = gate.map { " at gate \($0)" } ?? ""
      text = "You are already checked in, since \(LocalClock.text(admittedAt))\(place)."
    }
    if let seconds = retryAfter?.components.seconds, seconds > 0 {
      text += seconds == 1 ? " Try again in 1 second." : " Try again in \(seconds) seconds."
    }
    return text
  }
}
