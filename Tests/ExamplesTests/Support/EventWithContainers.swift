internal import Foundation
internal import TestSupport
internal import Testing

/// An event that the organizer program made, in which the kiosk and Ada have containers.
struct EventWithContainers: Sendable {
  private let organizer: OrganizerProcess
  private let password: String

  init() async throws {
    organizer = try OrganizerProcess()
    password = try organizer.write("correct horse battery staple\n", "password")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password)
    for words in [
      ["init", organizer.event, "--event", "Demo Day"],
      ["kiosk", organizer.event, "--name", "Hall A", "--container", "--password-file", password],
      ["issue", organizer.event, "--name", "Ada Lovelace", "--container", "--password-file", password],
    ] {
      let result = try await ChildProcess.finish("organizer", words)
      try #require(result.exit == .status(0), "\(result.errors)")
    }
  }

  var issuerFile: String { "\(organizer.event)/issuer.pem" }

  /// The options of the kiosk program, without its addresses.
  var kiosk: [String] {
    [
      "--identity", "\(organizer.event)/kiosks/hall-a.kiosk", "--container", "\(organizer.event)/kiosks/hall-a.p12",
    ] + both
  }

  /// The options of Ada's program, without the kiosk's address.
  var ada: [String] {
    ["--container", "\(organizer.event)/tickets/ada-lovelace.p12"] + both + ticket
  }

  /// The same for a phone that has the ticket alone.
  var adaWithoutContainer: [String] { ticket + ["--issuer", issuerFile, "--json"] }

  private var ticket: [String] { ["--ticket", "\(organizer.event)/tickets/ada-lovelace.ticket"] }
  private var both: [String] { ["--issuer", issuerFile, "--password-file", password, "--json"] }
}
