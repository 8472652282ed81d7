/// The faults of one run, drawn from its seed, and what they excuse.
struct FaultMix: CustomStringConvertible {
  /// The parameters at the kiosk's gate.
  let listening: String
  /// The parameters of the phone.
  let dialling: String
  /// Bytes are changed: a phone may be right to give up on the kiosk.
  let flips: Bool
  /// A connection may stand still for ever: a phone cannot tell that from silence.
  let freezes: Bool
  /// Some connections at least are clean, so the phone has to get its answer.
  let isPassing: Bool

  init(seed: UInt64) {
    var dice = Dice(seed: seed)
    let flips = dice.happens(20)
    let freezes = dice.happens(3)
    let isPassing = dice.happens(90)
    let side = dice.number(0...2)
    listening =
      side == 0 ? "" : Self.side(seed, isListening: true, flips: flips, freezes: freezes, isPassing: isPassing, &dice)
    dialling =
      side == 1 ? "" : Self.side(seed, isListening: false, flips: flips, freezes: freezes, isPassing: isPassing, &dice)
    self.flips = flips
    self.freezes = freezes
    self.isPassing = isPassing
  }

  var description: String { "listening ?\(listening) dialling ?\(dialling)" }

  private static func side(
    _ seed: UInt64, isListening: Bool, flips: Bool, freezes: Bool, isPassing: Bool, _ dice: inout Dice
  ) -> String {
    var items = ["seed=\(seed)"]
    if isPassing { items.append("first=\(dice.number(1...3))") }
    // Small pieces or late ones, not both: each byte late would make the waits run out.
    switch dice.number(1...100) {
    case 1...40: items.append("split=\(["1", "1..9", "send:1..200", "receive:1"].randomElement(using: &dice)!)")
    case 41...70: items.append("delay=\(["0us..50us", "receive:20us", "send:0us..500us"].randomElement(using: &dice)!)")
    default: break
    }
    if dice.happens(15) { items.append("coalesce=200us") }
    if dice.happens(45) {
      items.append("\(dice.happens(50) ? "cut" : "reset")-after=\(direction(&dice))0..1300")
    }
    if dice.happens(15) { items.append("drop=\(direction(&dice))0.00\(dice.number(1...9))") }
    if dice.happens(30) { items.append("lose-on-close=0..300") }
    if dice.happens(10) {
      items.append("stall-after=\(direction(&dice))0..1300")
      if !freezes { items.append("stall-for=0us..3ms") }
    }
    if flips { items.append(dice.happens(50) ? "flip=\(direction(&dice))0.002" : "flip-at=\(direction(&dice))0..1300") }
    if isListening {
      if dice.happens(15) { items.append("fail-accept=0.5") }
      if dice.happens(15) { items.append("drop-accept=0.5") }
    } else {
      if dice.happens(15) { items.append("refuse=0.5") }
      if dice.happens(15) { items.append("dial-delay=0us..2ms") }
    }
    return items.joined(separator: "&")
  }

  private static func direction(_ dice: inout Dice) -> String {
    ["", "send:", "receive:"].randomElement(using: &dice)!
  }
}
