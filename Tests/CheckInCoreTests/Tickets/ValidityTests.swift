internal import CheckInCore
internal import Testing

@Suite("Validity")
struct ValidityTests {
  static func at(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }

  @Test(
    "R21: clocks may differ by five minutes, to the second",
    arguments: [
      (699, Reason.clockSkew), (700, nil), (1000, nil), (2299, nil), (2300, .expired), (.max, .expired),
      (.min, .clockSkew),
    ] as [(Int64, Reason?)])
  func issuedTicket(now: Int64, expected: Reason?) {
    let validity = Validity(issuedAt: Self.at(1000), validFrom: Self.at(1000), validUntil: Self.at(2000), gates: [])
    #expect(validity.refusal(at: Self.at(now), gate: "North") == expected)
  }

  @Test(
    "A ticket for later is not valid before its time",
    arguments: [(699, Reason.notYetValid), (700, nil)] as [(Int64, Reason?)])
  func later(now: Int64, expected: Reason?) {
    let validity = Validity(issuedAt: Self.at(10), validFrom: Self.at(1000), validUntil: nil, gates: [])
    #expect(validity.refusal(at: Self.at(now), gate: "") == expected)
  }

  @Test("R21: a ticket from the future says that a clock is wrong, before anything else")
  func skewFirst() {
    let validity = Validity(issuedAt: Self.at(5000), validFrom: Self.at(9000), validUntil: Self.at(10), gates: ["A"])
    #expect(validity.refusal(at: Self.at(1000), gate: "B") == .clockSkew)
  }

  @Test(
    "No gates are every gate, and named ones are those alone",
    arguments: [
      ([], "North", nil), (["North"], "North", nil), (["South", "North"], "North", nil),
      (["South"], "North", .wrongGate),
      (["north"], "North", .wrongGate), ([""], "North", .wrongGate), (["Su\u{308}d"], "S\u{fc}d", nil),
    ] as [([String], String, Reason?)])
  func gates(gates: [String], gate: String, expected: Reason?) {
    let validity = Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: gates)
    #expect(validity.refusal(at: Self.at(0), gate: gate) == expected)
  }

  @Test("Times at the ends of the range do not trap", arguments: [Int64.min, -1, 0, 1, Int64.max])
  func extremes(now: Int64) {
    for time in [Int64.min, .max] {
      let validity = Validity(issuedAt: Self.at(time), validFrom: Self.at(time), validUntil: Self.at(time), gates: [])
      let expected: Reason? = time == .min ? (now == .min ? nil : .expired) : (now == .max ? .expired : .clockSkew)
      #expect(validity.refusal(at: Self.at(now), gate: "") == expected)
    }
  }

  @Test("A holder is judged as its ticket is")
  func holder() throws {
    let key = try #require(PublicKey(algorithm: .ed25519, bytes: [UInt8](repeating: 1, count: 32)))
    let holder = TokenHolder(
      attendee: "ada", name: "Ada", key: key, issuedAt: Self.at(0), validFrom: Self.at(1000), validUntil: Self.at(2000),
      gates: ["North"])
    #expect(holder.refusal(at: Self.at(699), gate: "North") == .notYetValid)
    #expect(holder.refusal(at: Self.at(1500), gate: "North") == nil)
    #expect(holder.refusal(at: Self.at(1500), gate: "South") == .wrongGate)
    #expect(holder.refusal(at: Self.at(2300), gate: "North") == .expired)
    #expect(holder.refusal(at: Self.at(-301), gate: "North") == .clockSkew)
  }

  @Test(
    "R21: two clocks agree within five minutes, whichever is ahead",
    arguments: [(0, true), (300, true), (301, false), (Int64.max, false)] as [(Int64, Bool)])
  func agreement(difference: Int64, agree: Bool) {
    for base in [0, -100] as [Int64] {
      let (one, other) = (Self.at(base), Self.at(base).advanced(by: .seconds(difference)))
      #expect(one.agrees(with: other) == agree)
      #expect(other.agrees(with: one) == agree)
    }
  }
}
