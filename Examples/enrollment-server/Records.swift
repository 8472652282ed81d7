internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import ExampleSupport
internal import OpenSSLCryptography
internal import PictureFolder
internal import SQLiteEnrollmentStore

/// What people do on the records, while the server runs or not.
struct Records {
  private let folder: String
  private let register = EnrollmentRegister(review: ReviewByPeople(), cryptography: OpenSSLCryptography())

  /// The records in a folder.
  init(_ folder: String) {
    self.folder = folder
  }

  /// Where the records lie in a folder.
  static func path(_ folder: String) -> String { "\(folder)/records.sqlite" }

  /// Where the pictures lie in a folder.
  static func pictures(_ folder: String) -> String { "\(folder)/pictures" }

  /// Says who has registered. A phone number is not among it: the last digits tell people apart.
  func list(asJSON: Bool) async throws(ExampleError) -> ExitStatus {
    let store = try await open()
    let accounts: [AccountRecord]
    do throws(EnrollmentStoreError) {
      accounts = try await store.accounts()
    } catch {
      throw ExampleError(.inputOutput, error.message)
    }
    if asJSON {
      for account in accounts {
        JSONLine().write(
          event: "account",
          [
            JSONMember("id", .string(account.id)), JSONMember("name", .string(account.shownName)),
            JSONMember("status", .string("\(account.status.rawValue)")),
            JSONMember("waits", .optional(account.reviewing?.name)),
            JSONMember(
              "picture", .optional(account.submission.map { PictureFolder.name(of: $0.picture, account: $0.account) })),
            JSONMember("passport_number", .string(account.passportNumber)),
            JSONMember("locked", .bool(account.isLocked)),
            JSONMember("replaced", .bool(account.isReplaced)),
          ])
      }
      return .success
    }
    if accounts.isEmpty { LineOutput.standardOutput.writeLine("Nobody has registered yet.") }
    for account in accounts {
      var text = "\(account.id)  \(account.shownName)  status \(account.status.rawValue)"
      if let waiting = account.submission {
        text += "  \(waiting.kind.name) waits: pictures/\(PictureFolder.name(of: waiting.picture, account: account.id))"
      }
      if account.isLocked { text += "  locked" }
      if account.isReplaced { text += "  replaced" }
      LineOutput.standardOutput.writeLine(text)
    }
    return .success
  }

  /// Gives a verdict.
  func decide(_ verdict: ReviewVerdict, _ id: String, name: String) async throws(ExampleError) -> ExitStatus {
    let register = register
    switch try await update({ tables throws(EnrollmentStoreError) in
      try register.decide(verdict, account: id, name: name, in: &tables)
    }) {
    case nil: return refuse("There is no account “\(id)”. See: enrollment-server list")
    case false?: return refuse("Nothing of “\(id)” waits for a verdict.")
    case true?:
      try await prune(id)
      LineOutput.standardOutput.writeLine("\(id): \(verdict == .accepted ? "accepted" : "rejected").")
      return .success
    }
  }

  /// Removes the pictures that the account needs no more: one that was rejected.
  private func prune(_ id: String) async throws(ExampleError) {
    let pictures: PictureFolder
    do throws(PictureStoreError) {
      pictures = try PictureFolder(Records.pictures(folder))
    } catch {
      throw ExampleError(.inputOutput, error.message)
    }
    let register = register
    try await update { tables throws(EnrollmentStoreError) in
      try register.neededPictures(ofAccount: id, in: &tables) { pictures.prune(id, keeping: $0) }
    }
  }

  /// Opens a locked account.
  func unlock(_ id: String) async throws(ExampleError) -> ExitStatus {
    let register = register
    switch try await update({ tables throws(EnrollmentStoreError) in try register.unlock(account: id, in: &tables) }) {
    case nil: return refuse("There is no account “\(id)”. See: enrollment-server list")
    case let wasLocked?:
      LineOutput.standardOutput.writeLine("\(id): \(wasLocked ? "unlocked" : "was not locked").")
      return .success
    }
  }

  private func refuse(_ text: String) -> ExitStatus {
    LineOutput.standardError.say("enrollment-server: \(text)")
    return .refused
  }

  private func update<Value: Sendable>(
    _ change: @escaping @Sendable (inout any EnrollmentTables) throws(EnrollmentStoreError) -> Value
  ) async throws(ExampleError) -> Value {
    let store = try await open()
    do throws(EnrollmentStoreError) {
      return try await store.update(change)
    } catch {
      throw ExampleError(.inputOutput, error.message)
    }
  }

  private func open() async throws(ExampleError) -> SQLiteEnrollmentStore {
    guard FileReading.exists(Records.path(folder)) else {
      throw ExampleError(.noInput, "“\(folder.printable)” holds no records. Is it the folder that “serve --data” has?")
    }
    do throws(EnrollmentStoreError) {
      return try await SQLiteEnrollmentStore(path: Records.path(folder))
    } catch {
      throw ExampleError(.inputOutput, error.message)
    }
  }
}
