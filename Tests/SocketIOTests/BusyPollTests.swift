internal import Foundation
internal import Glibc
internal import SocketIO
internal import TestSupport
internal import Testing

/// A loop whose waits are short looks again before it sleeps, and no other loop does.
@Suite("Busy polling", .serialized, .timeLimit(.minutes(1)))
struct BusyPollTests {
  private static let rounds = 20

  /// How often the loop's thread slept, and the processor time that it took, while so many jobs came, one each pause.
  private func costs(busyPoll: Duration?, pause: Duration) async throws -> (sleeps: Int, worked: Duration) {
    let loops = try busyPoll.map { try EventLoopGroup(count: 1, busyPoll: $0) } ?? EventLoopGroup(count: 1)
    func now() async -> (sleeps: Int, worked: Duration) {
      await Task(executorPreference: loops.loops[0]) {
        (sleepsOfThread(), timeWorked(CLOCK_THREAD_CPUTIME_ID))
      }.value
    }
    _ = await now()
    let before = await now()
    for _ in 0..<Self.rounds {
      try await Task.sleep(for: pause)
      _ = await now()
    }
    let after = await now()
    await loops.shutdown()
    return (after.sleeps - before.sleeps, after.worked - before.worked)
  }

  @Test("behind a short wait the loop does not sleep")
  func polls() async throws {
    let costs = try await costs(busyPoll: .seconds(2), pause: .milliseconds(5))
    #expect(costs.sleeps < Self.rounds / 2)
  }

  @Test("a loop whose waits are long sleeps, and takes no time")
  func sleepsWhenAnsweredLate() async throws {
    let costs = try await costs(busyPoll: .milliseconds(1), pause: .milliseconds(20))
    #expect(costs.sleeps > Self.rounds / 2)
    #expect(costs.worked < .milliseconds(20) * Self.rounds / 4)
  }

  @Test("where looking finds nothing, since who is to answer needs the same core, it is done ever more seldom")
  func yields() async {
    await #expect(processExitsWith: .success) {
      // Started from here, so that every thread is bound, and those to come.
      let bound = try await ChildProcess.finish("/usr/bin/taskset", ["-a", "-c", "-p", "0", "\(getpid())"])
      guard bound.exit == .status(0), EventLoopGroup.coreCount == 1 else { exit(7) }
      let loops = [
        try EventLoopGroup(count: 1, busyPoll: .milliseconds(5)),
        try EventLoopGroup(count: 1, busyPoll: .milliseconds(5)),
      ]
      let before = timeWorked(CLOCK_PROCESS_CPUTIME_ID)
      for _ in 0..<1_000 {
        for group in loops { await Task(executorPreference: group.loops[0]) {}.value }
      }
      // Three seconds and more if each second wait was looked through.
      guard timeWorked(CLOCK_PROCESS_CPUTIME_ID) - before < .milliseconds(1_500) else { exit(8) }
    }
  }

  @Test("unless it is asked for every wait is a sleep")
  func isOff() async throws {
    let costs = try await costs(busyPoll: nil, pause: .milliseconds(5))
    #expect(costs.sleeps > Self.rounds / 2)
    #expect(costs.worked < .milliseconds(5) * Self.rounds / 2)
  }
}

/// How often the caller's thread has slept.
private func sleepsOfThread() -> Int {
  let lines = (try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8))?.split(separator: "\n") ?? []
  let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
  return line.flatMap { Int($0.dropFirst("voluntary_ctxt_switches:\t".count)) } ?? -1
}

/// How much processor time that clock has counted.
private func timeWorked(_ clock: clockid_t) -> Duration {
  var time = timespec()
  // Unsafe: C writes the time during the call.
  unsafe clock_gettime(clock, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
