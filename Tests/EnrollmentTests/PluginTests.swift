internal import CSQLite
internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import Foundation
internal import OpenSSLCryptography
internal import SMSOutbox
internal import SQLiteEnrollmentStore
internal import ScryptSealing
internal import TestSupport
internal import Testing

private func mode(_ path: String) throws -> Int? {
  try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}

@Suite("The parts of an enrollment", .timeLimit(.minutes(2)))
struct PluginTests {
  // MARK: - Records

  @Test("E1: records are there after the file is opened again, each field, for the owner alone")
  func store() async throws {
    try await ProcessFolder.with { folder in
      let path = folder.path("records.sqlite")
      let digest = OpenSSLCryptography().sha256([9].span)
      let time = WallTime(secondsSince1970: 1_800_000_000)
      var account = AccountRecord(id: "p", number: "+46701234567", serial: [0, 7], token: digest, created: time)
      account.name = "Ada"
      account.status = EnrollmentStatus(rawValue: .max)
      account.reviewing = .selfie
      account.submitted = time
      account.reason = "blurred"
      account.passportNumber = "AB1234567"
      account.selfie = digest
      account.isSealed = true
      account.failures = 3
      account.isLocked = true
      let number = NumberRecord(
        number: "+46701234567", client: digest, salt: [1], code: digest, expires: time, triesLeft: 2,
        sent: [time, time])
      let registration = RegistrationRecord(
        client: digest, request: RequestID(Bytes16([UInt8](0..<16))!), number: "+46701234567", account: "p", path: "ab",
        token: [], container: [1, 2], expires: time, isFetched: true)
      let (one, two, three) = (account, number, registration)
      try await SQLiteEnrollmentStore(path: path).update { tables throws(EnrollmentStoreError) in
        try tables.put(one)
        try tables.put(two)
        try tables.put(three)
      }
      let store = try await SQLiteEnrollmentStore(path: path)
      try await store.update { tables throws(EnrollmentStoreError) in
        let accounts = [try tables.account("p"), try tables.account(ofNumber: "+46701234567"), try tables.account("q")]
        let numbers = [try tables.number("+46701234567"), try tables.number("+1")]
        let kept = try tables.registration(digest)
        #expect(accounts == [one, one, nil])
        #expect(numbers == [two, nil])
        #expect(kept == three)
      }
      #expect(try await store.accounts() == [one])
      #expect(try mode(path) == 0o600 && mode(path + "-wal") == 0o600)
    }
  }

  @Test("E3: a change that throws stores nothing, and one that breaks a rule of the file neither")
  func rollsBack() async throws {
    try await ProcessFolder.with { folder in
      let store = try await SQLiteEnrollmentStore(path: folder.path("records.sqlite"))
      let digest = OpenSSLCryptography().sha256([9].span)
      let account = AccountRecord(
        id: "p", number: "+1", serial: [1], token: digest, created: WallTime(secondsSince1970: 1))
      await #expect(throws: EnrollmentStoreError.self) {
        try await store.update { tables throws(EnrollmentStoreError) in
          try tables.put(account)
          throw EnrollmentStoreError("no")
        }
      }
      #expect(try await store.accounts().isEmpty)
      try await store.update { tables throws(EnrollmentStoreError) in
        try tables.put(account)
        var replaced = account
        replaced.isReplaced = true
        try tables.put(replaced)
        try tables.put(
          AccountRecord(id: "q", number: "+1", serial: [2], token: digest, created: WallTime(secondsSince1970: 2)))
        let current = try tables.account(ofNumber: "+1")
        #expect(current?.id == "q")
      }
      #expect(try await store.accounts().map(\.id) == ["p", "q"])
    }
  }

  @Test("Pruning forgets old numbers and containers that nobody fetched, and nothing else")
  func prunes() async throws {
    try await ProcessFolder.with { folder in
      let store = try await SQLiteEnrollmentStore(path: folder.path("records.sqlite"))
      let digests = (0..<3).map { OpenSSLCryptography().sha256([UInt8($0)].span) }
      try await store.update { tables throws(EnrollmentStoreError) in
        for (index, digest) in digests.enumerated() {
          let time = WallTime(secondsSince1970: Int64(index) * 100)
          try tables.put(
            NumberRecord(
              number: "+\(index)", client: digest, salt: [], code: digest, expires: time, triesLeft: 1, sent: []))
          try tables.put(
            RegistrationRecord(
              client: digest, request: RequestID(Bytes16([UInt8](0..<16))!), number: "+\(index)", account: "p",
              path: "",
              token: [1], container: [1], expires: time, isFetched: index == 0))
        }
        try tables.prune(
          codes: WallTime(secondsSince1970: 100), containers: WallTime(secondsSince1970: 200))
        var numbers: [Bool] = []
        var registrations: [Bool] = []
        for (index, digest) in digests.enumerated() {
          numbers.append(try tables.number("+\(index)") != nil)
          registrations.append(try tables.registration(digest) != nil)
        }
        #expect(numbers == [false, true, true])
        #expect(registrations == [true, false, true])
      }
    }
  }

  @Test("E2: many tasks change one record, and none loses what another did")
  func manyTasks() async throws {
    try await ProcessFolder.with { folder in
      let path = folder.path("records.sqlite")
      let stores = [try await SQLiteEnrollmentStore(path: path), try await SQLiteEnrollmentStore(path: path)]
      let digest = OpenSSLCryptography().sha256([9].span)
      try await stores[0].update { tables throws(EnrollmentStoreError) in
        try tables.put(
          AccountRecord(id: "p", number: "+1", serial: [1], token: digest, created: WallTime(secondsSince1970: 1)))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<40 {
          group.addTask {
            try await stores[index % 2].update { tables throws(EnrollmentStoreError) in
              guard var account = try tables.account("p") else { return }
              account.failures += 1
              try tables.put(account)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await stores[1].accounts().first?.failures == 40)
    }
  }

  @Test("A file that is something else is refused, and left as it is")
  func foreignFile() async throws {
    try await ProcessFolder.with { folder in
      let path = try folder.write(
        "this is no database, and longer than a header of one hundred bytes would have to be, so", to: "x")
      await #expect(throws: EnrollmentStoreError.self) { try await SQLiteEnrollmentStore(path: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("this is no database"))
      await #expect(throws: EnrollmentStoreError.self) { try await SQLiteEnrollmentStore(path: folder.path("no/x")) }
    }
  }

  @Test("Records that were moved or deleted while they are in use take nothing any more")
  func movedRecords() async throws {
    try await ProcessFolder.with { folder in
      let path = folder.path("records.sqlite")
      let store = try await SQLiteEnrollmentStore(path: path)
      try await store.update { tables throws(EnrollmentStoreError) in
        try tables.countMessage(at: WallTime(secondsSince1970: 1), origin: nil)
      }
      try FileManager.default.removeItem(atPath: path)
      await #expect {
        try await store.update { tables throws(EnrollmentStoreError) in
          try tables.countMessage(at: WallTime(secondsSince1970: 2), origin: nil)
        }
      } throws: {
        "\($0)".contains("moved or deleted")
      }
    }
  }

  /// What the first form of the records did not have.
  private func takeBackToFirstForm(_ path: String) throws {
    var handle: OpaquePointer?
    // Unsafe: the library fills in the handle, which is closed below.
    try #require(unsafe sqlite3_open(path, &handle) == SQLITE_OK)
    defer { unsafe sqlite3_close(handle) }
    let result = unsafe sqlite3_exec(handle, "DROP TABLE messages; PRAGMA user_version = 1", nil, nil, nil)
    try #require(result == SQLITE_OK)
  }

  @Test("Messages are counted by place and time, and records of the first form are brought up to date")
  func countsMessages() async throws {
    try await ProcessFolder.with { folder in
      let path = folder.path("records.sqlite")
      _ = try await SQLiteEnrollmentStore(path: path)
      try takeBackToFirstForm(path)
      let store = try await SQLiteEnrollmentStore(path: path)
      let digest = OpenSSLCryptography().sha256([9].span)
      @Sendable func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }
      let counts = try await store.update { tables throws(EnrollmentStoreError) in
        for second in 1...4 as ClosedRange<Int64> {
          try tables.countMessage(at: time(second), origin: second == 2 ? nil : digest)
        }
        try tables.withdrawMessage(origin: digest)
        try tables.prune(codes: time(1), containers: time(0))
        let all = try tables.messages(from: time(0), to: time(9), origin: nil)
        let some = try tables.messages(from: time(1), to: time(9), origin: digest)
        let none = try tables.messages(from: time(9), to: time(10), origin: digest)
        return [all.count, some.count, none.count, Int(some.first?.secondsSince1970 ?? 0)]
      }
      #expect(counts == [3, 1, 0, 3])
    }
  }

  @Test("The container's URL works once, also when many ask at the same instant")
  func fetchedByMany() async throws {
    try await ProcessFolder.with { folder in
      let path = folder.path("records.sqlite")
      let stores = [try await SQLiteEnrollmentStore(path: path), try await SQLiteEnrollmentStore(path: path)]
      let cryptography = OpenSSLCryptography()
      let client = cryptography.sha256([1].span)
      let now = WallTime(secondsSince1970: 1_800_000_000)
      let register = EnrollmentRegister(review: ReviewByPeople(), cryptography: cryptography)
      try await stores[0].update { tables throws(EnrollmentStoreError) in
        try tables.put(
          RegistrationRecord(
            client: client, request: RequestID(Bytes16([UInt8](0..<16))!), number: "+1", account: "p", path: "ab",
            token: [1], container: [1, 2], expires: now.advanced(by: .seconds(300))))
      }
      let order = EnrollmentOrder(
        request: .fetchContainer(url: "enroll:/container/ab"), peer: .installation, client: client, isLoggedIn: false)
      let results = try await withThrowingTaskGroup(of: EnrollmentResult?.self) { group in
        for index in 0..<20 {
          group.addTask {
            try await stores[index % 2].update { tables throws(EnrollmentStoreError) in
              guard case .answer(let answer) = try register.handle(order, now: now, in: &tables) else { return nil }
              return answer.result
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count { $0 == .done } == 1 && results.count { $0 == .gone } == 19)
    }
  }

  // MARK: - Messages

  @Test("One file a message, in order, for the owner alone")
  func outbox() async throws {
    try await ProcessFolder.with { folder in
      let outbox = try SMSOutbox(folder.path("out"))
      for text in ["one", "two", "three"] { try await outbox.send(text, to: PhoneNumber("+46701234567")) }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
      #expect(names.count == 3 && names.allSatisfy { $0.hasSuffix(".sms") })
      let texts = try names.map { try String(contentsOfFile: folder.path("out/\($0)"), encoding: .utf8) }
      #expect(texts == ["one", "two", "three"].map { "To: +46701234567\n\n\($0)\n" })
      #expect(try names.allSatisfy { try mode(folder.path("out/\($0)")) == 0o600 })
      // A kill has left what has no name yet: it goes with the next start, once it is old.
      for (name, age) in [("old", 61.0), ("new", 0.0)] {
        let path = try folder.write("1234", to: "out/.unfinished-\(name)")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
      }
      _ = try SMSOutbox(folder.path("out"))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).filter { $0.hasPrefix(".") }
      #expect(left == [".unfinished-new"])
      try FileManager.default.removeItem(atPath: folder.path("out"))
      await #expect(throws: SMSError.self) { try await outbox.send("four", to: PhoneNumber("+46701234567")) }
    }
  }

  // MARK: - Sealing

  @Test("scrypt gives what another implementation gives for the same arguments")
  func scrypt() throws {
    let pin = try #require(FourDigits("2580"))
    let secret = SecretBytes([UInt8](repeating: 7, count: 32))
    // Python's hashlib.scrypt(b"2580", salt=bytes(range(16)) + bytes([7] * 32), n=…, r=8, p=1, dklen=16).
    for (cost, key) in [
      (UInt64(1 << 4), "195f4204150f98dd65b969d5091f4398"), (1 << 15, "55638255f30264f71f5a8c2906908521"),
    ] {
      let made = try ScryptSealing(cost: cost).key(pin, salt: [UInt8](0..<16), deviceSecret: secret, count: 16)
      #expect(hexadecimal(made.bytes) == key)
    }
  }
}
