/// What one thing may cost at most, counted by the program CostCount in a debug build, in which nothing is left out.
///
/// These numbers are here so that a change that costs more has to touch this file. Whoever raises one says in the commit
/// what the allocation, or the system call, is good for. Whoever lowers the cost lowers the number.
struct Threshold: Sendable, CustomTestStringConvertible {
  /// What is counted, as CostCount knows it.
  let name: String
  /// Allocations on the heap, as a rule. OpenSSL's own are not among them.
  let allocations: Double
  /// System calls on sockets, and those that wait for them or end a wait, as a rule.
  let calls: Double

  var testDescription: String { name }

  static let all = [
    // One frame sent and received. The parts of one are for what the loop does for many.
    Threshold(name: "frame-memory", allocations: 4.5, calls: 0.1),
    Threshold(name: "frame-tcp", allocations: 22.5, calls: 3.1),
    // One signature.
    Threshold(name: "sign-ed25519", allocations: 1, calls: 0),
    Threshold(name: "sign-es256", allocations: 3, calls: 0),
    Threshold(name: "verify-ed25519", allocations: 0, calls: 0),
    Threshold(name: "verify-es256", allocations: 5, calls: 0),
    // One whole check-in over TCP, both sides, with making the visitor's key and ticket. Tasks of two threads meet in it, so
    // it is not quite the same each time: 1,476 to 1,489 were seen.
    Threshold(name: "check-in", allocations: 1_500, calls: 42),
  ]
}
