internal import CheckInCore

/// Listeners that are served together: takes connections at each of them, and goes on after a failure to accept.
///
/// For whatever serves connections, such as ``Kiosk``. It knows nothing of what is said on them.
package struct ListenerGroup: Sendable {
  /// What goes wrong at a listener.
  package enum Trouble: Sendable {
    /// It failed to accept. It is asked again soon.
    case acceptFailed(Endpoint, TransportError)
    /// It ended by itself, after many failures. The others go on.
    case listenerFailed(Endpoint, TransportError)
  }

  /// How many failures to accept, one after the other, end a listener. The pauses between them grow to a second.
  private static let attempts = 12

  private let listeners: [any Listener]
  private let clock: any CheckInClock

  /// Listens at every endpoint, by the transport that `transport` finds for it. Where one fails, those before it are closed.
  package init(
    at endpoints: [Endpoint], clock: any CheckInClock, transport: (Endpoint) throws(CheckInError) -> any Transport
  ) async throws(CheckInError) {
    self.clock = clock
    var listeners: [any Listener] = []
    do throws(CheckInError) {
      for endpoint in endpoints {
        let transport = try transport(endpoint)
        do throws(TransportError) {
          listeners.append(try await transport.listen(on: endpoint))
        } catch {
          throw .transport(error)
        }
      }
    } catch {
      await ListenerGroup.close(listeners)
      throw error
    }
    self.listeners = listeners
  }

  /// Where they listen, in the order in which they were asked for.
  package var endpoints: [Endpoint] { listeners.map(\.endpoint) }

  /// Stops listening. It may be called often.
  package func close() async {
    await ListenerGroup.close(listeners)
  }

  /// Hands each connection to `serve`, in a task of its own that runs where the connection lives. Returns when every listener
  /// has ended and every connection was served: with the last failure when all ended by themselves.
  package func run(
    report: @escaping @Sendable (Trouble) -> Void, serve: @escaping @Sendable (any Connection) async -> Void
  ) async -> TransportError? {
    await withTaskGroup(of: TransportError?.self) { group in
      for listener in listeners {
        group.addTask { await run(listener, report, serve) }
      }
      var failures: [TransportError] = []
      for await failure in group {
        if let failure { failures.append(failure) }
      }
      return failures.count == listeners.count ? failures.last : nil
    }
  }

  /// Serves a listener until it is closed. One failure to accept does not end it; many in a row do.
  private func run(
    _ listener: any Listener, _ report: @Sendable (Trouble) -> Void,
    _ serve: @escaping @Sendable (any Connection) async -> Void
  ) async -> TransportError? {
    let sessions = TaskCrowd()
    return await withTaskCancellationHandler {
      let failure = await accept(at: listener, report) { connection in
        sessions.add(on: connection.executor) { await serve(connection) }
      }
      await sessions.ended()
      return failure
    } onCancel: {
      sessions.cancel()
    }
  }

  private func accept(
    at listener: any Listener, _ report: @Sendable (Trouble) -> Void, _ take: (any Connection) -> Void
  ) async -> TransportError? {
    var failures = 0
    while true {
      do throws(TransportError) {
        take(try await listener.accept())
        failures = 0
      } catch {
        guard error.code != .closed, error.code != .cancelled else { return nil }
        failures += 1
        guard failures < ListenerGroup.attempts else {
          report(.listenerFailed(listener.endpoint, error))
          return error
        }
        report(.acceptFailed(listener.endpoint, error))
        let pause = Duration.milliseconds(min(1000, 5 << failures))
        do throws(CancellationError) {
          try await clock.sleep(until: clock.now.monotonic + pause)
        } catch {
          return nil
        }
      }
    }
  }

  private static func close(_ listeners: [any Listener]) async {
    for listener in listeners {
      await listener.close()
    }
  }
}
