package import CheckIn
package import CheckInCore

/// Why a search ended without a kiosk to dial, where nobody gave up.
package struct KioskSearchFailure: Error, Sendable {
  /// The kinds of it.
  package enum Reason: String, Sendable {
    /// None of the event was there in time that this phone may dial.
    case notFound = "not_found"
    /// None came near in time.
    case notNear = "not_near"
    /// Several are there, and there is nobody to ask.
    case several
    /// No place can be looked at, or not any more.
    case searchFailed = "search_failed"
  }

  /// Which kind.
  package let reason: Reason
  /// What happened and what to do.
  package let message: String
  /// The last place that could not be looked at, and why.
  package let place: (endpoint: Endpoint, error: TransportError)?

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
    place = nil
  }

  /// A search whose last place failed.
  package init(_ error: TransportError, at place: Endpoint) {
    reason = .searchFailed
    message = error.message
    self.place = (place, error)
  }

  /// A search that was over in time.
  ///
  /// - Parameters:
  ///   - places: where it looked.
  ///   - bound: for how long.
  package init(
    _ chooser: KioskChooser, near: SignalStrength?, at places: [Endpoint], insideTLS: Bool, after bound: Duration
  ) {
    let seconds = bound.components.seconds
    let time = seconds == 1 ? "one second" : "\(seconds) seconds"
    let search = "in \(time) at \(places.map(\.description).sorted().inWords)"
    if let label = chooser.candidates.labels.first, let near {
      guard let heard = chooser.candidates[0].signal?.decibelMilliwatts else {
        self.init(
          .notNear,
          "\(label) was heard, and this system does not tell how strongly: so --near can find nobody here. Leave it out."
        )
        return
      }
      self.init(
        .notNear,
        "No kiosk came near \(search): the strongest, \(label), was heard with \(heard) dBm, and "
          + "\(near.decibelMilliwatts) dBm is wanted. Go closer, or say --near with a lower number.")
      return
    }
    guard chooser.wantingTLS == 0 else {
      self.init(
        .notFound,
        "No kiosk of this event was found \(search) that takes a phone without a certificate. One that wants TLS was: "
          + "say --container and its file.")
      return
    }
    let strangers =
      switch chooser.strangers {
      case 0: ""
      case 1: " One kiosk of another event was."
      default: " \(chooser.strangers) kiosks of other events were."
      }
    let without = insideTLS ? " Kiosks without TLS do not count, as this phone has a container." : ""
    self.init(
      .notFound,
      "No kiosk of this event was found \(search).\(strangers)\(without) Is the kiosk running with --advertise, and in "
        + "reach?")
  }

  /// A choice among several that nobody makes.
  package init(among kiosks: [NearbyKiosks.Kiosk]) {
    self.init(
      .several,
      "\(kiosks.count) kiosks are here: \(kiosks.labels.inWords). Say --near to take the one that is near, or --connect "
        + "and the address of one.")
  }
}

extension ExampleError {
  /// A search that found no kiosk to dial.
  init(_ failure: KioskSearchFailure) {
    if let (_, error) = failure.place {
      self.init(error)
    } else {
      self.init(.unavailable, failure.message)
    }
  }
}
