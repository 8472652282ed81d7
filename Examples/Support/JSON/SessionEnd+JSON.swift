package import CheckInCore

extension SessionEnd {
  /// How a session ended, for a line of JSON.
  package var members: [JSONMember] {
    [JSONMember("how", .string(name))] + (detail.map { [JSONMember("detail", .string($0))] } ?? [])
  }
}
