/// What of ours is measured beside which others, and what must hold.
struct Comparison: Sendable {
  /// What is compared.
  enum Kind {
    /// Our time for a unit divided by the other's: small is good.
    case time
    /// Our units a second divided by the other's: large is good.
    case speed
    /// Our figure by itself: small is good.
    case figure
  }

  /// What must hold of the median.
  enum Bound: Sendable {
    case atMost(Double)
    case atLeast(Double)
    /// Nothing: it is for the reader.
    case reported

    func holds(for value: Double) -> Bool? {
      switch self {
      case .atMost(let most): value <= most
      case .atLeast(let least): value >= least
      case .reported: nil
      }
    }
  }

  /// What stands beside ours.
  struct Other: Sendable {
    /// What it is, for people.
    let what: String
    /// Its workload; empty where our figure stands by itself.
    let workload: String
    let bound: Bound

    init(_ what: String, _ workload: String, _ bound: Bound) {
      self.what = what
      self.workload = workload
      self.bound = bound
    }
  }

  /// What is measured, for people.
  let what: String
  /// Our workload.
  let workload: String
  let kind: Kind
  let unit: Unit
  /// How many units a measurement does, and how many in a quick run.
  let count: Int
  let quickCount: Int
  /// Into how many pairs, with so much less work each, a pair is divided, but for a quick run.
  let parts: Int
  let others: [Other]

  init(
    _ what: String, _ workload: String, _ kind: Kind, _ unit: Unit = .time, count: Int, quick quickCount: Int,
    parts: Int = 3, _ others: [Other]
  ) {
    self.what = what
    self.workload = workload
    self.kind = kind
    self.unit = unit
    self.count = count
    self.quickCount = quickCount
    self.parts = parts
    self.others = others
  }
}

/// What a workload's figure is.
enum Unit {
  /// Nanoseconds.
  case time
  /// Bytes.
  case memory
  /// A ratio already.
  case ratio

  /// The figure for people, in at most nine characters.
  func text(_ figure: Double) -> String {
    switch self {
    case .time where figure < 1e3: "\(Self.digits(figure)) ns"
    case .time where figure < 1e6: "\(Self.digits(figure / 1e3)) µs"
    case .time: "\(Self.digits(figure / 1e6)) ms"
    case .memory: "\(Self.digits(figure / 1_024)) KiB"
    case .ratio: Self.digits(figure)
    }
  }

  /// Three digits that count.
  static func digits(_ figure: Double) -> String {
    let places = figure < 10 ? 2 : figure < 100 ? 1 : 0
    let scale = [1, 10, 100][places]
    let whole = Int((figure * Double(scale)).rounded())
    guard places > 0 else { return "\(whole)" }
    let rest = "\(whole % scale)"
    return "\(whole / scale).\(String(repeating: "0", count: places - rest.count))\(rest)"
  }
}
