internal import CheckInCore
internal import EnrollmentCore

/// The records of a database, inside of one transaction.
struct DatabaseTables: EnrollmentTables {
  let database: Database

  func number(_ number: String) throws(EnrollmentStoreError) -> NumberRecord? {
    let query = try database.query(
      "SELECT number, client, salt, code, expires, tries_left, sent FROM numbers WHERE number = ?1")
    query.bind(1, number)
    guard try query.step(), let client = Digest(query.blob(1)), let code = Digest(query.blob(3)) else { return nil }
    return NumberRecord(
      number: query.text(0), client: client, salt: query.blob(2), code: code, expires: query.time(4),
      triesLeft: Int(query.integer(5)),
      sent: query.text(6).split(separator: " ").compactMap { Int64($0) }.map { WallTime(secondsSince1970: $0) })
  }

  func messages(
    from begin: WallTime, to end: WallTime, origin: Digest?
  ) throws(EnrollmentStoreError) -> (count: Int, first: WallTime?) {
    let query = try database.query(
      "SELECT count(*), min(time) FROM messages WHERE time > ?1 AND time <= ?2"
        + (origin == nil ? "" : " AND origin = ?3"))
    query.bind(1, begin.secondsSince1970)
    query.bind(2, end.secondsSince1970)
    if let origin { query.bind(3, origin.bytes) }
    guard try query.step() else { return (0, nil) }
    return (Int(query.integer(0)), query.optionalInteger(1).map { WallTime(secondsSince1970: $0) })
  }

  func countMessage(at time: WallTime, origin: Digest?) throws(EnrollmentStoreError) {
    let query = try database.query("INSERT INTO messages (time, origin) VALUES (?1, ?2)")
    query.bind(1, time.secondsSince1970)
    query.bind(2, origin?.bytes ?? [])
    try query.run()
  }

  func withdrawMessage(origin: Digest?) throws(EnrollmentStoreError) {
    let query = try database.query(
      "DELETE FROM messages WHERE id = (SELECT id FROM messages WHERE origin = ?1 ORDER BY id DESC LIMIT 1)")
    query.bind(1, origin?.bytes ?? [])
    try query.run()
  }

  func prune(codes: WallTime, containers: WallTime) throws(EnrollmentStoreError) {
    let messages = try database.query("DELETE FROM messages WHERE time < ?1")
    messages.bind(1, codes.secondsSince1970)
    try messages.run()
    let numbers = try database.query("DELETE FROM numbers WHERE expires < ?1")
    numbers.bind(1, codes.secondsSince1970)
    try numbers.run()
    let registrations = try database.query("DELETE FROM registrations WHERE fetched = 0 AND expires < ?1")
    registrations.bind(1, containers.secondsSince1970)
    try registrations.run()
  }

  func put(_ record: NumberRecord) throws(EnrollmentStoreError) {
    let query = try database.query("INSERT OR REPLACE INTO numbers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    query.bind(1, record.number)
    query.bind(2, record.client.bytes)
    query.bind(3, record.salt)
    query.bind(4, record.code.bytes)
    query.bind(5, record.expires.secondsSince1970)
    query.bind(6, Int64(record.triesLeft))
    query.bind(7, record.sent.map { "\($0.secondsSince1970)" }.joined(separator: " "))
    try query.run()
  }

  func registration(_ client: Digest) throws(EnrollmentStoreError) -> RegistrationRecord? {
    let query = try database.query(
      """
      SELECT client, request, number, account, path, token, container, expires, fetched FROM registrations
        WHERE client = ?1
      """)
    query.bind(1, client.bytes)
    guard try query.step(), let request = Bytes16(query.blob(1)) else { return nil }
    return RegistrationRecord(
      client: client, request: RequestID(request), number: query.text(2), account: query.text(3), path: query.text(4),
      token: query.blob(5), container: query.blob(6), expires: query.time(7), isFetched: query.integer(8) != 0)
  }

  func put(_ record: RegistrationRecord) throws(EnrollmentStoreError) {
    let query = try database.query(
      "INSERT OR REPLACE INTO registrations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    query.bind(1, record.client.bytes)
    query.bind(2, record.request.value.bytes)
    query.bind(3, record.number)
    query.bind(4, record.account)
    query.bind(5, record.path)
    query.bind(6, record.token)
    query.bind(7, record.container)
    query.bind(8, record.expires.secondsSince1970)
    query.bind(9, record.isFetched ? 1 : 0)
    try query.run()
  }

  func account(_ id: String) throws(EnrollmentStoreError) -> AccountRecord? {
    let query = try database.query("\(DatabaseTables.accounts) WHERE id = ?1")
    query.bind(1, id)
    return try query.step() ? DatabaseTables.account(query) : nil
  }

  func account(ofNumber number: String) throws(EnrollmentStoreError) -> AccountRecord? {
    let query = try database.query("\(DatabaseTables.accounts) WHERE number = ?1 AND replaced = 0")
    query.bind(1, number)
    return try query.step() ? DatabaseTables.account(query) : nil
  }

  /// All accounts, oldest first.
  func allAccounts() throws(EnrollmentStoreError) -> [AccountRecord] {
    let query = try database.query("\(DatabaseTables.accounts) ORDER BY created, id")
    var accounts: [AccountRecord] = []
    while try query.step() {
      if let account = DatabaseTables.account(query) { accounts.append(account) }
    }
    return accounts
  }

  func put(_ record: AccountRecord) throws(EnrollmentStoreError) {
    let query = try database.query(
      """
      INSERT OR REPLACE INTO accounts
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """)
    query.bind(1, record.id)
    query.bind(2, record.number)
    query.bind(3, record.name)
    query.bind(4, record.serial)
    query.bind(5, record.token.bytes)
    query.bind(6, Int64(bitPattern: record.status.rawValue))
    query.bind(7, record.reviewing.map { Int64($0.rawValue) })
    query.bind(8, record.submitted?.secondsSince1970)
    query.bind(9, record.reason)
    query.bind(10, record.passportNumber)
    query.bind(11, record.passport?.bytes)
    query.bind(12, record.selfie?.bytes)
    query.bind(13, record.isSealed ? 1 : 0)
    query.bind(14, Int64(record.failures))
    query.bind(15, record.isLocked ? 1 : 0)
    query.bind(16, record.isReplaced ? 1 : 0)
    query.bind(17, record.created.secondsSince1970)
    try query.run()
  }

  private static let accounts = """
    SELECT id, number, name, serial, token, status, reviewing, submitted, reason, passport_number, passport, selfie,
      sealed, failures, locked, replaced, created FROM accounts
    """

  private static func account(_ query: Query) -> AccountRecord? {
    guard let token = Digest(query.blob(4)) else { return nil }
    var record = AccountRecord(
      id: query.text(0), number: query.text(1), serial: query.blob(3), token: token, created: query.time(16))
    record.name = query.text(2)
    record.status = EnrollmentStatus(rawValue: UInt64(bitPattern: query.integer(5)))
    record.reviewing = query.optionalInteger(6).flatMap { PictureKind(rawValue: UInt64(bitPattern: $0)) }
    record.submitted = query.optionalInteger(7).map { WallTime(secondsSince1970: $0) }
    record.reason = query.text(8)
    record.passportNumber = query.text(9)
    record.passport = Digest(query.blob(10))
    record.selfie = Digest(query.blob(11))
    record.isSealed = query.integer(12) != 0
    record.failures = Int(query.integer(13))
    record.isLocked = query.integer(14) != 0
    record.isReplaced = query.integer(15) != 0
    return record
  }
}

extension Query {
  fileprivate func time(_ column: Int32) -> WallTime { WallTime(secondsSince1970: integer(column)) }
}
