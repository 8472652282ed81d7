/// Looks for kiosks in several places at once.
public enum KioskSearch {
  /// What a search finds.
  public enum Event: Sendable {
    /// A place is looked at: the one that was asked for, and where that is now; see ``Browser/placeNow``.
    case began(Endpoint, now: Endpoint)
    /// A kiosk was heard.
    case sighting(Sighting)
    /// Some time has passed; comes several times a second.
    case tick(ContinuousClock.Instant)
    /// A place cannot be looked at, or not any more. The others go on.
    case failed(Endpoint, TransportError)
  }

  /// How often ``Event/tick(_:)`` comes.
  public static let pace = Duration.milliseconds(200)
  /// How many events wait for a slow reader; of more the oldest are dropped.
  static let mostWaiting = 256

  /// Looks for kiosks at all places while `body` runs; when it returns every browser has been stopped.
  ///
  /// The events end when the task is cancelled. A place that fails is an event; where no place is left they go on with
  /// ticks, so that it is `body` who decides.
  public static func run<Result: Sendable>(
    at places: [Endpoint], over registry: TransportRegistry,
    _ body: @escaping @Sendable (AsyncStream<Event>) async -> Result
  ) async -> Result {
    let (events, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(mostWaiting))
    return await withTaskGroup(of: Result?.self) { group in
      for place in places {
        group.addTask {
          await browse(at: place, over: registry, to: continuation)
          return nil
        }
      }
      group.addTask {
        while (try? await Task.sleep(for: pace)) != nil { continuation.yield(.tick(.now)) }
        continuation.finish()
        return nil
      }
      group.addTask { await body(events) }
      var result: Result?
      for await ended in group {
        guard let ended else { continue }
        result = ended
        group.cancelAll()
      }
      guard let result else { preconditionFailure("the body always ends with a result") }
      return result
    }
  }

  private static func browse(
    at place: Endpoint, over registry: TransportRegistry, to events: AsyncStream<Event>.Continuation
  ) async {
    do throws(TransportError) {
      let browser = try await registry.browse(at: place)
      events.yield(.began(place, now: browser.placeNow))
      do throws(TransportError) {
        while true { events.yield(.sighting(try await browser.next(before: nil))) }
      } catch {
        await browser.stop()
        throw error
      }
    } catch {
      guard error.code != .cancelled else { return }
      events.yield(.failed(place, error))
    }
  }
}
