internal import InMemoryTransport
internal import Testing
internal import TransportConformance

@Suite("Reports")
struct ReportTests {
  private static func check(_ id: String) throws -> ConformanceCheck {
    try #require(ConformanceSuite.checks.first { $0.id == id })
  }

  private static func report(expected: Set<String> = []) throws -> ConformanceReport {
    let failure = ConformanceFailure(expected: "a < b", happened: "\"b\" & \u{1}", place: "File.swift:1")
    return ConformanceReport(
      subject: "memory://<lobby>", capabilities: ["half-close"],
      results: [
        ConformanceResult(check: try check("C1-exchange"), outcome: .passed, duration: .milliseconds(5)),
        ConformanceResult(
          check: try check("C7-last-bytes"), outcome: .failed([failure]), duration: .milliseconds(1_234)),
        ConformanceResult(
          check: try check("T12-connection-limit"), outcome: .skipped(.connectionLimit), duration: .zero),
      ], expectedFailures: ExpectedFailures(ids: expected))
  }

  @Test("a failure that nobody expected makes it bad")
  func unexpectedFailure() throws {
    let report = try Self.report()
    #expect(!report.isGood)
    #expect(report.summary == "1 passed, 1 failed, 1 skipped")
  }

  @Test("a failure that was expected does not")
  func expectedFailure() throws {
    let report = try Self.report(expected: ["C7-last-bytes"])
    #expect(report.isGood)
    #expect(report.summary == "1 passed, 1 failed as expected, 1 skipped")
  }

  @Test("a pass that was expected to fail makes it bad")
  func unexpectedPass() throws {
    let report = try Self.report(expected: ["C7-last-bytes", "C1-exchange"])
    #expect(!report.isGood)
    #expect(report.summary == "0 passed, 1 failed as expected, 1 passed unexpectedly, 1 skipped")
  }

  @Test("nothing that ran is no success")
  func nothingRan() throws {
    let skipped = ConformanceResult(
      check: try Self.check("T12-connection-limit"), outcome: .skipped(.connectionLimit), duration: .zero)
    let report = ConformanceReport(subject: "x", capabilities: [], results: [skipped])
    #expect(!report.isGood)
    #expect(report.summary == "0 passed, 1 skipped: nothing was run")
  }

  @Test("a run that was stopped is no success, and says how far it came")
  func stopped() throws {
    let passed = ConformanceResult(check: try Self.check("C1-exchange"), outcome: .passed, duration: .zero)
    let report = ConformanceReport(subject: "x", capabilities: [], results: [passed], planned: 3)
    #expect(!report.isGood && report.isStopped)
    #expect(report.summary == "stopped after 1 of 3 checks: 1 passed")
    #expect(ConformanceReport(subject: "x", capabilities: [], results: [passed], planned: 1).isGood)
  }

  @Test("a check that is expected to fail and was not run is named")
  func expectedAndNotRun() throws {
    let report = try Self.report(expected: ["C7-last-bytes", "T12-connection-limit", "C1-rounds"])
    #expect(report.expectedAndNotRun == ["C1-rounds", "T12-connection-limit"])
    #expect(try Self.report(expected: ["C7-last-bytes"]).expectedAndNotRun == [])
  }

  @Test("JUnit has each case once, counts them, and escapes what XML cannot hold")
  func junit() throws {
    let xml = try Self.report().junit
    #expect(xml.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
    #expect(xml.contains("<testsuites tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"1.239\">"))
    #expect(
      xml.contains(
        "<testsuite name=\"memory://&lt;lobby&gt;\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"1.239\">"
      ))
    #expect(xml.contains("<testcase classname=\"C1\" name=\"C1-exchange\" time=\"0.005\"/>"))
    #expect(xml.contains("expected a &lt; b; &quot;b&quot; &amp; \u{fffd}"))
    #expect(xml.contains("<skipped message=\"T12-connection-limit was skipped: it needs a limit of open connections"))
    #expect(!xml.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test("a failure says what was expected, what happened, where, and what the requirement is")
  func describesFailure() throws {
    let text = try Self.report().results[1].description
    #expect(text.contains("expected: a < b") && text.contains("File.swift:1"))
    #expect(text.contains("C7: close delivers what was sent"))
  }

  @Test("the list of expected failures has remarks, and names only what there is")
  func readsExpectedFailures() throws {
    let list = try ExpectedFailures(text: "# on its way\n\nC7-last-bytes # L2CAP loses it\n  C1-exchange\n")
    #expect(list.ids == ["C7-last-bytes", "C1-exchange"])
    #expect(throws: ExpectedFailures.LineError(line: 1, text: "C7-lost-bytes")) {
      try ExpectedFailures(text: "C7-lost-bytes")
    }
    #expect(throws: ExpectedFailures.LineError(line: 3, text: "C7-last-bytes C1-exchange")) {
      try ExpectedFailures(text: "# remark\r\n\nC7-last-bytes C1-exchange")
    }
    // Of a requirement one check is named, and not the requirement.
    #expect("\(ExpectedFailures.LineError(line: 2, text: "C1"))".contains("such as C1-"))
  }

  @Test("checks are chosen by name and by requirement")
  func chooses() throws {
    #expect(try ConformanceSuite.checks(only: ["C7-last-bytes"]).map(\.id) == ["C7-last-bytes"])
    let seventh = try ConformanceSuite.checks(only: ["C7"])
    #expect(seventh.count > 5 && seventh.allSatisfy { $0.requirements.contains { $0.id == "C7" } })
    #expect(try ConformanceSuite.checks(skipping: ["C7"]).count == ConformanceSuite.checks.count - seventh.count)
    #expect(try ConformanceSuite.checks().count == ConformanceSuite.checks.count)
    for name in ["", "C", "C77", "C7-las"] {
      #expect(throws: ConformanceSelectionError(name: name)) { try ConformanceSuite.checks(only: [name]) }
    }
  }

  @Test("a run reports each result in order, and ends the subject once")
  func runs() async throws {
    let ends = Shared(0)
    var subject = ConformanceSubject(InMemoryTransport(), addresses: .names(scheme: "memory"), queueBound: 300)
    subject.end = { _ = ends.next() }
    let checks = try ConformanceSuite.checks(only: ["C1-exchange", "T12", "T1-scheme"])
    var reported: [String] = []
    let results = await ConformanceSuite.run(checks, on: subject) { reported.append($0.check.id) }
    #expect(reported == checks.map(\.id) && results.map(\.check.id) == reported)
    #expect(results.compactMap(\.skipReason).count == 1)
    #expect(ends.value == 1)
  }

  @Test("speed is measured")
  func measures() async throws {
    let subject = ConformanceSubject(InMemoryTransport(), addresses: .names(scheme: "memory"))
    let speed = try #require(await ConformanceSpeed.measured(on: subject, time: .milliseconds(30)))
    #expect(speed.roundTripsPerSecond > 1 && speed.bytesPerSecond > 1)
  }
}
