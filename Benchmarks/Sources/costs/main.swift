// Counts what a unit of work takes from the heap: “costs UNIT COUNT WASTE”, so many times more than it needs. For
// scripts/costs, which counts the system calls from outside.
internal import Glibc
internal import Scene

// Should something wait without end, this ends it.
alarm(300)
exit(await run(Array(CommandLine.arguments.dropFirst())))

/// Does what the arguments say, and answers the exit status.
func run(_ arguments: [String]) async -> Int32 {
  guard arguments.count == 3, let unit = CountedUnit.all.first(where: { $0.name == arguments[0] }),
    let count = Int(arguments[1]), count > 0, let wasted = Int(arguments[2]), wasted >= 0
  else {
    print("usage: costs \(CountedUnit.all.map(\.name).joined(separator: "|")) COUNT WASTE")
    return 64
  }
  do {
    print(try await unit.play(Counting(count: count, wasted: wasted)))
    return 0
  } catch {
    print("costs: \(error)")
    return 70
  }
}
