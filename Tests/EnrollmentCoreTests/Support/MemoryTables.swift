internal import CheckInCore
internal import EnrollmentCore

/// Records in dictionaries: what a transaction sees.
struct MemoryTables: EnrollmentTables {
  var numbers: [String: NumberRecord] = [:]
  var registrations: [Digest: RegistrationRecord] = [:]
  var accounts: [String: AccountRecord] = [:]

  func number(_ number: String) -> NumberRecord? { numbers[number] }
  func registration(_ client: Digest) -> RegistrationRecord? { registrations[client] }
  func account(_ id: String) -> AccountRecord? { accounts[id] }
  func account(ofNumber number: String) -> AccountRecord? {
    accounts.values.first { $0.number == number && !$0.isReplaced }
  }

  mutating func prune(codes: WallTime, containers: WallTime) {
    numbers = numbers.filter { $0.value.expires >= codes }
    registrations = registrations.filter { $0.value.isFetched || $0.value.expires >= containers }
  }

  mutating func put(_ record: NumberRecord) { numbers[record.number] = record }
  mutating func put(_ record: RegistrationRecord) { registrations[record.client] = record }
  mutating func put(_ record: AccountRecord) { accounts[record.id] = record }
}
