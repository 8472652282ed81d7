/// Says when a kiosk is near, from signal strengths that jump about.
///
/// Strengths are smoothed. The smoothed one has to rise to one threshold for an arrival, and to fall below a lower one for
/// a leave, so that someone who stands at the border does not come and go. Nearness is a convenience and proves nothing:
/// a relay makes any signal strong.
public struct ProximityFilter: Hashable, Sendable {
  /// The thresholds and times.
  public struct Settings: Hashable, Sendable {
    /// The smoothed strength from which on a kiosk is near.
    public let arrive: SignalStrength
    /// The smoothed strength below which it is near no more.
    public let leave: SignalStrength
    /// How slowly the smoothed strength follows: about two thirds of a jump in this time.
    public let smoothing: Duration
    /// How many strengths have to be heard before any arrival.
    public let samples: Int
    /// How long a kiosk that is not heard counts as there.
    public let memory: Duration

    /// Thresholds. A kiosk leaves 8 dB below where it arrives, unless said otherwise.
    ///
    /// - Precondition: `leave` is not above `arrive`, and `samples` is at least 1.
    public init(
      arrive: SignalStrength, leave: SignalStrength? = nil, smoothing: Duration = .milliseconds(1_500),
      samples: Int = 3, memory: Duration = .seconds(10)
    ) {
      self.arrive = arrive
      self.leave = leave ?? SignalStrength(decibelMilliwatts: arrive.decibelMilliwatts - 8)
      self.smoothing = smoothing
      self.samples = samples
      self.memory = memory
      precondition(self.leave <= arrive, "what arrives must not leave at once")
      precondition(samples > 0, "a strength that nobody heard says nothing")
    }
  }

  /// What hearing or silence changed.
  public enum Change: Hashable, Sendable {
    /// The kiosk is near now.
    case arrived
    /// It is near no more.
    case left
  }

  /// The thresholds and times.
  public let settings: Settings
  /// Whether the kiosk is near.
  public private(set) var isNear = false

  private var smoothed: Double?
  private var heard = 0
  private var last: MonotonicTime?

  /// A filter that has heard nothing.
  public init(_ settings: Settings) {
    self.settings = settings
  }

  /// The smoothed strength; nil when none was heard lately.
  public var strength: SignalStrength? {
    smoothed.map { SignalStrength(decibelMilliwatts: Int($0 < 0 ? $0 - 0.5 : $0 + 0.5)) }
  }

  /// Takes a strength. Times that do not grow count as the same time.
  public mutating func hear(_ strength: SignalStrength, at time: MonotonicTime) -> Change? {
    let silence = silenceEnds(at: time)
    let value = Double(strength.decibelMilliwatts)
    if let smoothed, let last {
      let elapsed = max(.zero, time - last)
      // The first ones are averaged, so that none of them counts for all.
      let weight = max(1 / Double(heard + 1), elapsed / (elapsed + settings.smoothing))
      self.smoothed = smoothed + weight * (value - smoothed)
    } else {
      smoothed = value
    }
    heard += 1
    last = max(time, last ?? time)
    return judge() ?? silence
  }

  /// Says that it is `time`, and nothing was heard.
  public mutating func advance(to time: MonotonicTime) -> Change? {
    silenceEnds(at: time)
  }

  private mutating func judge() -> Change? {
    guard let strength else { return nil }
    if isNear {
      guard strength < settings.leave else { return nil }
      isNear = false
      return .left
    }
    guard heard >= settings.samples, strength >= settings.arrive else { return nil }
    isNear = true
    return .arrived
  }

  /// Forgets what was heard long ago.
  private mutating func silenceEnds(at time: MonotonicTime) -> Change? {
    guard let last, time - last > settings.memory else { return nil }
    let wasNear = isNear
    self = ProximityFilter(settings)
    return wasNear ? .left : nil
  }
}
