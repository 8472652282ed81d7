public import CheckInCore

/// Where the records of an enrollment server are, inside of one transaction: all that is put there becomes durable at its
/// end, or nothing.
public protocol EnrollmentTables {
  /// What is kept of a phone number.
  func number(_ number: String) throws(EnrollmentStoreError) -> NumberRecord?
  /// What is kept of a client.
  func registration(_ client: Digest) throws(EnrollmentStoreError) -> RegistrationRecord?
  /// An account by its identifier.
  func account(_ id: String) throws(EnrollmentStoreError) -> AccountRecord?
  /// The account of a phone number that was not replaced.
  func account(ofNumber number: String) throws(EnrollmentStoreError) -> AccountRecord?

  /// How many messages were counted from `begin` to `end`, and when the first of them was: those that were asked for from one
  /// place; nil: from anywhere.
  func messages(
    from begin: WallTime, to end: WallTime, origin: Digest?
  ) throws(EnrollmentStoreError) -> (count: Int, first: WallTime?)
  /// Counts a message that was asked for from there; nil: from a place without an address.
  mutating func countMessage(at time: WallTime, origin: Digest?) throws(EnrollmentStoreError)
  /// Takes the last message back that was counted from there.
  mutating func withdrawMessage(origin: Digest?) throws(EnrollmentStoreError)

  /// Forgets phone numbers whose code died before `codes` and messages that were counted before, and registrations whose container
  /// nobody fetched before `containers`.
  mutating func prune(codes: WallTime, containers: WallTime) throws(EnrollmentStoreError)

  /// Stores a record in the place of the one with its key.
  mutating func put(_ record: NumberRecord) throws(EnrollmentStoreError)
  /// Stores a record in the place of the one with its key.
  mutating func put(_ record: RegistrationRecord) throws(EnrollmentStoreError)
  /// Stores a record in the place of the one with its key.
  mutating func put(_ record: AccountRecord) throws(EnrollmentStoreError)
}

/// The records could not be read or written. Nothing of the transaction was stored.
public struct EnrollmentStoreError: Error, Sendable, CustomStringConvertible {
  /// What happened, to what, what to do: for people.
  public let message: String

  /// An error with its explanation.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
