/// What a genuine token's times and gates say at this kiosk and this moment (R21).
enum TicketJudgement {
  /// Why the holder may not enter here and now; nil when nothing speaks against it.
  ///
  /// Clocks come first: with a clock that is far off, the other findings would mislead.
  static func refusal(
    of holder: TokenHolder, requestTime: WallTime, gate: String, now: WallTime, tolerance: Duration
  ) -> Reason? {
    let earliest = now.advanced(by: .zero - tolerance)
    let latest = now.advanced(by: tolerance)
    if requestTime < earliest || requestTime > latest { return .clockSkew }
    if let issued = holder.issuedAt, issued > latest { return .clockSkew }
    if let from = holder.validFrom, from > latest { return .notYetValid }
    if let until = holder.validUntil, until <= earliest { return .expired }
    if !holder.gates.isEmpty, !holder.gates.contains(gate) { return .wrongGate }
    return nil
  }
}
