/// From when until when, and at which gates, a token or credential is good. The one place where that is judged.
public struct Validity: Hashable, Sendable {
  /// How far the clocks of issuer, phone and kiosk may differ (R21).
  public static let leeway = Duration.seconds(300)

  /// When it was issued, where that is known.
  public let issuedAt: WallTime?
  /// The first second of validity; nil: no limit.
  public let validFrom: WallTime?
  /// The first second that is not valid any more; nil: no limit.
  public let validUntil: WallTime?
  /// The gates that it opens; empty: every gate.
  public let gates: [String]

  /// A validity.
  public init(issuedAt: WallTime?, validFrom: WallTime?, validUntil: WallTime?, gates: [String]) {
    self.issuedAt = issuedAt
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.gates = gates
  }

  /// What stands against using it at `now` by the judge's clock and at `gate`; nil: nothing does.
  ///
  /// In this order, with a leeway of 300 seconds:
  /// - ``Reason/clockSkew`` when it was issued more than the leeway after now: one of the clocks is wrong;
  /// - ``Reason/notYetValid`` when validity begins more than the leeway after now (RFC 8392 §3.1.5);
  /// - ``Reason/expired`` when validity ended the leeway ago or longer: ``validUntil`` itself is outside (RFC 8392 §3.1.4);
  /// - ``Reason/wrongGate`` when it names gates, and not this one.
  ///
  /// So of two clocks that differ by exactly five minutes each accepts what the other does at its own time.
  public func refusal(at now: WallTime, gate: String) -> Reason? {
    let latest = now.advanced(by: Validity.leeway)
    if let issuedAt, issuedAt > latest { return .clockSkew }
    if let validFrom, validFrom > latest { return .notYetValid }
    if let validUntil, validUntil.advanced(by: Validity.leeway) <= now { return .expired }
    if !gates.isEmpty, !gates.contains(gate) { return .wrongGate }
    return nil
  }
}

extension WallTime {
  /// Whether two clocks that are read at the same time agree within ``Validity/leeway`` (R21).
  public func agrees(with other: WallTime) -> Bool {
    let (earlier, later) = self < other ? (self, other) : (other, self)
    return later <= earlier.advanced(by: Validity.leeway)
  }
}

extension TokenHolder {
  /// What stands against using the token at `now` and at `gate`; nil: nothing does. ``Validity/refusal(at:gate:)`` says how.
  public func refusal(at now: WallTime, gate: String) -> Reason? {
    Validity(issuedAt: issuedAt, validFrom: validFrom, validUntil: validUntil, gates: gates)
      .refusal(at: now, gate: gate)
  }
}
