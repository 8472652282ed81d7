internal import CheckIn

/// A look-out in a world. It makes a sighting when it is asked for one, so nothing ever queues.
final class MemoryBrowser: Browser {
  let place: Endpoint
  private let id: UInt64
  private let air: MemoryAir

  init(place: Endpoint, air: MemoryAir) {
    self.place = place
    self.air = air
    id = air.listen()
  }

  deinit {
    air.stopListening(id)
  }

  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting {
    while true {
      guard !Task.isCancelled else { throw .cancelled("Looking for kiosks") }
      let waiter = Waiter<Void>()
      let due: ContinuousClock.Instant?
      switch air.look(id, at: .now, waiter) {
      case .sighting(let sighting): return sighting
      case .closed: throw .browserClosed
      case .wait(let time): due = time
      }
      let end = [due, deadline].compactMap { $0 }.min()
      let ending = await waiter.wait(before: end)
      air.leave(id)
      switch ending {
      case .settled: continue
      case .cancelled: throw .cancelled("Looking for kiosks")
      case .timedOut:
        if let deadline, deadline <= .now { throw .timedOut("Looking for kiosks") }
      }
    }
  }

  func stop() async {
    air.stopListening(id)
  }
}
