internal import CheckInCore
internal import EnrollmentCore

/// Records in dictionaries: what a transaction sees.
struct MemoryTables: EnrollmentTables {
  var numbers: [String: NumberRecord] = [:]
  var registrations: [Digest: RegistrationRecord] = [:]
  var accounts: [String: AccountRecord] = [:]
  var messages: [(time: WallTime, origin: Digest?)] = []

  func number(_ number: String) -> NumberRecord? { numbers[number] }
  func registration(_ client: Digest) -> RegistrationRecord? { registrations[client] }
  func account(_ id: String) -> AccountRecord? { accounts[id] }
  func account(ofNumber number: String) -> AccountRecord? {
    accounts.values.first { $0.number == number && !$0.isReplaced }
  }

  func messages(from begin: WallTime, to end: WallTime, origin: Digest?) -> (count: Int, first: WallTime?) {
    let times = messages.filter { $0.time > begin && $0.time <= end && (origin == nil || $0.origin == origin) }
      .map(\.time)
    return (times.count, times.min())
  }

  mutating func countMessage(at time: WallTime, origin: Digest?) { messages.append((time, origin)) }

  mutating func withdrawMessage(origin: Digest?) {
    if let index = messages.lastIndex(where: { $0.origin == origin }) { messages.remove(at: index) }
  }

  mutating func prune(codes: WallTime, containers: WallTime) {
    messages = messages.filter { $0.time >= codes }
    numbers = numbers.filter { $0.value.expires >= codes }
    registrations = registrations.filter { $0.value.isFetched || $0.value.expires >= containers }
  }

  mutating func put(_ record: NumberRecord) { numbers[record.number] = record }
  mutating func put(_ record: RegistrationRecord) { registrations[record.client] = record }
  mutating func put(_ record: AccountRecord) { accounts[record.id] = record }
}
