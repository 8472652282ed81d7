internal import Foundation
internal import TestSupport
internal import Testing

@Suite("The whole story, with the files of the organizer program", .serialized)
struct OrganizerStoryTests {
  /// An event as a newcomer makes it.
  static func make(in folder: ProcessFolder) async throws {
    for arguments in [
      ["init", folder.path, "--event", "Demo Day"], ["kiosk", folder.path, "--name", "Hall A"],
      ["issue", folder.path, "--name", "Ada Lovelace"],
    ] {
      let end = try await ChildProcess.finish("organizer", arguments)
      try #require(end.exit == .status(0), "\(end.errors)")
    }
  }

  @Test("Ada, Grace, Mallory, and Ada again", .bounded, arguments: Place.allCases)
  func story(place: Place) async throws {
    try await ProcessFolder.with { folder in
      try await ProcessFolder.with { elsewhere in
        try await OrganizerStoryTests.make(in: folder)
        let people = try folder.write("name,id\r\nGrace Hopper,grace\r\n", to: "people.csv")
        let imported = try await ChildProcess.finish("organizer", ["import", folder.path, people])
        #expect(imported.exit == .status(0))
        // Mallory makes an event of that name, and a ticket whose label keeps the phone from looking into it.
        try await OrganizerStoryTests.make(in: elsewhere)
        let ticket = try String(contentsOfFile: elsewhere.path("tickets/ada-lovelace.ticket"), encoding: .utf8)
        let forged = try elsewhere.write(
          ticket.replacingOccurrences(of: "CHECKIN TICKET", with: "CHECKIN TOKEN"), to: "forged.ticket")

        let url = place.url(in: folder)
        let issuer = ["--issuer", folder.path("issuer.pem"), "--insecure-plaintext", "--json"]
        let arguments =
          ["--listen", url, "--identity", folder.path("kiosks/hall-a.kiosk"), "--ledger", folder.path("ledger")]
          + issuer
        try await ChildProcess.run("kiosk", arguments) { kiosk in
          let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
          func visit(_ ticket: String, _ more: String...) -> [String] {
            ["--connect", endpoint, "--ticket", ticket] + issuer + more
          }
          let ada = visit(folder.path("tickets/ada-lovelace.ticket"))
          let first = try await ChildProcess.finish("attendee", ada)
          #expect(first.exit == .status(0))
          #expect(first.events("kiosk").first?["event_name"] == "Demo Day")

          let grace = visit(folder.path("tickets/grace.ticket"), "--authenticator", "pin")
          let second = try await ChildProcess.run("attendee", grace) { phone in
            let pin = try await phone.pinOnScreen()
            kiosk.type(pin.prefix(1) + pin.wrong(1) + "<" + pin.dropFirst() + "\n")
            return try await phone.finished()
          }
          #expect(second.exit == .status(0))

          let mallory = try await ChildProcess.finish("attendee", visit(forged))
          #expect(mallory.exit == .status(2))
          let ignored = try await kiosk.event("invalid_token")
          #expect(ignored["reason"] == "forged")

          let again = try await ChildProcess.finish("attendee", ada)
          #expect(again.exit == .status(1))
          #expect(again.reason == "already_admitted")
        }
      }
    }
  }

  @Test("A list of tokens works beside the tickets", .bounded)
  func listed() async throws {
    try await ProcessFolder.with { folder in
      try await OrganizerStoryTests.make(in: folder)
      let issued = try await ChildProcess.finish(
        "organizer", ["issue", folder.path, "--name", "Grace Hopper", "--listed"])
      #expect(issued.exit == .status(0))
      let issuer = ["--issuer", folder.path("issuer.pem"), "--insecure-plaintext", "--json"]
      let arguments =
        ["--listen", "tcp://127.0.0.1:0", "--identity", folder.path("kiosks/hall-a.kiosk")]
        + ["--attendees", folder.path("attendees.csv")] + issuer
      try await ChildProcess.run("kiosk", arguments) { kiosk in
        let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
        for ticket in ["ada-lovelace", "grace-hopper"] {
          let end = try await ChildProcess.finish(
            "attendee", ["--connect", endpoint, "--ticket", folder.path("tickets/\(ticket).ticket")] + issuer)
          #expect(end.exit == .status(0))
        }
        try await kiosk.event("checked_in", 2)
        #expect(kiosk.events("checked_in").map { $0["name"] } == ["Ada Lovelace", "Grace Hopper"])
      }
    }
  }

  @Test("A ticket that the organizer takes back is refused", .bounded)
  func revoked() async throws {
    try await ProcessFolder.with { folder in
      try await OrganizerStoryTests.make(in: folder)
      let revoked = try await ChildProcess.finish("organizer", ["revoke", folder.path, "ada-lovelace"])
      #expect(revoked.exit == .status(0), "\(revoked.errors)")
      let issuer = ["--issuer", folder.path("issuer.pem"), "--insecure-plaintext", "--json"]
      let arguments =
        ["--listen", "tcp://127.0.0.1:0", "--identity", folder.path("kiosks/hall-a.kiosk")]
        + ["--revocations", folder.path("revocations.list")] + issuer
      try await ChildProcess.run("kiosk", arguments) { kiosk in
        let endpoint = try #require(try await kiosk.event("listening")["endpoint"])
        let end = try await ChildProcess.finish(
          "attendee", ["--connect", endpoint, "--ticket", folder.path("tickets/ada-lovelace.ticket")] + issuer)
        #expect(end.exit == .status(1))
        #expect(end.reason == "revoked")
      }
    }
  }
}
