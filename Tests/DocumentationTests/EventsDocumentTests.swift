internal import Testing

@Suite("Documentation/Events.md")
struct EventsDocumentTests {
  private let document: Document

  init() throws {
    document = try Document("Documentation/Events.md")
  }

  /// The names of events that a source file has, where they are written and where they are given to cases.
  private func events(in path: String) throws -> Set<String> {
    let text = try Repository.text(path)
    let names = text.matches(of: /case \.[A-Za-z., ]+: "([a-z_]+)"/).map { String($0.1) }
    let written = text.matches(of: /event:[^"]{0,80}"([a-z_]+)"/).map { String($0.1) }
    return Set(names + written)
  }

  @Test(
    "names every event of a program, and no other",
    arguments: [
      ("Kiosk", 20, ["Examples/Support/Kiosk/KioskJSON.swift", "Sources/CheckInCore/Kiosk/KioskEvent.swift"]),
      (
        "Attendee", 12,
        ["Examples/Support/Attendee/AttendeeJSON.swift", "Sources/CheckInCore/Attendee/AttendeeEvent.swift"]
      ),
      ("Search", 7, ["Examples/Support/Discovery/KioskSearchJSON.swift"]),
    ])
  func names(program: String, moreThan count: Int, sources: [String]) throws {
    let events = try sources.reduce(into: Set<String>()) { $0.formUnion(try self.events(in: $1)) }
    #expect(events.count > count)
    #expect(Set(document.names(below: program)) == events)
  }
}
