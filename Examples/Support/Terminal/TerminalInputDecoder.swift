/// Turns the bytes that a terminal sends into events. Bytes may arrive in any pieces.
///
/// Understood are UTF-8, the control keys, the CSI and SS3 sequences of xterm and its kin, and mouse reports in SGR form
/// (mode 1006). Unknown sequences are swallowed whole; none grows without bound.
package struct TerminalInputDecoder: Sendable {
  private static let longestSequence = 32

  private enum State: Sendable {
    case ground
    case text(expected: Int)
    case escape
    case csi
    case ss3
  }

  private var state = State.ground
  private var held: [UInt8] = []

  /// A decoder at the beginning of a stream.
  package init() {}

  /// Whether an escape has come that may be a key of its own: when nothing follows soon, ``flush()`` says so.
  package var isWaiting: Bool {
    if case .ground = state { false } else { true }
  }

  /// Takes bytes and answers the events that they complete.
  package mutating func decode(_ bytes: [UInt8]) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for byte in bytes { take(byte, &events) }
    return events
  }

  /// Ends what was begun, because nothing has followed for a while: a lone escape is the Escape key.
  package mutating func flush() -> [TerminalEvent] {
    defer { reset() }
    switch state {
    case .ground: return []
    case .escape: return [.key(.escape)]
    case .csi where held.isEmpty: return [.key(.escape), .key(.character("["))]
    case .ss3: return [.key(.escape), .key(.character("O"))]
    case .csi, .text: return []
    }
  }

  private mutating func reset() {
    state = .ground
    held = []
  }

  private mutating func take(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch state {
    case .ground: begin(byte, &events)
    case .text(let expected): continueText(byte, expected, &events)
    case .escape: continueEscape(byte, &events)
    case .csi: continueSequence(byte, &events)
    case .ss3:
      reset()
      if let key = Self.letterKey(byte) {
        events.append(.key(key))
      } else {
        // Not a keypad sequence after all.
        begin(byte, &events)
      }
    }
  }

  private mutating func begin(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch byte {
    case 0x1b: state = .escape
    case 0x08, 0x7f: events.append(.key(.backspace))
    case 0x09: events.append(.key(.tab))
    case 0x0a, 0x0d: events.append(.key(.enter))
    case 0x03: events.append(.interrupt(.interrupt))
    case 0x1a: events.append(.key(.control("z")))
    case 0x01...0x1a: events.append(.key(.control(Character(Unicode.Scalar(byte + 0x60)))))
    case 0x20..<0x7f: events.append(.key(.character(Character(Unicode.Scalar(byte)))))
    case 0xc2...0xf4:
      held = [byte]
      state = .text(expected: byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)
    default: break
    }
  }

  private mutating func continueText(_ byte: UInt8, _ expected: Int, _ events: inout [TerminalEvent]) {
    guard (0x80..<0xc0).contains(byte) else {
      reset()
      return take(byte, &events)
    }
    held.append(byte)
    guard held.count == expected else { return }
    if let character = String(validating: held, as: UTF8.self)?.first,
      String(character).printable == String(character)
    {
      events.append(.key(.character(character)))
    }
    reset()
  }

  private mutating func continueEscape(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch byte {
    case 0x1b: events.append(.key(.escape))
    case UInt8(ascii: "["): state = .csi
    case UInt8(ascii: "O"): state = .ss3
    default:
      // Alt with a key arrives as escape and the key; here both mean what they are.
      reset()
      events.append(.key(.escape))
      take(byte, &events)
    }
  }

  private mutating func continueSequence(_ byte: UInt8, _ events: inout [TerminalEvent]) {
    switch byte {
    case 0x20..<0x40:
      held.append(byte)
      // A sequence that never ends is not one; what follows is read afresh.
      if held.count > Self.longestSequence { reset() }
    case 0x40..<0x7f:
      let parameters = held
      reset()
      if let event = Self.event(parameters, final: byte) { events.append(event) }
    default:
      reset()
      take(byte, &events)
    }
  }

  private static func event(_ parameters: [UInt8], final: UInt8) -> TerminalEvent? {
    if parameters.first == UInt8(ascii: "<") {
      return mouse(numbers(parameters.dropFirst()), final: final)
    }
    if final != UInt8(ascii: "~") { return letterKey(final).map { .key($0) } }
    switch numbers(parameters[...]).first {
    case 1, 7: return .key(.home)
    case 2: return .key(.insert)
    case 3: return .key(.delete)
    case 4, 8: return .key(.end)
    case 5: return .key(.pageUp)
    case 6: return .key(.pageDown)
    default: return nil
    }
  }

  private static func letterKey(_ letter: UInt8) -> TerminalKey? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    // The keypad's digits in application mode.
    case UInt8(ascii: "p")...UInt8(ascii: "y"): .character(Character(Unicode.Scalar(letter - 0x40)))
    default: nil
    }
  }

  private static func mouse(_ numbers: [Int], final: UInt8) -> TerminalEvent? {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0,
      final == UInt8(ascii: "M") || final == UInt8(ascii: "m")
    else { return nil }
    let action: TerminalMouse.Action
    // Bits 2, 3 and 4 are Shift, Alt and Control; bit 5 is a movement.
    switch numbers[0] & ~0b1_1100 {
    case let button where button < 3:
      action = final == UInt8(ascii: "M") ? .press(button) : .release(button)
    case 64: action = .scrollUp
    case 65: action = .scrollDown
    default: return nil
    }
    return .mouse(TerminalMouse(action, row: numbers[2] - 1, column: numbers[1] - 1))
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    String(decoding: bytes, as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false).map {
      Int($0) ?? 0
    }
  }
}
