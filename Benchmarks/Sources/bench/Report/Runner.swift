internal import Glibc
internal import Scene

/// Runs comparisons, ours and the others in turn (A B C A B C …), each in a process of its own.
struct Runner {
  /// How often each pair is run.
  let rounds: Int
  let quick: Bool

  /// Runs one comparison.
  func run(_ comparison: Comparison) throws(BenchmarkError) -> [Finding] {
    // Many short pairs say more than few long ones: what else the machine does comes and goes within seconds.
    let parts = quick ? 1 : comparison.parts
    let count = (quick ? comparison.quickCount : comparison.count) / parts
    var ours: [Double] = []
    var theirs = [[Double]](repeating: [], count: comparison.others.count)
    for _ in 0..<rounds * parts {
      ours.append(try figure(of: comparison.workload, count))
      for (index, other) in comparison.others.enumerated() where !other.workload.isEmpty {
        theirs[index].append(try figure(of: other.workload, count))
      }
    }
    return zip(comparison.others, theirs).map { other, theirs in
      Finding(comparison: comparison, other: other, ours: ours, theirs: theirs)
    }
  }

  /// What a workload answers, in a process of its own.
  func figure(of workload: String, _ count: Int) throws(BenchmarkError) -> Double {
    let output = try Child.start(["measure", workload, "\(count)"]).wholeOutput()
    guard let figure = Double(output.split(separator: "\n").last ?? ""), figure > 0 else {
      throw BenchmarkError("“bench measure \(workload) \(count)” gave no figure.")
    }
    return figure
  }
}
