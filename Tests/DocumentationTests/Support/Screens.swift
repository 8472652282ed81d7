internal import CheckIn
internal import CheckInCore

/// A kiosk's screen that hands on what it shows.
struct KioskScreen: KioskDisplay {
  let views: AsyncStream<KioskView>
  private let shown: AsyncStream<KioskView>.Continuation

  init() {
    (views, shown) = AsyncStream.makeStream()
  }

  func show(_ view: KioskView) {
    shown.yield(view)
  }

  /// Types the PIN as soon as the screen greets somebody of this name: before, digits would be another's.
  func type(_ pin: PIN, of name: String, at kiosk: Kiosk) async {
    for await view in views {
      guard case .greeting(let greeting) = view, greeting.name == name else { continue }
      for digit in pin.digits { kiosk.press(.digit(digit - 48)) }
      return
    }
  }
}

/// A phone's screen that hands on what it shows, up to the outcome.
struct PhoneScreen: AttendeeDisplay {
  let views: AsyncStream<AttendeeView>
  private let shown: AsyncStream<AttendeeView>.Continuation

  init() {
    (views, shown) = AsyncStream.makeStream()
  }

  func show(_ view: AttendeeView) {
    shown.yield(view)
    if case .outcome = view { shown.finish() }
  }
}

/// A kiosk's log that says where the kiosk listens, as soon as it does.
struct ListeningLog: KioskObserver {
  private let endpoints: AsyncStream<Endpoint>
  private let heard: AsyncStream<Endpoint>.Continuation

  init() {
    (endpoints, heard) = AsyncStream.makeStream()
  }

  func observe(_ report: KioskReport, at time: WallTime) {
    if case .listening(let endpoint) = report { heard.yield(endpoint) }
  }

  /// The first place where it listens; nil when the waiting task was cancelled.
  func endpoint() async -> Endpoint? {
    for await endpoint in endpoints { return endpoint }
    return nil
  }
}
