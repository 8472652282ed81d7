/// How strong a signal arrives, in decibels relative to one milliwatt (dBm). Higher is stronger; −40 is very near, −90 is
/// hardly to be heard.
public struct SignalStrength: Hashable, Comparable, Sendable {
  /// The value in dBm, from −128 to 127.
  public let decibelMilliwatts: Int

  /// A strength. What is above or below all that a receiver can say counts as the most or the least.
  public init(decibelMilliwatts: Int) {
    self.decibelMilliwatts = min(127, max(-128, decibelMilliwatts))
  }

  /// Whether `left` is weaker.
  public static func < (left: SignalStrength, right: SignalStrength) -> Bool {
    left.decibelMilliwatts < right.decibelMilliwatts
  }
}
