internal import Glibc
internal import Scene

/// The whole benchmark: what “bench” does when it is called by a person.
struct Command {
  static let usage = """
    usage: bench [--quick] [--rounds N] [--json FILE] [WORD]
           bench --growth FILE [--rounds N]

    Measures swift-checkin beside others, in turn, and prints the median of the ratios.
      --quick      in less than two minutes; the figures spread more
      --rounds N   how often each pair is run: 5 to 99, 7 unless said otherwise, 5 with --quick;
                   without --quick most pairs are divided into three
      --json FILE  also writes all figures there
      --growth FILE  instead: what one costs as there are more, as a plot (SVG)
      WORD         only the rows whose description has this word in it
    Status: 0 all bounds hold, 1 one does not, 64 wrong usage, 70 something failed.
    """

  private var quick = false
  private var rounds: Int?
  private var file: String?
  private var word: String?
  private var plot: String?

  /// Nil where the words are not understood.
  init?(_ words: [String]) {
    var words = words[...]
    while let next = words.popFirst() {
      switch next {
      case "--quick": quick = true
      case "--rounds":
        guard let number = words.popFirst().flatMap({ Int($0) }), (5...99).contains(number) else { return nil }
        rounds = number
      case "--growth":
        guard let path = words.popFirst() else { return nil }
        plot = path
      case "--json":
        guard let path = words.popFirst() else { return nil }
        file = path
      default:
        guard word == nil, !next.hasPrefix("-") else { return nil }
        word = next
      }
    }
  }

  /// Measures and reports; whether all bounds hold.
  func run() throws(BenchmarkError) -> Bool {
    if let plot {
      try drawGrowth(plot)
      return true
    }
    let chosen = Comparison.all.filter { word.map($0.what.contains) ?? true }
    guard !chosen.isEmpty else { throw BenchmarkError("No row has “\(word ?? "")” in its description.") }
    let runner = Runner(rounds: rounds ?? (quick ? 5 : 7), quick: quick)
    var findings: [Finding] = []
    say(Finding.heading)
    for comparison in chosen {
      let found = try runner.run(comparison)
      say(Finding.lines(found))
      findings += found
    }
    if let file { try write(findings.json(quick: quick), to: file) }
    let missed = findings.count { $0.holds == false }
    let judged = findings.count { $0.holds != nil }
    say("\(judged - missed) of \(judged) bounds hold. Each median is of at least \(runner.rounds) pairs.")
    return missed == 0
  }

  private func drawGrowth(_ path: String) throws(BenchmarkError) {
    let runner = Runner(rounds: rounds ?? 5, quick: false)
    var grown: [Grown] = []
    for growth in Growth.all {
      let found = try growth.measure(rounds: runner.rounds) { workload, count throws(BenchmarkError) in
        try runner.figure(of: workload, count)
      }
      say(found.line)
      grown.append(found)
    }
    try write(GrowthPlot(grown: grown).svg, to: path)
  }

  private func say(_ text: String) {
    print(text)
    // A reader behind a pipe sees each row when it is there.
    fflush(nil)
  }

  private func write(_ text: String, to path: String) throws(BenchmarkError) {
    // Unsafe: the file is closed here, and C reads the text during the call.
    guard let stream = unsafe fopen(path, "w") else { throw BenchmarkError("“\(path)” cannot be written.") }
    let isWritten = unsafe fputs(text, stream) >= 0
    guard unsafe fclose(stream) == 0, isWritten else { throw BenchmarkError("“\(path)” cannot be written.") }
  }
}
