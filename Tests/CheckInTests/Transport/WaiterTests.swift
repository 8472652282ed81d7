internal import CheckIn
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("A task's wait", .timeLimit(.minutes(1)))
struct WaiterTests {
  @Test("ends by what settles it, its deadline, or its task's end, whichever is first")
  func ends() async {
    let settled = Waiter<Int>()
    #expect(settled.settle(7) && !settled.settle(8) && !settled.expire())
    if case .settled(7) = await settled.wait(before: .now + .seconds(3_600)) {} else { Issue.record("not as settled") }

    let start = ContinuousClock.now
    if case .timedOut = await Waiter<Int>().wait(before: start + .milliseconds(30)) {} else { Issue.record("no end") }
    #expect(ContinuousClock.now - start >= .milliseconds(30))
    if case .timedOut = await Waiter<Int>().wait(before: start) {} else { Issue.record("the past is no end") }

    let waiting = Task { await Waiter<Int>().wait(before: .now + .seconds(3_600)) }
    waiting.cancel()
    if case .cancelled = await waiting.value {} else { Issue.record("not cancelled") }
  }

  @Test("with deadlines in any order, each at its own time")
  func manyDeadlines() async {
    let start = ContinuousClock.now
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let deadline = start + .milliseconds(number * 37 % 100)
          guard case .timedOut = await Waiter<Void>().wait(before: deadline) else { return false }
          return ContinuousClock.now >= deadline
        }
      }
      for await isInTime in group { #expect(isInTime) }
    }
  }

  @Test(
    "that ends early leaves nothing of its deadline behind",
    .disabled(if: Sanitizer.isOn, "under a sanitizer memory that was given back is kept, to find its use"))
  func leavesNothing() async {
    await #expect(processExitsWith: .success) {
      let count = 100_000
      for round in 0..<2 {
        let before = residentBytes()
        for _ in 0..<count {
          let waiter = Waiter<Void>()
          async let ending = waiter.wait(before: .now + .seconds(3_600))
          await Task.yield()
          waiter.settle(())
          guard case .settled = await ending else { exit(7) }
        }
        // A sleep of each would be some hundred bytes.
        guard round == 0 || residentBytes() - before < count * 50 else { exit(8) }
      }
    }
  }
}
