internal import CheckIn
package import CheckInCore

extension CommandLineFormat where Value == WallTime {
  /// When something begins: a time, or a date, which stands for its first second in UTC.
  package static var start: CommandLineFormat<WallTime> {
    time { WallTime(startOf: $0) }
  }

  /// When something ends: a time, or a date, which is the last day.
  package static var end: CommandLineFormat<WallTime> {
    time { WallTime(endOf: $0) }
  }

  private static func time(_ read: @escaping @Sendable (String) -> WallTime?) -> CommandLineFormat {
    CommandLineFormat("TIME") { text in
      read(text).map { .success($0) }
        ?? .failure(CommandLineValueFault("it is no time such as 2026-12-01T09:00:00Z, and no date such as 2026-12-01"))
    }
  }
}

extension CommandLineFormat where Value == String {
  /// A name for people: one line of at most `limit` bytes.
  package static func name(_ valueName: String = "NAME", limit: Int = CredentialLimits.text) -> CommandLineFormat {
    CommandLineFormat(valueName) { text in
      if text.allSatisfy(\.isWhitespace) { return .failure(CommandLineValueFault("it is empty")) }
      if text.utf8.count > limit { return .failure(CommandLineValueFault("it is longer than \(limit) bytes")) }
      guard text.isPlainLine else {
        return .failure(CommandLineValueFault("it holds a line end or another character that cannot be shown"))
      }
      return .success(text)
    }
  }
}
