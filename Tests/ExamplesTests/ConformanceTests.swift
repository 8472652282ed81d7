internal import TestSupport
internal import Testing

@Suite("The conformance program")
struct ConformanceTests {
  @Test("lists every check", .timeLimit(.minutes(1)))
  func lists() async throws {
    let list = try await ChildProcess.finish("conformance", ["--list"])
    #expect(list.exit == .status(0))
    #expect(list.output.contains("C7-last-bytes  [C7]\n") && list.output.contains("(two processes)"))
  }

  @Test(
    "runs what is chosen, and says how fast it was", .timeLimit(.minutes(1)),
    arguments: ["memory://0", "memory://lobby", "tcp://127.0.0.1:0"])
  func runs(url: String) async throws {
    let run = try await ChildProcess.finish(
      "conformance", ["--transport", url, "--only", "C1-exchange", "--only", "T6", "--time-factor", "3"])
    #expect(run.exit == .status(0), "\(run.output)\(run.errors)")
    #expect(run.output.contains("round trips"))
    #expect(run.output.hasSuffix(": 2 passed\n"))
  }

  @Test("a lack of descriptors does not end a TCP listener", .timeLimit(.minutes(1)))
  func outOfDescriptors() async throws {
    let run = try await ChildProcess.finish(
      "conformance", ["--transport", "tcp://127.0.0.1:0", "--only", "L6-out-of-descriptors", "--time-factor", "3"])
    #expect(run.exit == .status(0), "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix(": 1 passed\n"))
  }

  @Test("fails, with what was expected and what happened, when time is far too short", .timeLimit(.minutes(1)))
  func fails() async throws {
    let arguments = ["--transport", "tcp://127.0.0.1:0", "--only", "C1-large-both-ways", "--time-factor", "0.0001"]
    try await ProcessFolder.with { folder in
      let junit = folder.path("junit.xml")
      let run = try await ChildProcess.finish("conformance", arguments + ["--junit", junit])
      #expect(run.exit == .status(1))
      for part in ["expected: ", "happened: ", "C1: Bytes arrive as they were sent"] {
        #expect(run.output.contains(part))
      }
      let known = try folder.write("# too slow\nC1-large-both-ways\n", to: "known")
      let expected = try await ChildProcess.finish("conformance", arguments + ["--expected-failures", known])
      #expect(expected.exit == .status(0), "\(expected.output)")
      let surprise = try await ChildProcess.finish(
        "conformance",
        [
          "--transport", "memory://0", "--only", "C1-exchange", "--only", "C1-large-both-ways", "--expected-failures",
          known,
        ])
      #expect(surprise.exit == .status(1))
      #expect(surprise.output.contains("passed unexpectedly"))
    }
  }

  @Test("writes JSON lines", .timeLimit(.minutes(1)))
  func writesJSON() async throws {
    let run = try await ChildProcess.finish(
      "conformance", ["--transport", "memory://0", "--only", "C1-exchange", "--only", "T12", "--json"])
    #expect(run.events("begin").first?["transport"] == "memory://0")
    #expect(
      run.events("check").map { $0["verdict"] } == ["passed", "skipped"]
        || run.events("check").map { $0["verdict"] } == ["skipped", "passed"])
    #expect(run.events("end").first?.truth("good") == true)
  }

  @Test(
    "a command line that means nothing is refused",
    arguments: [
      [], ["--transport", "tcp://127.0.0.1:0", "--serve", "tcp://127.0.0.1:0"],
      ["--transport", "tcp://127.0.0.1:7443"],
      ["--transport", "memory://0", "--only", "C77"], ["--transport", "memory://0", "--only", "T12", "--skip", "T12"],
      ["--transport", "memory://0", "--time-factor", "0"], ["--transport", "fault+memory://0?flip=5000"],
      ["--transport", "unix://relative"],
    ])
  func refuses(arguments: [String]) async throws {
    let run = try await ChildProcess.finish("conformance", arguments)
    #expect(run.exit == .status(64), "\(run.output)\(run.errors)")
  }

  @Test("two processes pass, over TCP and Unix sockets", .timeLimit(.minutes(3)), arguments: ["tcp", "unix"])
  func twoProcesses(scheme: String) async throws {
    try await ProcessFolder.with { folder in
      let url = scheme == "tcp" ? "tcp://127.0.0.1:0" : "unix://\(folder.path("peer.sock"))"
      try await ChildProcess.run("conformance", ["--serve", url, "--json"]) { server in
        let endpoint = try #require(try await server.event("serving")["endpoint"])
        let run = try await ChildProcess.run("conformance", ["--against", endpoint, "--time-factor", "2"]) {
          try await $0.finished(atMost: .seconds(150))
        }
        #expect(run.exit == .status(0), "\(run.output)\(run.errors)")
        #expect(run.output.contains(": 10 passed\n"))
      }
    }
  }

  @Test("nobody who serves is an error of its own", .timeLimit(.minutes(1)))
  func nobodyServes() async throws {
    let run = try await ChildProcess.finish("conformance", ["--against", "tcp://127.0.0.1:1"])
    #expect(run.exit == .status(69))
  }
}
