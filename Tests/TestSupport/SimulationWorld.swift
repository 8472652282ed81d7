package import CheckInCore

/// Time and order of a simulation: work that is due at a time, done in one thread, as fast as it goes.
///
/// Two pieces of work for one time are done in the order in which they were asked for. The same seed gives the same run.
package final class SimulationWorld {
  /// Work that is to come, and can be called off.
  package final class Appointment {
    fileprivate let time: MonotonicTime
    fileprivate let order: UInt64
    fileprivate var work: (() -> Void)?

    fileprivate init(time: MonotonicTime, order: UInt64, work: @escaping () -> Void) {
      self.time = time
      self.order = order
      self.work = work
    }

    /// Calls the work off, if it is not done yet.
    package func cancel() {
      work = nil
    }

    fileprivate func isBefore(_ other: Appointment) -> Bool {
      time < other.time || (time == other.time && order < other.order)
    }
  }

  /// What the clocks show.
  package private(set) var now: Moment
  /// Where chance comes from.
  package var random: SimulationRandom
  /// How many pieces of work were done.
  package private(set) var workCount = 0
  /// What went against the rules so far.
  package private(set) var violations: [String] = []

  private var heap: [Appointment] = []
  private var lastOrder: UInt64 = 0

  /// A world at its beginning.
  package init(seed: UInt64) {
    random = SimulationRandom(seed: seed)
    now = Moment(
      wall: WallTime(secondsSince1970: 1_800_000_000), monotonic: MonotonicTime(sinceStart: .seconds(1000)))
  }

  /// Does the work when `delay` has passed.
  @discardableResult
  package func after(_ delay: Duration, _ work: @escaping () -> Void) -> Appointment {
    lastOrder += 1
    let appointment = Appointment(time: now.monotonic + max(delay, .zero), order: lastOrder, work: work)
    push(appointment)
    return appointment
  }

  /// Does all work that is due now, and what follows from it now.
  package func settle() {
    advance(by: .zero)
  }

  /// Lets so much time pass, doing what becomes due.
  package func advance(by duration: Duration) {
    let end = now.monotonic + duration
    while let next = heap.first, next.time <= end {
      run(pop())
    }
    move(to: end)
  }

  /// Goes on until nothing is to come; false when that takes longer than `limit`.
  package func runUntilIdle(limit: Duration) -> Bool {
    let end = now.monotonic + limit
    while let next = heap.first {
      guard next.time <= end else { return false }
      run(pop())
    }
    return true
  }

  /// Sets the wall clock alone, as a person or a time server may.
  package func setWall(_ wall: WallTime) {
    now = Moment(wall: wall, monotonic: now.monotonic)
    wallOffset = wall.secondsSince1970 - now.monotonic.sinceStart.components.seconds
  }

  /// Notes something that must not be.
  package func violate(_ what: String) {
    violations.append(what)
  }

  private lazy var wallOffset = now.wall.secondsSince1970 - now.monotonic.sinceStart.components.seconds

  private func move(to time: MonotonicTime) {
    let wall = WallTime(secondsSince1970: wallOffset + time.sinceStart.components.seconds)
    now = Moment(wall: wall, monotonic: time)
  }

  private func run(_ appointment: Appointment) {
    guard let work = appointment.work else { return }
    appointment.work = nil
    workCount += 1
    move(to: appointment.time)
    work()
  }

  private func push(_ appointment: Appointment) {
    heap.append(appointment)
    var index = heap.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].isBefore(heap[parent]) else { break }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private func pop() -> Appointment {
    let first = heap[0]
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != index else { return first }
      heap.swapAt(index, least)
      index = least
    }
  }
}

/// Chance that follows from a seed (splitmix64).
package struct SimulationRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 0x1234_5678_9abc_def1
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// True once in so many times.
  package mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// A wait of up to so many milliseconds.
  package mutating func milliseconds(upTo limit: Int) -> Duration {
    .milliseconds(Int.random(in: 0...limit, using: &self))
  }
}
