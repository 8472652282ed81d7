/// How strong a signal arrives, in decibels relative to one milliwatt (dBm). Higher is stronger; −40 is very near, −90 is
/// hardly to be heard.
public struct SignalStrength: Hashable, Comparable, Sendable {
  /// The value in dBm.
  public let decibelMilliwatts: Int

  /// A strength.
  public init(decibelMilliwatts: Int) {
    self.decibelMilliwatts = decibelMilliwatts
  }

  /// Whether `left` is weaker.
  public static func < (left: SignalStrength, right: SignalStrength) -> Bool {
    left.decibelMilliwatts < right.decibelMilliwatts
  }
}
