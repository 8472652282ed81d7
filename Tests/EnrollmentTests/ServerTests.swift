internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import Foundation
internal import InMemoryTransport
internal import OpenSSLCryptography
internal import PictureFolder
internal import SQLiteEnrollmentStore
internal import Synchronization
internal import TestSupport
internal import Testing

/// Server and client as they run, in one process.
@Suite("An enrollment server and its clients", .timeLimit(.minutes(2)))
struct ServerTests {
  private static let phone = "+46701234567"

  /// Runs a client beside `body`, which sees what it shows and tells it what the person does.
  private func client(
    _ hall: ServerHall, _ name: String = "me", settings: EnrollmentSettings = EnrollmentSettings(),
    body: (EnrollmentClient, DisplayCatcher) async throws -> Void
  ) async throws -> EnrollmentOutcome {
    let display = DisplayCatcher()
    var configuration = EnrollmentClientConfiguration(
      vault: try hall.vault(name), dialler: hall.dialler, camera: NoCamera(), display: display,
      cryptography: ServerHall.cryptography)
    configuration.settings = settings
    let client = EnrollmentClient(configuration)
    let running = Task { try await client.run() }
    do {
      try await body(client, display)
    } catch {
      running.cancel()
      throw error
    }
    client.post(.cancel)
    return try await running.value
  }

  @Test("After a long silence the server says goodbye, and the client asks on a new connection without a word")
  func idle() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder) {
        $0.settings.idleWait = .milliseconds(50)
        $0.rules.smsPause = .zero
      }
      try await hall.run {
        let outcome = try await client(hall) { client, display in
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
          // The person looks for the message; the server has waited long enough.
          try await hall.reports.wait { if case .session(_, .ended) = $0 { true } else { false } }
          client.post(.resendSMS)
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
        }
        #expect(outcome == .stopped)
        #expect(hall.messages.texts.count == 2)
      }
    }
  }

  @Test("A message that cannot be sent is said, is not counted, and goes out when it can")
  func smsFails() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      hall.messages.fail(true)
      try await hall.run {
        _ = try await client(hall) { client, display in
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .dialog(.serverProblem(.smsFailed)))
          hall.messages.fail(false)
          client.post(.dialog(true))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
        }
      }
      #expect(hall.messages.texts.count == 1)
      #expect(
        hall.reports.all.contains {
          if case .failed(.sendCode, message: "the messenger is ill") = $0 { true } else { false }
        })
    }
  }

  @Test("A part that fails is a problem of the server's, and the person may try again")
  func issuerFails() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      try await hall.run {
        _ = try await client(hall) { client, display in
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
          let text = try #require(hall.messages.texts.last)
          let code = try #require(FourDigits(String(text.prefix(4))))
          client.post(.codeFromMessage(code))
          try await display.wait(for: .dialog(.serverProblem(.internal)))
          // The code was right: the same request needs no other.
          client.post(.dialog(true))
          try await display.wait(for: .dialog(.serverProblem(.internal)))
        }
      }
    }
  }

  @Test("Nobody answers: the client asks whether to try again, and a later answer is not taken for another's")
  func timesOut() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      var settings = EnrollmentSettings()
      settings.answerWait = .milliseconds(200)
      _ = try await client(hall, settings: settings) { client, display in
        client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
        try await display.wait(for: .dialog(.tryAgain))
        try await hall.run {
          // Often enough, as the handshake may take longer than the answer may.
          while hall.messages.texts.isEmpty {
            client.post(.dialog(true))
            try await Task.sleep(for: .milliseconds(20))
          }
        }
      }
    }
  }

  @Test("Told to stop, the server ends idle connections in good order and takes no more")
  func stops() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      _ = try await client(hall) { client, display in
        try await hall.run {
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
        }
        client.post(.resendSMS)
        try await display.wait(for: .dialog(.tryAgain))
      }
      let ends = hall.reports.all.compactMap { if case .session(_, .ended(let how)) = $0 { how } else { nil } }
      #expect(ends.count == 1 && ends.first != .peerLost)
    }
  }

  @Test("More connections than there may be are closed at once, and there is room again when one ends")
  func full() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder) {
        $0.openSessions = 1
        $0.rules.smsPause = .zero
      }
      try await hall.run {
        _ = try await client(hall, "one") { client, display in
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
          _ = try await self.client(hall, "two") { client, display in
            client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
            try await display.wait(for: .dialog(.tryAgain))
          }
        }
        try await hall.reports.wait { if case .session(_, .ended) = $0 { true } else { false } }
        _ = try await client(hall, "three") { client, display in
          client.post(.sendSMS(try PhoneNumber(ServerTests.phone)))
          try await display.wait(for: .screen(.code(phone: ServerTests.phone, entered: 0)))
        }
      }
    }
  }

  @Test("A transport that proves nobody is refused before anything is served")
  func plain() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      await #expect {
        try await hall.server.run(on: [Endpoint("memory://hall")], over: hall.registry)
      } throws: {
        ($0 as? CheckInError)?.code == .insecureTransport
      }
    }
  }

  @Test("With its start the server forgets tokens whose time is over, and removes pictures that nobody needs")
  func tidies() async throws {
    try await ProcessFolder.with { folder in
      let hall = try await ServerHall(in: folder)
      let store = try await SQLiteEnrollmentStore(path: folder.path("records.sqlite"))
      let pictures = try PictureFolder(folder.path("pictures"))
      let digests = (0..<3).map { ServerHall.cryptography.sha256([UInt8($0)].span) }
      for (account, number) in [("p-1", 0), ("p-1", 1), ("p-2", 2), ("strange", 2)] {
        let upload = EnrollmentRequest.Upload(digest: digests[number], size: 1)
        try await pictures.keep([UInt8(number)], upload, .passport, account: account)
      }
      try await store.update { tables throws(EnrollmentStoreError) in
        var account = AccountRecord(
          id: "p-1", number: "+1", serial: [1], token: digests[0], created: WallTime(secondsSince1970: 1))
        account.passport = digests[1]
        try tables.put(account)
        var replaced = AccountRecord(
          id: "p-2", number: "+1", serial: [1], token: digests[0], created: WallTime(secondsSince1970: 1))
        replaced.isReplaced = true
        try tables.put(replaced)
        try tables.put(
          RegistrationRecord(
            client: digests[0], request: RequestID(Bytes16([UInt8](0..<16))!), number: "+1", account: "p-1", path: "ab",
            token: [1], container: [1], expires: WallTime(secondsSince1970: 1)))
      }
      try await hall.run {
        var isThere = true
        while isThere {
          isThere = try await store.update { tables throws(EnrollmentStoreError) in
            try tables.registration(digests[0]) != nil
          }
        }
      }
      #expect(await pictures.accounts().sorted() == ["p-1", "strange"])
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("pictures/p-1"))
      #expect(names == ["\(hexadecimal(digests[1].bytes)).jpg"])
    }
  }
}
