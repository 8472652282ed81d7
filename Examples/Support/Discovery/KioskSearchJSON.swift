package import CheckIn
package import CheckInCore

/// Writes a search as JSON, one object on each line. `Documentation/Events.md` lists the events.
package struct KioskSearchJSON: KioskSearchDisplay {
  private let output: JSONLine
  private let event: ShortEventID
  private let near: SignalStrength?

  /// A writer.
  package init(to output: JSONLine = JSONLine(), event: ShortEventID, near: SignalStrength?) {
    self.output = output
    self.event = event
    self.near = near
  }

  package func began(at places: [Endpoint]) {
    output.write(
      event: "searching",
      [
        JSONMember("places", .array(places.map { .string("\($0)") })), JSONMember("event_short", .string(event.text)),
        JSONMember("near_dbm", near.json),
      ])
  }

  package func changed(_ change: NearbyKiosks.Change) {
    let name =
      switch change {
      case .appeared, .renamed: "kiosk_found"
      case .arrived: "kiosk_near"
      case .left: "kiosk_left"
      case .vanished: "kiosk_vanished"
      }
    output.write(event: name, change.kiosk.members)
  }

  package func failed(_ place: Endpoint, _ error: TransportError) {
    output.write(
      event: "search_failed",
      [
        JSONMember("place", .string("\(place)")), JSONMember("code", .string("\(error.code)")),
        JSONMember("message", .string(error.message)),
      ])
  }

  package func show(_ chooser: KioskChooser, after elapsed: Duration) {}

  package func ask(_ kiosks: [NearbyKiosks.Kiosk]) async -> KioskAnswer { .nobody }

  package func ended(with result: Result<NearbyKiosks.Kiosk?, KioskSearchFailure>) {
    switch result {
    case .success(nil): break
    case .success(.some(let kiosk)): output.write(event: "kiosk_chosen", kiosk.members)
    case .failure(let failure):
      let place = failure.place.map { place in
        [JSONMember("place", .string("\(place.endpoint)")), JSONMember("code", .string("\(place.error.code)"))]
      }
      output.write(
        event: "no_kiosk",
        [JSONMember("reason", .string(failure.reason.rawValue))] + (place ?? [])
          + [JSONMember("message", .string(failure.message))])
    }
  }
}

extension NearbyKiosks.Kiosk {
  fileprivate var members: [JSONMember] {
    [
      JSONMember("endpoint", .string("\(endpoint)")), JSONMember("name", .optional(name)),
      JSONMember("signal_dbm", signal.json),
    ]
  }
}

extension SignalStrength? {
  fileprivate var json: JSONValue { map { .integer(Int64($0.decibelMilliwatts)) } ?? .null }
}
