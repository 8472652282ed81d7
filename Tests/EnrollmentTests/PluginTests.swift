internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import FileVault
internal import Foundation
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import PictureFolder
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
  private let upload = EnrollmentRequest.Upload(digest: OpenSSLCryptography().sha256([1, 2, 3, 4, 5].span), size: 5)

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

  // MARK: - Pictures

  @Test("Pieces go where the picture ends, also after the program was started again; whole ones are named by content")
  func pictures() async throws {
    try await ProcessFolder.with { folder in
      var pictures = try PictureFolder(folder.path("p"))
      #expect(try await pictures.received(upload, .passport, account: "a/../b") == 0)
      #expect(try await pictures.append([1, 2], at: 0, to: upload, .passport, account: "a/../b") == 2)
      pictures = try PictureFolder(folder.path("p"))
      #expect(try await pictures.received(upload, .passport, account: "a/../b") == 2)
      do throws(PictureStoreError) {
        _ = try await pictures.append([3], at: 1, to: upload, .passport, account: "a/../b")
        Issue.record("a piece at another place was taken")
      } catch {
        #expect(error.code == .wrongOffset(2))
      }
      #expect(try await pictures.append([], at: 2, to: upload, .passport, account: "a/../b") == 2)
      #expect(try await pictures.append([3, 4, 5], at: 2, to: upload, .passport, account: "a/../b") == 5)
      #expect(try await pictures.content(upload, .passport, account: "a/../b") == [1, 2, 3, 4, 5])
      try await pictures.keep(upload, .passport, account: "a/../b")
      // The same picture of somebody else is there already.
      #expect(try await pictures.received(upload, .selfie, account: "c") == 5)
      try await pictures.keep(upload, .selfie, account: "c")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("p"))
      #expect(names == ["\(hexadecimal(upload.digest.bytes)).jpg"])
      #expect(try mode(pictures.path(of: upload.digest)) == 0o600 && mode(folder.path("p")) == 0o700)
    }
  }

  @Test("Of an account and a kind one picture is on its way: another one takes its place")
  func onePart() async throws {
    try await ProcessFolder.with { folder in
      let pictures = try PictureFolder(folder.path("p"))
      let other = EnrollmentRequest.Upload(digest: OpenSSLCryptography().sha256([7].span), size: 1000)
      _ = try await pictures.append([1], at: 0, to: upload, .passport, account: "a")
      _ = try await pictures.append([1], at: 0, to: upload, .selfie, account: "a")
      _ = try await pictures.append([1], at: 0, to: other, .passport, account: "a")
      #expect(try await pictures.received(upload, .passport, account: "a") == 0)
      #expect(try await pictures.received(upload, .selfie, account: "a") == 1)
      await pictures.discard(other, .passport, account: "a")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("p")).count == 1)
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

  private func vault(
    _ folder: ProcessFolder, _ version: TokenSealing.Version, _ sensor: MockBiometricProver.Behaviour = .accept
  ) throws -> FileVault {
    try FileVault(
      folder: folder.path("v"), device: folder.path("d"), version: version, stretching: ScryptSealing(cost: 16),
      cryptography: OpenSSLCryptography(), biometrics: MockBiometricProver(sensor)
    ) { container, old, new throws(EnrollmentVaultError) in container + old.bytes + new.bytes }
  }

  @Test(
    "A sealed token comes out with the right PIN, and another with every other: nothing here says which",
    arguments: TokenSealing.Version.allCases)
  func seals(version: TokenSealing.Version) async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes(OpenSSLCryptography().randomBytes(16))
      let pin = try #require(FourDigits("2580"))
      let vault = try vault(folder, version)
      try vault.saveContainer([1, 2, 3], token: token)
      #expect("\(try vault.progress())" == "enrolled")
      #expect(try await vault.seal(pin).matches(token))
      #expect("\(try vault.progress())" == "sealed")
      #expect(try await vault.unseal(pin).matches(token))
      for other in ["0000", "2581", "9999"] {
        let made = try await vault.unseal(try #require(FourDigits(other)))
        #expect(made.count == 16 && !made.matches(token))
      }
      #expect(try await vault.releaseByBiometrics()?.matches(token) == true)
      #expect(try await self.vault(folder, version, .reject).releaseByBiometrics() == nil)
      // Neither the token nor anything that holds it is left.
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let path = folder.path(name)
        guard let content = FileManager.default.contents(atPath: path) else { continue }
        #expect([UInt8](content).firstRange(of: token.bytes) == nil, "\(name)")
        #expect(try mode(path) == 0o600, "\(name)")
      }
    }
  }

  @Test("Version 1 needs the device's secret, and keeps the container under a password of the device")
  func deviceSecret() async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes(OpenSSLCryptography().randomBytes(16))
      let vault = try vault(folder, .scrypt)
      try vault.saveContainer([1, 2, 3], token: token)
      #expect(try vault.container(token: nil)?.password.matches(token.containerPassword) == true)
      _ = try await vault.seal(try #require(FourDigits("2580")))
      let (bytes, password) = try #require(try vault.container(token: nil))
      #expect(bytes == [1, 2, 3] + token.containerPassword.bytes + password.bytes)
      #expect(!password.matches(token.containerPassword) && password.count == 64)
      try FileManager.default.removeItem(atPath: folder.path("d/secret"))
      await #expect(throws: EnrollmentVaultError.self) { try await vault.unseal(FourDigits("2580")!) }
      #expect(try vault.container(token: token) == nil)
    }
  }

  @Test("Version 0 keeps the container as it came: only the right token opens it")
  func literal() async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes([UInt8](0..<16))
      let vault = try vault(folder, .literal)
      try vault.saveContainer([1, 2, 3], token: token)
      _ = try await vault.seal(try #require(FourDigits("2580")))
      #expect(try vault.container(token: nil) == nil)
      let (bytes, password) = try #require(try vault.container(token: token))
      #expect(bytes == [1, 2, 3] && password.matches(token.containerPassword))
    }
  }

  @Test("All progress is kept, the identifier stays, and all is forgotten when that is wanted")
  func progress() async throws {
    try await ProcessFolder.with { folder in
      let vault = try vault(folder, .scrypt)
      #expect("\(try vault.progress())" == "fresh")
      let client = try vault.client()
      #expect(try vault.client() == client)
      let request = RequestID(Bytes16([UInt8](0..<16))!)
      let token = SecretBytes([UInt8](0..<16))
      try vault.save(.codeSent(phone: "+46701234567"))
      #expect("\(try vault.progress())".contains("codeSent(phone: \"+46701234567\")"))
      try vault.save(.granted(url: "enroll:/container/1", token: token))
      if case .granted(let url, let kept) = try vault.progress() {
        #expect(url == "enroll:/container/1" && kept.matches(token))
      } else {
        Issue.record("the URL was not kept")
      }
      try vault.save(.registering(phone: "+46701234567", request: request, code: FourDigits("0042")!))
      if case .registering(let phone, let kept, let code) = try vault.progress() {
        #expect(phone == "+46701234567" && kept == request && code.matches(FourDigits("0042")!))
      } else {
        Issue.record("the request was not kept")
      }
      try vault.forget()
      #expect("\(try vault.progress())" == "fresh")
      #expect(try vault.client() != client)
      try folder.write("progress: somewhere\n", to: "v/progress")
      #expect(throws: EnrollmentVaultError.self) { try vault.progress() }
    }
  }
}
