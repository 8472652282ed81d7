/// A transport whose listeners can be found by whoever is near: it advertises and browses.
///
/// It declares ``TransportCapabilities/discovery``, and a transport that declares it is one of these. The rules for those
/// who write one, besides those of ``Advertiser`` and ``Browser``:
///
/// - **V1** Both calls refuse an endpoint of another scheme with ``TransportError/Code/unsupported``, and one that cannot be
///   read with ``TransportError/Code/addressMalformed``.
/// - **V2** A name of any length and any characters can be advertised; what does not fit is cut off between two characters.
/// - **V3** Where the system does not permit it the calls throw ``TransportError/Code/permissionDenied``; where what it
///   takes is absent or switched off, ``TransportError/Code/addressUnavailable``.
/// - **V4** Both calls end in bounded time, soon after their task is cancelled too, and leave nothing behind then.
/// - **V5** No call blocks its thread.
public protocol DiscoverableTransport: Transport {
  /// Where this transport browses when nobody says where.
  var browsingPlace: Endpoint { get }

  /// Tells whoever is near of a listener. Returns when the advertisement is out.
  ///
  /// - Parameters:
  ///   - advertisement: what to tell.
  ///   - endpoint: the listener's own endpoint, which is a real one, never zero.
  /// - Throws: as V1, V3 and V4 say; ``TransportError/Code/addressInUse`` when that listener is advertised already.
  func advertise(_ advertisement: Advertisement, at endpoint: Endpoint) async throws(TransportError) -> any Advertiser

  /// Looks for kiosks.
  ///
  /// - Parameter place: where, such as which controller; the address of a listener is not needed.
  /// - Throws: as V1, V3 and V4 say.
  func browse(at place: Endpoint) async throws(TransportError) -> any Browser
}

/// An advertisement that is out.
///
/// - **A1** From ``DiscoverableTransport/advertise(_:at:)`` on a browser near finds the listener, with an endpoint that it
///   can dial, the name (V2), the event, and whether it speaks TLS.
/// - **A2** It goes on, whoever connects to the listener and however often.
/// - **A3** ``stop()`` ends it; it may be called often and from many tasks. When it returns no browser hears it any more.
/// - **A4** ``ended()`` returns after ``stop()``, and throws when the advertisement ends by itself: a controller that is
///   unplugged, a listener that was closed; later calls say the same. Many tasks may wait in it; a cancelled one throws
///   ``TransportError/Code/cancelled`` and ends nothing.
/// - **A5** An advertiser that is dropped without ``stop()`` is stopped soon.
public protocol Advertiser: AnyObject, Sendable {
  /// The listener's endpoint.
  var endpoint: Endpoint { get }

  /// Waits until the advertisement is out no more.
  func ended() async throws(TransportError)

  /// Takes the advertisement back.
  func stop() async
}

/// A look-out for kiosks.
///
/// - **B1** ``next(before:)`` gives every kiosk near that is advertised, also one that began before, and gives it again as
///   long as it is heard, so that those who count can tell when it is gone.
/// - **B2** A sighting is never older than the last one of the same kiosk, and memory stays bounded when nobody asks: of
///   each kiosk the newest counts, and of very many kiosks some are left out.
/// - **B3** What is not a kiosk's advertisement, whoever sends it, gives no sighting, no error and no end.
/// - **B4** A wait that is cancelled or passes its deadline throws ``TransportError/Code/cancelled`` or
///   ``TransportError/Code/timedOut``, and the browser still works.
/// - **B5** ``stop()`` ends the waiting and every later ``next(before:)`` with ``TransportError/Code/closed``; it may be
///   called often and from many tasks.
/// - **B6** Where the browser itself fails, such as a controller that is unplugged, ``next(before:)`` says so, now and at
///   each later call.
/// - **B7** Browsers do not touch each other: each hears every kiosk.
/// - **B8** A browser that is dropped without ``stop()`` is stopped soon.
public protocol Browser: AnyObject, Sendable {
  /// Where it looks, as it was asked for.
  var place: Endpoint { get }
  /// Where it looks now, for people: ``place``, or what stands for it, such as the first controller's own address.
  var placeNow: Endpoint { get }

  /// Waits for the next sighting.
  ///
  /// - Precondition: no other task is in this call.
  func next(before deadline: Deadline?) async throws(TransportError) -> Sighting

  /// Stops looking.
  func stop() async
}

extension Browser {
  /// The place that was asked for.
  public var placeNow: Endpoint { place }
}
