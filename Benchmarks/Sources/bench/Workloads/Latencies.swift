internal import CheckIn
internal import Glibc
internal import InMemoryLedger
internal import Scene

/// How long a check-in takes while others come, at half of the load that the kiosk can take at most.
enum Latencies {
  /// The slowest in a hundred divided by the one in the middle.
  static func tail(_ count: Int) async throws -> Double {
    let hall = try await Hall(ledger: InMemoryLedger())
    let most = try hall.attendees(count / 2, named: "most")
    let early = try hall.attendees(count / 10, named: "early")
    let measured = try hall.attendees(count, named: "ada")
    let times = try await hall.open { places in
      try await hall.checkIn(early, atOnce: 8, at: places[0])
      let watch = Stopwatch()
      try await hall.checkIn(most, atOnce: 8, at: places[0])
      let shortest = watch.nanoseconds(each: most.count)
      return try await latencies(of: measured, in: hall, at: places[0], every: shortest * 2)
    }
    return times[times.count * 99 / 100] / times[times.count / 2]
  }

  /// People come as they like: the times between them are random, and on average as long as said. Each time is from
  /// when somebody comes, and not from when the machine notices.
  private static func latencies(
    of attendees: [AttendeeConfiguration], in hall: Hall, at place: Endpoint, every nanoseconds: Double
  ) async throws -> [Double] {
    try await withThrowingTaskGroup(of: Double.self) { group in
      var arrival = ContinuousClock.now + .milliseconds(1)
      for attendee in attendees {
        try await Task.sleep(until: arrival, clock: .continuous)
        let time = arrival
        group.addTask {
          try await hall.checkIn(attendee, at: place)
          let (seconds, attoseconds) = time.duration(to: .now).components
          return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        }
        arrival += .nanoseconds(Int64(-log(Double.random(in: 0.0001..<1)) * nanoseconds))
      }
      var found: [Double] = []
      for try await time in group { found.append(time) }
      return found.sorted()
    }
  }
}
