internal import CheckInCore

/// A connection of a simulation: whole frame bodies, in order, each way, with the ends told apart as transports must.
package final class SimulationLine {
  /// Who is at an end.
  package enum Side {
    case kiosk
    case phone

    package var other: Side { self == .kiosk ? .phone : .kiosk }
  }

  /// What comes out at an end.
  package enum Arrival {
    case body([UInt8])
    case finished
    case lost
  }

  /// What the line does with a body on its way: nothing for dropped, two for doubled.
  package var meddle: (([UInt8], Side) -> [[UInt8]])?
  /// How long a body takes.
  package var latency: () -> Duration = { .zero }
  /// Every body that was sent, by whom, before the line meddled.
  package private(set) var recorded: [(side: Side, body: [UInt8])] = []

  private let world: SimulationWorld
  private var receivers: [Side: (Arrival) -> Void] = [:]
  private var early: [Side: [Arrival]] = [:]
  private var lastArrival: [Side: MonotonicTime] = [:]
  private var closed: Set<Side> = []
  private var isBroken = false

  package init(world: SimulationWorld) {
    self.world = world
  }

  /// Takes what arrives at that end from now on, and what has arrived.
  package func receive(at side: Side, _ receiver: @escaping (Arrival) -> Void) {
    receivers[side] = receiver
    for arrival in early.removeValue(forKey: side) ?? [] {
      receiver(arrival)
    }
  }

  /// Sends a body from that end.
  package func send(_ body: [UInt8], from side: Side) {
    guard !isBroken, !closed.contains(side) else { return }
    recorded.append((side, body))
    for piece in meddle?(body, side) ?? [body] {
      deliver(.body(piece), to: side.other)
    }
  }

  /// Ends the connection at that end in good order: the other end finds all that was sent, and then the end.
  package func close(from side: Side) {
    guard closed.insert(side).inserted, !isBroken else { return }
    deliver(.finished, to: side.other)
  }

  /// Ends the connection at that end now.
  package func abort(from side: Side) {
    guard closed.insert(side).inserted, !isBroken else { return }
    isBroken = true
    arrive(.lost, at: side.other, after: .zero)
  }

  /// The connection breaks, and only this end notices.
  package func vanish(at side: Side) {
    guard !isBroken, !closed.contains(side) else { return }
    world.after(.zero) { [weak self] in
      self?.hand(.lost, to: side)
      self?.closed.insert(side)
    }
  }

  /// The connection breaks for both ends.
  package func cut() {
    guard !isBroken else { return }
    isBroken = true
    arrive(.lost, at: .kiosk, after: .zero)
    arrive(.lost, at: .phone, after: .zero)
  }

  private func deliver(_ arrival: Arrival, to side: Side) {
    let earliest = max(lastArrival[side] ?? world.now.monotonic, world.now.monotonic + latency())
    lastArrival[side] = earliest
    world.after(earliest - world.now.monotonic) { [weak self] in
      guard let self, !isBroken else { return }
      hand(arrival, to: side)
    }
  }

  private func arrive(_ arrival: Arrival, at side: Side, after delay: Duration) {
    world.after(delay) { [weak self] in self?.hand(arrival, to: side) }
  }

  private func hand(_ arrival: Arrival, to side: Side) {
    guard !closed.contains(side) else { return }
    if let receiver = receivers[side] {
      receiver(arrival)
    } else {
      early[side, default: []].append(arrival)
    }
  }
}
