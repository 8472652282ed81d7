internal import CheckIn
internal import CheckInCore

/// Advertises by bluetoothd or without it, as is right at the time.
struct AdvertisingEitherWay: Sendable {
  /// Who does it.
  enum Way: Sendable {
    case kernel(KernelAdvertiser)
    case daemon(DaemonAdvertising)
  }

  /// How often in a row bluetoothd may go away while an advertisement begins.
  private static let mostBeginnings = 5

  let content: BluetoothAdvertisement
  let endpoint: Endpoint
  let place: L2CAPEndpoint.Place
  let discovery: BlueZDiscovery
  /// Nil where there is no message bus.
  var daemon: BluetoothDaemon?

  /// Puts the advertisement out.
  ///
  /// - Parameter isFollowing: it was out until now, so whoever switched the controller off did so by going away.
  mutating func begin(isFollowing: Bool = false) async throws(TransportError) -> Way {
    var beginnings = 0
    while let daemon, daemon.owner != nil {
      beginnings += 1
      do throws(TransportError) {
        return .daemon(try await begin(at: daemon, isFollowing: isFollowing))
      } catch {
        guard error.code == .lost, beginnings < Self.mostBeginnings else { throw error }
        try await awaitDaemon()
      }
    }
    return .kernel(
      try await discovery.advertiseByKernel(content, at: endpoint, place: place, isFollowing: isFollowing))
  }

  private func begin(
    at daemon: BluetoothDaemon, isFollowing: Bool
  ) async throws(TransportError) -> DaemonAdvertising {
    let adapter = try await discovery.prepare(
      place, needed: DaemonAdvertising.interface, at: daemon, isFollowing: isFollowing)
    daemon.read { adapter.event(of: $0) }
    let objects = KioskObjects(content) { [inbox = daemon.inbox] in inbox.put(.advertisementReleased) }
    let advertising = DaemonAdvertising(
      daemon: daemon, adapter: adapter, objects: objects, settings: discovery.settings)
    do throws(TransportError) {
      try await advertising.putOut()
    } catch {
      await advertising.takeBack()
      throw error
    }
    return advertising
  }

  /// Keeps it out until the task is cancelled, and takes it back then; answers why it ended by itself otherwise.
  mutating func keep(_ first: Way) async -> TransportError? {
    var way = first
    while true {
      let end: TransportError
      switch way {
      case .daemon(let advertising):
        end = await advertising.run()
        if end.code == .cancelled { await advertising.takeBack() }
      case .kernel(let advertiser):
        end = await KernelOrDaemon.wait(advertiser, daemon)
        await advertiser.stop()
      }
      guard end.code != .cancelled, !Task.isCancelled else {
        daemon?.close()
        return nil
      }
      guard end.code == .lost else {
        daemon?.close()
        return end
      }
      do throws(TransportError) {
        if daemon?.owner == nil { try await awaitDaemon() }
        way = try await begin(isFollowing: true)
      } catch {
        daemon?.close()
        return error.code == .cancelled ? nil : error
      }
    }
  }

  /// Gives a bluetoothd that is gone some time to begin anew.
  private mutating func awaitDaemon() async throws(TransportError) {
    guard let daemon else { return }
    self.daemon = try await discovery.awaitOwner(of: daemon)
  }
}

/// Waits while the kernel does it.
private enum KernelOrDaemon {
  /// Why the kernel's way ended; ``/CheckIn/TransportError/Code/lost`` when bluetoothd has begun.
  static func wait(_ advertiser: KernelAdvertiser, _ daemon: BluetoothDaemon?) async -> TransportError {
    await withTaskGroup(of: TransportError?.self) { group in
      group.addTask {
        do throws(TransportError) {
          try await advertiser.ended()
          return TransportError(.cancelled, "The advertisement was stopped.")
        } catch {
          return error
        }
      }
      if let daemon { group.addTask { await begins(daemon) } }
      var end: TransportError?
      while end == nil, let next = await group.next() { end = next }
      group.cancelAll()
      return end ?? TransportError(.cancelled, "The advertisement was stopped.")
    }
  }

  /// Waits until bluetoothd begins; nil when that will not be told.
  private static func begins(_ daemon: BluetoothDaemon) async -> TransportError? {
    while true {
      do throws(TransportError) {
        switch try await daemon.inbox.next(before: nil) {
        case .owner(.some): return .daemonGone
        case .busLost: return nil
        default: continue
        }
      } catch {
        return nil
      }
    }
  }
}
