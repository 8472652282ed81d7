internal import CheckIn
internal import CheckInCore
internal import Synchronization

/// Hears from the kiosk where it listens, and passes everything on.
struct ListeningPlace: KioskObserver {
  private let next: any KioskObserver
  private let places = AsyncStream.makeStream(of: Endpoint.self)

  /// Passes everything on to `next`.
  init(then next: any KioskObserver) {
    self.next = next
  }

  /// Waits until the kiosk listens; nil when it never will.
  func endpoint() async -> Endpoint? {
    for await place in places.stream {
      return place
    }
    return nil
  }

  /// There will be no place.
  func fail() {
    places.continuation.finish()
  }

  /// Takes a report.
  func observe(_ report: KioskReport, at time: WallTime) {
    next.observe(report, at: time)
    if case .listening(let endpoint) = report { places.continuation.yield(endpoint) }
  }
}
