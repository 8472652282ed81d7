internal import Glibc
internal import TestSupport
internal import Testing

@Suite("An attendee program that cannot reach the kiosk", .serialized)
struct UnreachableTests {
  /// An address at which nobody listens.
  private func emptyAddress(_ place: Place, _ folder: ProcessFolder) throws -> String {
    guard place == .tcp else { return place.url(in: folder) }
    let socket = try LoopbackSocket.listening()
    close(socket.descriptor)
    return "tcp://127.0.0.1:\(socket.port)"
  }

  @Test("says so in its last line and on standard error, with the cause", .bounded, arguments: Place.allCases)
  func never(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let address = try emptyAddress(place, folder)
      let end = try await ChildProcess.visit(event, event.ticket(), at: address)
      #expect(end.exit == .status(69))
      let last = try #require(end.events.last)
      #expect(last.name == "unreachable")
      #expect(last["endpoint"] == address)
      #expect(last["code"] == "refused")
      let message = try #require(last["message"])
      #expect(message.contains("Is the other program running"))
      #expect(end.errors == "attendee: \(message)\n")
    }
  }

  @Test("after it was connected, says so in its last line, with the cause", .bounded, arguments: Place.allCases)
  func again(place: Place) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event, listen: [place.url(in: folder)]) { kiosk in
        let address = try kiosk.endpoint()
        let end = try await ChildProcess.attendee(event, ada, at: address, ["--authenticator", "pin"]) { phone in
          _ = try await phone.pinOnScreen()
          kiosk.signal(SIGKILL)
          return try await phone.finished()
        }
        #expect(end.exit == .status(2))
        #expect(end.events("retrying").count == 3)
        let last = try #require(end.events.last)
        #expect(last.name == "no_answer")
        #expect(last["reason"] == "unreachable")
        #expect(last["endpoint"] == address)
        #expect(last["code"] == "refused")
        #expect(last["message"]?.contains("Connection refused") == true)
      }
    }
  }

  @Test("shows the cause to the person, also when it was connected before", .bounded)
  func onTerminal() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let ada = try event.ticket()
      try await ChildProcess.kiosk(event) { kiosk in
        let address = try kiosk.endpoint()
        try await PhoneScreenTests.run(event, ada, at: address, ["--authenticator", "pin"]) { phone in
          try await phone.picture("the PIN") { $0.shows("Type this at the kiosk") }
          kiosk.signal(SIGKILL)
          try await phone.picture("the cause") {
            $0.shows("could not be reached again") && $0.shows("Connection refused")
          }
          let end = try await phone.exit()
          #expect(end == .status(2))
        }
        try await PhoneScreenTests.run(event, ada, at: address) { phone in
          let end = try await phone.finished()
          #expect(end.exit == .status(69))
          #expect(end.errors.contains("Connection refused"))
        }
      }
    }
  }
}
