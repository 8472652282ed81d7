internal import CheckInCore

extension Certificate {
  /// Where a certificate stands in time.
  package enum Standing: Hashable, Sendable {
    /// It is valid.
    case valid
    /// It begins to be, in so many seconds.
    case notYetValid(seconds: Int64)
    /// It was, until so many seconds ago.
    case expired(seconds: Int64)
  }

  /// Where the certificate stands at `now`, in seconds since 1970-01-01T00:00:00Z, with the leeway of five minutes at both
  /// ends (R21): its issuer's clock and this one may differ by that much.
  package func standing(at now: Int64) -> Standing {
    let leeway = Validity.leeway.components.seconds
    // Times in certificates lie between the years 0 and 9999; only the caller's clock can overflow.
    let until = now.subtractingReportingOverflow(notAfter).partialValue
    let from = notBefore.subtractingReportingOverflow(now).partialValue
    if now > notAfter, until > leeway || until < 0 { return .expired(seconds: until < 0 ? .max : until) }
    if now < notBefore, from > leeway || from < 0 { return .notYetValid(seconds: from < 0 ? .max : from) }
    return .valid
  }

  /// The name, short enough for a sentence.
  package var shownName: String {
    let name = name.isEmpty ? (id ?? "") : name
    let short = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64)))
    return short.isEmpty ? "without a name" : short
  }
}

/// A length of time in words, roughly: seconds, minutes, hours or days.
package func durationText(_ seconds: Int64) -> String {
  func count(_ number: Int64, _ unit: String) -> String { "\(number) \(unit)\(number == 1 ? "" : "s")" }
  return switch seconds {
  case ..<120: count(seconds, "second")
  case ..<7200: count(seconds / 60, "minute")
  case ..<172_800: count(seconds / 3600, "hour")
  default: count(seconds / 86_400, "day")
  }
}
