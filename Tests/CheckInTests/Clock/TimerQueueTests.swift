import CheckIn
import CheckInCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimerQueueTests {
  private func seconds(_ count: Int) -> MonotonicTime {
    MonotonicTime(sinceStart: .seconds(count))
  }

  /// Runs `body` beside a running queue on a manual clock, and gives it a way to wait until the queue sleeps again.
  private func withQueue(
    _ body: (TimerQueue, ManualClock, AsyncStream<Int>, @escaping @Sendable (Int) -> @Sendable () -> Void) async -> Void
  ) async {
    let clock = ManualClock()
    let queue = TimerQueue(clock: clock)
    let (fired, continuation) = AsyncStream.makeStream(of: Int.self)
    let running = Task { await queue.run() }
    await body(queue, clock, fired) { number in { continuation.yield(number) } }
    running.cancel()
    await running.value
  }

  @Test func `Timers fire in the order of their times, whatever the order they were set in`() async {
    await withQueue { queue, clock, fired, action in
      for number in [3, 1, 2, 5, 4] {
        _ = queue.schedule(at: seconds(number), action(number))
      }
      clock.advance(by: .seconds(10))
      var order: [Int] = []
      for await number in fired {
        order.append(number)
        if order.count == 5 { break }
      }
      #expect(order == [1, 2, 3, 4, 5])
    }
  }

  @Test func `A timer that is set while the queue sleeps for a later one fires in time`() async {
    await withQueue { queue, clock, fired, action in
      _ = queue.schedule(at: seconds(1000), action(1000))
      while !Task.isCancelled, clock.sleeperCount == 0 { await Task.yield() }
      _ = queue.schedule(at: seconds(1), action(1))
      clock.advance(by: .seconds(1))
      var iterator = fired.makeAsyncIterator()
      let first = await iterator.next()
      #expect(first == 1)
    }
  }

  @Test func `Without timers nothing sleeps, and a long wait is made of short sleeps that no later timer breaks off`()
    async
  {
    await withQueue { queue, clock, fired, action in
      #expect(clock.sleeperCount == 0)
      _ = queue.schedule(at: seconds(60), action(60))
      while !Task.isCancelled, clock.sleeperCount == 0 { await Task.yield() }
      _ = queue.schedule(at: seconds(2), action(2))
      #expect(clock.nextWake == seconds(1))
      clock.advance(by: .seconds(1))
      while !Task.isCancelled, clock.sleeperCount == 0 { await Task.yield() }
      #expect(clock.nextWake == seconds(2))
      clock.advance(by: .seconds(1))
      var iterator = fired.makeAsyncIterator()
      let first = await iterator.next()
      #expect(first == 2)
    }
  }

  @Test func `A cancelled timer does not fire`() async {
    await withQueue { queue, clock, fired, action in
      let first = queue.schedule(at: seconds(1), action(1))
      _ = queue.schedule(at: seconds(2), action(2))
      queue.cancel(first)
      clock.advance(by: .seconds(5))
      var iterator = fired.makeAsyncIterator()
      let seen = await iterator.next()
      #expect(seen == 2)
    }
  }

  @Test func `Thousands of cancelled timers are forgotten and the live ones still fire`() async {
    await withQueue { queue, clock, fired, action in
      _ = queue.schedule(at: seconds(50_000), action(50_000))
      for number in 1...10_000 {
        queue.cancel(queue.schedule(at: seconds(number), action(number)))
      }
      #expect(queue.waitingCount < 200)
      clock.advance(by: .seconds(50_000))
      var iterator = fired.makeAsyncIterator()
      let seen = await iterator.next()
      #expect(seen == 50_000)
    }
  }
}
