internal import CheckIn
internal import CheckInCore

extension ConformanceSuite {
  /// The checks of discovery, for transports that declare it. Both the listener and the look-out are this process's. They are
  /// a list of their own because what they hear has to be theirs: nobody else may advertise where they look.
  public static let discoveryChecks: [ConformanceCheck] = [
    discovery("V1-other-scheme", "Advertising and looking refuse an endpoint of another scheme.") { run, transport in
      let listener = try await run.listen()
      let other = Endpoint(scheme: "x" + transport.scheme, address: listener.endpoint.address)
      await run.expectError(.unsupported, from: "advertising at another scheme") {
        try await transport.advertise(run.advertisement, at: other)
      }
      await run.expectError(.unsupported, from: "looking at another scheme") { try await transport.browse(at: other) }
    },
    discovery(
      "V1-malformed", "Advertising and looking refuse an address that cannot be read.", needs: [.malformedAddresses]
    ) { run, transport in
      for endpoint in run.subject.addresses.malformed {
        await run.expectError(.addressMalformed, from: "advertising at “\(endpoint.address.prefix(40))”") {
          try await transport.advertise(run.advertisement, at: endpoint)
        }
        guard endpoint != transport.browsingPlace else { continue }
        await run.expectError(.addressMalformed, from: "looking at “\(endpoint.address.prefix(40))”") {
          try await transport.browse(at: endpoint)
        }
      }
    },
    discovery("V2-names", "Names of any length and any characters can be advertised, and are cut at most.") {
      run, transport in
      let listener = try await run.listen()
      for name in ["", "Hall A", String(repeating: "long ", count: 200), "Grüße 世界 🎟 \u{7}\u{0}!", "e\u{301}"] {
        let advertiser = try await run.advertise(
          listener, as: Advertisement(kiosk: name, event: run.advertisement.event))
        let browser = try await run.browse()
        var sighting = try await run.next(browser, "a kiosk with the name “\(name.prefix(20))”")
        // The name may come later than the rest, and a system may know another one from earlier until then; where there is
        // none, for ever.
        for _ in 0..<20 where !name.visible.isEmpty && sighting.kiosk?.isBeginning(of: name) != true {
          sighting = try await run.next(browser, "the name “\(name.prefix(20))”")
        }
        run.expect(
          name.visible.isEmpty || sighting.kiosk?.isBeginning(of: name) == true,
          "the name that is advertised, or its beginning", "it is “\(sighting.kiosk?.prefix(80), default: "nil")”")
        await browser.stop()
        await advertiser.stop()
      }
    },
    discovery("V4-cancelled", "A cancelled call throws cancelled, and leaves nothing behind.") { run, transport in
      let listener = try await run.listen()
      let (advertisement, place) = (run.advertisement, run.place)
      for _ in 0..<3 {
        let advertising = await run.alreadyCancelled("advertising in a cancelled task") {
          try await transport.advertise(advertisement, at: listener.endpoint)
        }
        if let advertising { run.expect(advertising, fails: [.cancelled], "advertising in a cancelled task") }
        let looking = await run.alreadyCancelled("looking in a cancelled task") {
          try await transport.browse(at: place)
        }
        if let looking { run.expect(looking, fails: [.cancelled], "looking in a cancelled task") }
      }
      try await run.expectSilence("after advertising was cancelled")
      _ = try await run.advertise(listener)
      _ = try await run.next(run.browse(), "a kiosk that was advertised after that was cancelled")
    },
    discovery("A1-found", "A kiosk is found with its name and event, and can be dialled where it was found.") {
      run, transport in
      let listener = try await run.listen()
      let advertiser = try await run.advertise(listener)
      run.expect(advertiser.endpoint == listener.endpoint, "the listener’s endpoint", "it is \(advertiser.endpoint)")
      let browser = try await run.browse()
      run.expect(browser.place == run.place, "the place that was asked for", "it is \(browser.place)")
      let sighting = try await run.named(browser)
      run.expect(sighting.kiosk == run.advertisement.kiosk, "the kiosk’s name", "\(sighting.kiosk, default: "nil")")
      run.expect(sighting.event == run.advertisement.event, "the kiosk’s event", sighting.event.text)
      await browser.stop()
      try await run.exchange(found: sighting, at: listener)
    },
    discovery(
      "A1-tls", "What is advertised of TLS is heard, so that nobody dials without it.", needs: [.absence(.secure)]
    ) { run, transport in
      let listener = try await run.listen()
      for carriesTLS in [true, false] {
        var advertisement = run.advertisement
        advertisement.carriesTLS = carriesTLS
        let advertiser = try await run.advertise(listener, as: advertisement)
        let browser = try await run.browse()
        let sighting = try await run.next(browser, "a kiosk \(carriesTLS ? "with" : "without") TLS")
        run.expect(sighting.needsTLS == carriesTLS, "needsTLS \(carriesTLS)", "it is \(sighting.needsTLS)")
        await browser.stop()
        await advertiser.stop()
      }
    },
    discovery("A2-after-connections", "A kiosk is found again after each connection.") { run, transport in
      let listener = try await run.listen()
      _ = try await run.advertise(listener)
      for round in 1...3 {
        let browser = try await run.browse()
        let sighting = try await run.next(browser, "the kiosk, after \(round - 1) connections")
        await browser.stop()
        try await run.exchange(found: sighting, at: listener)
      }
    },
    discovery("A3-stopped", "A kiosk that stopped advertising is heard no more.") { run, transport in
      let listener = try await run.listen()
      let advertiser = try await run.advertise(listener)
      _ = try await run.next(run.browse(), "the kiosk")
      try await run.value(of: "stopping an advertiser") { await advertiser.stop() }
      try await run.expectSilence("after stop")
    },
    discovery("A3-often", "stop of an advertiser may be called often, and from many tasks.") { run, transport in
      let listener = try await run.listen()
      let advertiser = try await run.advertise(listener)
      try await run.value(of: "stopping an advertiser from many tasks") {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await advertiser.stop() } }
        }
        await advertiser.stop()
      }
      // And can be advertised anew.
      _ = try await run.advertise(listener)
      _ = try await run.next(run.browse(), "a kiosk that is advertised anew")
    },
    discovery("A4-ended", "Many tasks may wait for the end, and stop returns all of them, now and later.") {
      run, transport in
      let advertiser = try await run.advertise(run.listen())
      var waiting: [Task<Void, any Error>] = []
      for _ in 0..<4 { waiting.append(await run.begun { try await advertiser.ended() }) }
      await advertiser.stop()
      for task in waiting { try await run.value(of: task, "a wait for the end, after stop") }
      try await run.value(of: "a later wait for the end") { try await advertiser.ended() }
    },
    discovery("A4-cancelled", "A cancelled wait for the end throws cancelled, and ends nothing.") { run, transport in
      let listener = try await run.listen()
      let advertiser = try await run.advertise(listener)
      let waiting = await run.begun { try await advertiser.ended() }
      waiting.cancel()
      if let result = await run.outcome(of: waiting, "a cancelled wait for the end") {
        run.expect(result, fails: [.cancelled], "a cancelled wait for the end")
      }
      _ = try await run.next(run.browse(), "the kiosk, after a wait for its end was cancelled")
    },
    discovery("A4-listener", "An advertisement ends by itself, and says so, when its listener is closed.") {
      run, transport in
      let listener = try await run.listen()
      let advertiser = try await run.advertise(listener)
      _ = try await run.next(run.browse(), "the kiosk")
      let waiting = await run.begun { try await advertiser.ended() }
      try await run.value(of: "closing a listener that is advertised") { await listener.close() }
      let what = "a wait for the end, when the listener is closed"
      if case .success = await run.outcome(of: waiting, what) {
        run.record(expected: "an error from \(what)", happened: "it returned, as if it had been stopped")
      }
      try await run.expectSilence("after the listener was closed")
    },
    discovery("A5-dropped", "An advertiser that is dropped is stopped soon.") { run, transport in
      let listener = try await run.listen()
      do {
        _ = try await run.advertise(listener, isKept: false)
      }
      try await run.eventually("a dropped advertiser is heard no more") {
        (try? await run.expectSilence("after it was dropped", records: false)) != nil
      }
    },
    discovery(
      "B1-again", "Kiosks that began before and after are heard, again and again, and never older.", also: ["B2"]
    ) {
      run, transport in
      let (first, second) = (try await run.listen(), try await run.listen())
      _ = try await run.advertise(first)
      let browser = try await run.browse()
      _ = try await run.next(browser, "a kiosk that began before")
      _ = try await run.advertise(second, as: Advertisement(kiosk: "Second", event: ShortEventID(rawValue: 2)))
      var heard: [ShortEventID: [ContinuousClock.Instant]] = [:]
      while heard.count < 2 || heard.values.contains(where: { $0.count < 3 }) {
        let sighting = try await run.next(browser, "each of two kiosks three times")
        heard[sighting.event, default: []].append(sighting.time)
      }
      for times in heard.values { run.expect(times == times.sorted(), "sightings that grow no older") }
    },
    discovery("B4-deadline", "A look-out whose deadline passes, or is past, says so and works on.") { run, transport in
      let browser = try await run.browse()
      for time in [Duration.zero, .milliseconds(-1), .milliseconds(20)] {
        await run.expectError(.timedOut, from: "looking where nobody is, with a deadline") {
          try await browser.next(before: run.after(time))
        }
      }
      _ = try await run.advertise(run.listen())
      _ = try await run.next(browser, "a kiosk, after deadlines passed")
    },
    discovery("B4-cancelled", "A look-out that is cancelled says so and works on.") { run, transport in
      let browser = try await run.browse()
      for _ in 0..<3 {
        let waiting = await run.begun { try await browser.next(before: nil) }
        waiting.cancel()
        if let result = await run.outcome(of: waiting, "a cancelled look-out") {
          run.expect(result, fails: [.cancelled], "a cancelled look-out")
        }
      }
      _ = try await run.advertise(run.listen())
      _ = try await run.next(browser, "a kiosk, after a look-out was cancelled")
    },
    discovery("B5-stop", "stop of a look-out wakes the one that waits, with closed, and may be called often.") {
      run, transport in
      let browser = try await run.browse()
      let waiting = await run.begun { try await browser.next(before: nil) }
      try await run.value(of: "stopping a look-out from many tasks") {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await browser.stop() } }
        }
      }
      if let result = await run.outcome(of: waiting, "a look-out that waits when it is stopped") {
        run.expect(result, fails: [.closed], "a look-out that waits when it is stopped")
      }
      for _ in 0..<2 {
        await run.expectError(.closed, from: "looking after stop") { try await browser.next(before: run.deadline) }
      }
    },
    discovery("B7-together", "Look-outs do not touch each other: each hears the kiosk, also when another stops.") {
      run, transport in
      _ = try await run.advertise(run.listen())
      let (first, second) = (try await run.browse(), try await run.browse())
      _ = try await run.next(first, "the kiosk, by the first look-out")
      _ = try await run.next(second, "the kiosk, by the second look-out")
      await first.stop()
      for _ in 0..<2 { _ = try await run.next(second, "the kiosk, after the other look-out was stopped") }
    },
    discovery("B8-dropped", "Look-outs that are dropped leave nothing open.") { run, transport in
      do { _ = try await run.browse(isKept: false) }
      let before = run.subject.openResources()
      for _ in 0..<16 { _ = try await run.browse(isKept: false) }
      try await run.eventually("the resources of dropped look-outs are freed") {
        run.subject.openResources() <= before
      }
    },
  ]

  private static func discovery(
    _ id: String, _ title: String, also others: [String] = [], needs: [ConformanceNeed] = [],
    _ body: @escaping @Sendable (ConformanceRun, any DiscoverableTransport) async throws -> Void
  ) -> ConformanceCheck {
    ConformanceCheck(id, title, also: others, needs: [.capability(.discovery)] + needs, bound: .seconds(40)) { run in
      guard let transport = run.subject.transport as? any DiscoverableTransport else {
        run.record(
          expected: "a DiscoverableTransport, as the capability discovery promises", happened: "it is none")
        return
      }
      try await body(run, transport)
    }
  }
}

extension String {
  /// What is left without control characters.
  fileprivate var visible: String.UnicodeScalarView {
    String.UnicodeScalarView(unicodeScalars.filter { !($0.value < 0x20 || (0x7f...0x9f).contains($0.value)) })
  }

  /// Whether this is the text, or what is left of it without control characters and cut off between two characters, with
  /// or without a sign that there was more.
  fileprivate func isBeginning(of text: String) -> Bool {
    guard !isEmpty else { return false }
    let heard = hasSuffix("…") && !text.hasPrefix(self) ? String(dropLast()) : self
    return text.hasPrefix(heard) || text.visible.starts(with: heard.unicodeScalars)
  }
}
