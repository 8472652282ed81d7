/// The five boxes: digits go in from the left, the last is readable for a moment, the fifth closes the entry.
struct Keypad: Sendable {
  private var digits: [UInt8] = []
  private var shownUntil: MonotonicTime?
  /// The digits were handed over and are being checked; keys do nothing.
  private(set) var isChecking = false

  /// What a key did.
  enum Effect {
    /// Nothing to redraw.
    case nothing
    /// The boxes changed; `reveals` when a digit is readable now.
    case changed(reveals: Bool)
    /// The fifth digit is in: the entry is handed over, and the boxes hold none of it any more.
    case complete(PIN)
  }

  init() {
    digits.reserveCapacity(PIN.length)
  }

  mutating func press(_ key: KeypadKey, now: MonotonicTime, reveal: Duration) -> Effect {
    guard !isChecking else { return .nothing }
    switch key {
    case .digit(let digit):
      guard digit <= 9 else { return .nothing }
      digits.append(48 + digit)
      shownUntil = now + reveal
      guard digits.count == PIN.length, let pin = PIN(digits) else { return .changed(reveals: true) }
      clear()
      isChecking = true
      return .complete(pin)
    case .backspace:
      guard !digits.isEmpty else { return .nothing }
      digits[digits.count - 1] = 0
      digits.removeLast()
      shownUntil = nil
      return .changed(reveals: false)
    case .clear:
      guard !digits.isEmpty else { return .nothing }
      clear()
      return .changed(reveals: false)
    }
  }

  /// Forgets all digits and takes keys again.
  mutating func clear() {
    // Overwritten where they are, and not only let go (R20).
    for index in digits.indices {
      digits[index] = 0
    }
    digits.removeAll(keepingCapacity: true)
    shownUntil = nil
    isChecking = false
  }

  /// Takes no more keys: the session has no PIN any more.
  mutating func close() {
    clear()
    isChecking = true
  }

  /// Hides the last digit when its time is over; whether that changed anything.
  mutating func mask(now: MonotonicTime) -> Bool {
    guard let end = shownUntil, now >= end else { return false }
    shownUntil = nil
    return true
  }

  /// The boxes to draw.
  var boxes: [KeypadBox] {
    (0..<PIN.length).map { index in
      if isChecking { return .masked }
      guard index < digits.count else { return .empty }
      return shownUntil != nil && index == digits.count - 1 ? .shown(digits[index] - 48) : .masked
    }
  }
}
