/// Something that a loop watches. The loop calls it on its own thread, and holds it until it is unregistered.
protocol EventSource: AnyObject, Sendable {
  /// The descriptor changed: once a change, not once a state (edge-triggered).
  func ready(_ events: ReadyEvents)
  /// An alarm that was set has come; or one that an earlier holder of the alarm set.
  func alarm(at now: LoopTime)
  /// The turn is over at whose end the source wanted to be called.
  func turnEnded()
  /// The loop ends. Nothing more will come from it.
  func loopEnded()
}

extension EventSource {
  /// Nothing: for sources that never ask for it.
  func turnEnded() {}
}

/// Which source of a loop. Never used again for another, within four thousand million registrations of one slot.
struct EventToken: Hashable, Sendable {
  let bits: UInt64

  init(slot: Int, generation: UInt32) {
    bits = UInt64(generation) << 32 | UInt64(slot)
  }

  init(bits: UInt64) {
    self.bits = bits
  }

  /// The loop's own wake-up descriptor.
  static let wakeUp = EventToken(bits: .max)
  /// The loop's own timer.
  static let clock = EventToken(bits: .max - 1)

  var slot: Int { Int(bits & 0xffff_ffff) }
  var generation: UInt32 { UInt32(bits >> 32) }
}

/// The sources of a loop, by token.
struct EventSources {
  private struct Slot {
    var generation: UInt32
    var source: (any EventSource)?
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  var count: Int { slots.count - free.count }
  var all: [any EventSource] { slots.compactMap(\.source) }

  mutating func insert(_ source: any EventSource) -> EventToken {
    guard let slot = free.popLast() else {
      slots.append(Slot(generation: 0, source: source))
      return EventToken(slot: slots.count - 1, generation: 0)
    }
    slots[slot].source = source
    return EventToken(slot: slot, generation: slots[slot].generation)
  }

  mutating func remove(_ token: EventToken) {
    guard self[token] != nil else { return }
    slots[token.slot].source = nil
    slots[token.slot].generation &+= 1
    free.append(token.slot)
  }

  mutating func removeAll() {
    slots = []
    free = []
  }

  subscript(token: EventToken) -> (any EventSource)? {
    guard token.slot < slots.count, slots[token.slot].generation == token.generation else { return nil }
    return slots[token.slot].source
  }
}
