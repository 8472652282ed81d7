internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import Foundation
internal import Testing

/// What is written when a search is over, and what kiosks are called in lists.
@Suite("The end of a search")
struct KioskSearchEndTests {
  private let event = ShortEventID(rawValue: 7)

  private func sighting(_ address: String, _ name: String?, scheme: String = "l2cap") throws -> Sighting {
    Sighting(
      endpoint: try Endpoint("\(scheme)://\(address)"), kiosk: name, event: event,
      signal: SignalStrength(decibelMilliwatts: -60), time: .now)
  }

  private func chooser(_ sightings: [Sighting]) -> KioskChooser {
    var chooser = KioskChooser(event: event, near: nil)
    for sighting in sightings { _ = chooser.see(sighting) }
    return chooser
  }

  /// The lines that a search in JSON writes at its end.
  private func lines(_ result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>) throws -> String {
    let pipe = Pipe()
    let output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    KioskSearchJSON(to: JSONLine(to: output, now: { "now" }), event: event, near: nil).ended(with: result)
    try pipe.fileHandleForWriting.close()
    return String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test("without a kiosk is an event with the reason; nobody’s where somebody gave up")
  func ending() throws {
    let place = try Endpoint("l2cap://hci1")
    let nothing = KioskSearchFailure(chooser([]), near: nil, at: [place], insideTLS: false, after: .seconds(60))
    #expect(
      try lines(.failure(nothing)).hasPrefix(
        #"{"event":"no_kiosk","at":"now","reason":"not_found","message":"No kiosk of this event was found in 60 seconds"#
          + #" at l2cap://hci1."#))
    let blind = KioskSearchFailure(TransportError(.addressUnavailable, "It is off."), at: place)
    #expect(
      try lines(.failure(blind)) == #"{"event":"no_kiosk","at":"now","reason":"search_failed","place":"l2cap://hci1","#
        + #""code":"address_unavailable","message":"It is off."}"# + "\n")
    #expect(try lines(.success(nil)) == "")
  }

  @Test("tells where it looked, with both of two places")
  func places() throws {
    let places = [try Endpoint("l2cap://hci1"), try Endpoint("l2cap://hci0")]
    let near = SignalStrength(decibelMilliwatts: -50)
    let far = chooser([try sighting("aa:bb:cc:dd:ee:01?psm=129", "Hall A")])
    for (chooser, near) in [(chooser([]), nil), (far, near)] as [(KioskChooser, SignalStrength?)] {
      let failure = KioskSearchFailure(chooser, near: near, at: places, insideTLS: false, after: .seconds(1))
      #expect(failure.message.contains("in one second at l2cap://hci0 and l2cap://hci1"), "\(failure.message)")
    }
  }

  @Test("kiosks of one name are told apart by their addresses, in the list and in the message")
  func labels() throws {
    let chooser = chooser([
      try sighting("aa:bb:cc:dd:ee:01?psm=129", "Hall A"), try sighting("aa:bb:cc:dd:ee:02?psm=129", "Hall A"),
      try sighting("aa:bb:cc:dd:ee:02?psm=130", "Hall B"), try sighting("aa:bb:cc:dd:ee:03?psm=129", "Hall C"),
      try sighting("aa:bb:cc:dd:ee:03?psm=130", "Hall C"),
    ])
    let labels = chooser.candidates.labels.sorted()
    #expect(
      labels == [
        "Hall A (aa:bb:cc:dd:ee:01)", "Hall A (aa:bb:cc:dd:ee:02)", "Hall B",
        "Hall C (l2cap://aa:bb:cc:dd:ee:03?psm=129)", "Hall C (l2cap://aa:bb:cc:dd:ee:03?psm=130)",
      ])
    let lines = KioskSearchPicture(near: nil, unicode: true)
      .question(chooser.candidates, size: TerminalSize(rows: 24, columns: 80))
    #expect(lines.contains { $0.contains("Hall A (aa:bb:cc:dd:ee:02)") && $0.contains("-60 dBm") })
    let message = KioskSearchFailure(among: chooser.candidates).message
    #expect(message.hasPrefix("5 kiosks are here: ") && message.contains("Hall A (aa:bb:cc:dd:ee:01)"))
  }
}
