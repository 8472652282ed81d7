internal import CheckIn
internal import CheckInCore

extension ConformanceRun {
  /// What the checks advertise.
  var advertisement: Advertisement { Advertisement(kiosk: "Hall A", event: ShortEventID(rawValue: 0xc0ff_ee01)) }

  /// Where the checks look.
  var place: Endpoint {
    subject.browsingPlace
      ?? (subject.transport as? any DiscoverableTransport)?.browsingPlace
      ?? Endpoint(scheme: subject.transport.scheme, address: "")
  }

  private var discoverable: any DiscoverableTransport {
    get throws {
      guard let transport = subject.transport as? any DiscoverableTransport else { throw Stop() }
      return transport
    }
  }

  /// - Parameter isKept: whether it is stopped at the check's end, and lives until then.
  func advertise(
    _ listener: any Listener, as advertisement: Advertisement? = nil, isKept: Bool = true, file: String = #fileID,
    line: Int = #line
  ) async throws -> any Advertiser {
    let (transport, content) = (try discoverable, advertisement ?? self.advertisement)
    let advertiser = try await value(of: "advertising \(listener.endpoint)", file: file, line: line) {
      try await transport.advertise(content, at: listener.endpoint)
    }
    if isKept { atEnd { await advertiser.stop() } }
    return advertiser
  }

  /// - Parameter isKept: whether it is stopped at the check's end, and lives until then.
  func browse(isKept: Bool = true, file: String = #fileID, line: Int = #line) async throws -> any Browser {
    let (transport, place) = (try discoverable, place)
    let browser = try await value(of: "looking at \(place)", file: file, line: line) {
      try await transport.browse(at: place)
    }
    if isKept { atEnd { await browser.stop() } }
    return browser
  }

  /// The next sighting; `what` says of whom.
  func next(
    _ browser: any Browser, _ what: String, file: String = #fileID, line: Int = #line
  ) async throws -> Sighting {
    let deadline = deadline
    return try await value(of: "hearing \(what)", file: file, line: line) { try await browser.next(before: deadline) }
  }

  /// A sighting with a name, which may come later than the first.
  func named(_ browser: any Browser, file: String = #fileID, line: Int = #line) async throws -> Sighting {
    var sighting = try await next(browser, "the kiosk", file: file, line: line)
    for _ in 0..<20 where sighting.kiosk == nil {
      sighting = try await next(browser, "the kiosk’s name", file: file, line: line)
    }
    return sighting
  }

  /// A new look-out hears nobody for a while.
  ///
  /// - Throws: when it does.
  func expectSilence(
    _ when: String, records: Bool = true, file: String = #fileID, line: Int = #line
  ) async throws {
    let browser = try await browse(file: file, line: line)
    let end = after(.milliseconds(300))
    let result = await outcome(of: "looking \(when)", file: file, line: line) { try await browser.next(before: end) }
    await browser.stop()
    guard case .success(let sighting) = result else { return }
    if records {
      record(expected: "nobody is heard \(when)", happened: "\(sighting.endpoint) was", file: file, line: line)
    }
    throw Stop()
  }

  /// The condition holds in time.
  func eventually(
    _ what: String, file: String = #fileID, line: Int = #line, _ condition: () async -> Bool
  ) async throws {
    let deadline = deadline
    while !(await condition()) {
      try require(ContinuousClock.now < deadline, "\(what), soon", "it does not", file: file, line: line)
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Who was found can be dialled there, and is the listener.
  func exchange(
    found sighting: Sighting, at listener: any Listener, file: String = #fileID, line: Int = #line
  ) async throws {
    let (transport, deadline) = (transport, deadline)
    let near = try await value(of: "dialling \(sighting.endpoint), which was found", file: file, line: line) {
      try await transport.connect(to: sighting.endpoint, before: deadline)
    }
    keep(near)
    let pair = Pair(near: near, far: try await accept(listener, file: file, line: line), listener: listener)
    try await exchange(pair, "with a kiosk that was found", file: file, line: line)
    try await closeEnds(pair, file: file, line: line)
  }
}
