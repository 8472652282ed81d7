/// Every check, and how to choose among them.
public enum ConformanceSuite {
  /// Every check, in the order in which a person would want to read its failure first.
  public static let checks: [ConformanceCheck] =
    addressChecks + capabilityChecks + dialChecks + listenerChecks + acceptChecks + dataChecks + streamChecks
    + waitingChecks + cancellingChecks + threadChecks + halfCloseChecks + closeChecks + wakingChecks + lossChecks
    + independenceChecks + channelChecks + framingChecks

  /// The checks whose name is one of these, begins with one of these and a minus, or tests the requirement of that
  /// number; all of them for none.
  ///
  /// - Throws: ``ConformanceSelectionError`` for a name that fits nothing.
  public static func checks(
    only: [String] = [], skipping: [String] = []
  ) throws(ConformanceSelectionError) -> [ConformanceCheck] {
    try choose(from: checks, only: only, skipping: skipping)
  }

  /// The same, from other checks, such as ``peerChecks``.
  public static func choose(
    from checks: [ConformanceCheck], only: [String], skipping: [String]
  ) throws(ConformanceSelectionError) -> [ConformanceCheck] {
    for name in only + skipping where !checks.contains(where: { $0.answers(to: name) }) {
      throw ConformanceSelectionError(name: name)
    }
    return checks.filter { check in
      (only.isEmpty || only.contains { check.answers(to: $0) }) && !skipping.contains { check.answers(to: $0) }
    }
  }
}

/// There is no check of that name.
public struct ConformanceSelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let name: String

  /// An error about this name.
  public init(name: String) {
    self.name = name
  }

  /// What is wrong, and what there is.
  public var description: String {
    "There is no check “\(name)”. A name is a requirement, such as C7, or a check, such as C7-last-bytes."
  }
}

extension ConformanceCheck {
  func answers(to name: String) -> Bool {
    id == name || id.hasPrefix(name + "-") || requirements.contains { $0.id == name }
  }
}
