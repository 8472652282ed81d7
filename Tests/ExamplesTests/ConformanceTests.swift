internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("The conformance program")
struct ConformanceTests {
  @Test("lists every check", .timeLimit(.minutes(1)))
  func lists() async throws {
    let list = try await ChildProcess.finish("conformance", ["--list"])
    #expect(list.exit == .status(0))
    #expect(list.output.contains("C7-last-bytes  [C7]\n") && list.output.contains("(two processes)"))
    let seventh = try await ChildProcess.finish("conformance", ["--list", "--only", "C7"])
    #expect(seventh.exit == .status(0))
    #expect(seventh.output.contains("C7-last-bytes  [C7]\n") && seventh.output.contains("C1-peer-large"))
    #expect(!seventh.output.contains("C1-exchange"))
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
    #expect(run.output.hasPrefix("tcp://127.0.0.1:0: 1 check;"))
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

  @Test("JSON of a failure has the check's title and the texts of its requirements", .timeLimit(.minutes(1)))
  func writesFailureAsJSON() async throws {
    let run = try await ChildProcess.finish(
      "conformance",
      ["--transport", "tcp://127.0.0.1:0", "--only", "C1-large-both-ways", "--time-factor", "0.0001", "--json"])
    let failure = try #require(run.events("failure").first)
    #expect(failure["id"] == "C1-large-both-ways")
    #expect(failure["title"]?.isEmpty == false)
    #expect(failure["requirement_texts"]?.hasPrefix("C1: Bytes arrive as they were sent") == true)
  }

  @Test("a run of which all is skipped is bad, and says why", .timeLimit(.minutes(1)))
  func nothingWasRun() async throws {
    let run = try await ChildProcess.finish("conformance", ["--transport", "memory://0", "--only", "T12"])
    #expect(run.exit == .status(1))
    #expect(run.output.hasSuffix("memory://0: 0 passed, 1 skipped: nothing was run\n"), "\(run.output)")
  }

  @Test("a list of expected failures is held against what is run", .timeLimit(.minutes(1)))
  func expectedFailures() async throws {
    try await ProcessFolder.with { folder in
      let known = try folder.write("# known\n\nC1-large-both-ways\n", to: "known")
      let arguments = ["--transport", "memory://0", "--only", "C1-exchange", "--expected-failures"]
      let run = try await ChildProcess.finish("conformance", arguments + [known])
      #expect(run.exit == .status(0))
      #expect(run.output.contains("C1-large-both-ways is on the list of expected failures, and was not run."))
      let wrong = try folder.write("# known\n\nC1\n", to: "wrong")
      let refused = try await ChildProcess.finish("conformance", arguments + [wrong])
      #expect(refused.exit == .status(65))
      #expect(refused.errors.contains("line 3: “C1” is no check"), "\(refused.errors)")
    }
  }

  @Test("results go into a pipe that somebody reads, and the pipe stays", .timeLimit(.minutes(1)))
  func writesIntoPipe() async throws {
    try await ProcessFolder.with { folder in
      let pipe = folder.path("junit")
      try #require(unsafe mkfifo(pipe, 0o600) == 0)
      let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let run = try await ChildProcess.finish(
        "conformance", ["--transport", "memory://0", "--only", "C1-exchange", "--junit", pipe])
      #expect(run.exit == .status(0), "\(run.errors)")
      var bytes = [UInt8](repeating: 0, count: 65_536)
      // The array is ours for the time of the call.
      let count = unsafe read(reader, &bytes, bytes.count)
      #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self).contains("<testsuites tests=\"1\""))
      var status = stat()
      #expect(unsafe lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test(
    "a file that cannot be written is said before the checks", .timeLimit(.minutes(1)),
    arguments: ["--junit", "--table"])
  func triesFiles(option: String) async throws {
    let run = try await ChildProcess.finish(
      "conformance", ["--transport", "memory://0", option, "/no/such/folder/file"])
    #expect(run.exit == .status(73))
    #expect(run.output.isEmpty, "\(run.output)")
  }

  @Test(
    "an address that cannot be used here is refused before any check", .timeLimit(.minutes(1)),
    arguments: [
      ("tcp://0.0.0.0:0", 64), ("tcp://192.0.2.1:0", 69), ("unix:///proc/x{n}", 69), ("tcp://nosuchhost.invalid:0", 69),
    ])
  func refusesAddress(url: String, status: Int32) async throws {
    let run = try await ChildProcess.finish("conformance", ["--transport", url])
    #expect(run.exit == .status(status), "\(run.errors)")
    #expect(run.output.isEmpty && run.errors.hasPrefix("conformance: "), "\(run.output)")
  }

  @Test("a parameter that nobody has is answered with those of fault+, and the nearest")
  func namesParameters() async throws {
    let run = try await ChildProcess.finish("conformance", ["--transport", "fault+tcp://127.0.0.1:0?splt=1"])
    #expect(run.exit == .status(64))
    #expect(run.errors.contains("Did you mean “split”? Those of fault+ are seed, first, refuse"), "\(run.errors)")
  }

  @Test("the help says once that an option may be repeated, and what a factor is")
  func help() async throws {
    let run = try await ChildProcess.finish("conformance", ["--help"])
    #expect(run.exit == .status(0))
    #expect(!run.output.contains("given again"))
    let factor = try await ChildProcess.finish("conformance", ["--transport", "memory://0", "--time-factor", "1e300"])
    #expect(factor.exit == .status(64))
    #expect(factor.errors.contains("above 0 and up to 10000"))
  }

  @Test(
    "too few descriptors are refused with the number that is needed", .timeLimit(.minutes(1)), arguments: [16, 32, 64])
  func fewDescriptors(limit: Int) async throws {
    let run = try await Self.limited(
      "ulimit -n \(limit)", ["--transport", "tcp://127.0.0.1:0", "--only", "C1-exchange"])
    #expect(run.exit == .status(69), "\(run.exit) \(run.output)")
    #expect(
      run.errors.hasPrefix("conformance: The conformance suite needs 200 open files at once, and may have \(limit):"))
  }

  @Test("a soft limit that is too low is raised", .timeLimit(.minutes(1)))
  func raisesDescriptors() async throws {
    let run = try await Self.limited(
      "ulimit -S -n 32", ["--transport", "tcp://127.0.0.1:0", "--only", "C1-exchange", "--time-factor", "3"])
    #expect(run.exit == .status(0), "\(run.output)\(run.errors)")
  }

  @Test("the whole suite does with the descriptors that it asks for", .timeLimit(.minutes(3)))
  func enoughDescriptors() async throws {
    let run = try await ChildProcess.run(
      "/bin/sh",
      [
        "-c", #"ulimit -n 200 && exec "$0" "$@""#, try BuiltProgram.path("conformance"), "--transport",
        "tcp://127.0.0.1:0", "--time-factor", "3",
      ]
    ) { try await $0.finished(atMost: .seconds(150)) }
    #expect(run.exit == .status(0), "\(run.output)\(run.errors)")
  }

  private static func limited(_ limit: String, _ arguments: [String]) async throws -> FinishedProcess {
    try await ChildProcess.finish(
      "/bin/sh", ["-c", "\(limit) && exec \"$0\" \"$@\"", try BuiltProgram.path("conformance")] + arguments)
  }

  @Test(
    "a run that is told to end stops after its check, and says what was found", .timeLimit(.minutes(1)),
    arguments: [SIGINT, SIGTERM])
  func stopsWhenTold(signal: Int32) async throws {
    try await ProcessFolder.with { folder in
      let junit = folder.path("junit.xml")
      let run = try await ChildProcess.run(
        "conformance",
        ["--transport", "unix://\(folder.path("s{n}"))", "--time-factor", "3", "--json", "--junit", junit]
      ) { program in
        try await program.event("check")
        program.signal(signal)
        return try await program.finished(atMost: .seconds(50))
      }
      #expect(run.exit == .signal(signal), "\(run.exit)")
      let end = try #require(run.events("end").first)
      let count = run.events("check").count
      let total = try #require(run.events("begin").first?.number("checks"))
      #expect(end.truth("good") == false)
      #expect(end["stopped"]?.hasPrefix("stopped after \(count) of ") == true, "\(end)")
      #expect(count < total)
      #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("<testsuites tests=\"\(count)\""))
      #expect(run.errors.contains("stopping after this check"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["junit.xml"])
    }
  }

  @Test(
    "on a narrow terminal no line is wider than it, and none of the progress is left", .timeLimit(.minutes(1)),
    arguments: [20, 40])
  func narrowTerminal(columns: Int) async throws {
    let terminal = ChildProcess.Stream.terminal(rows: 60, columns: columns)
    let (output, picture) = try await ChildProcess.run(
      "conformance",
      ["--transport", "memory://0", "--only", "C4", "--only", "C7", "--only", "T12", "--time-factor", "3"],
      output: terminal, errors: terminal
    ) { program in
      _ = try await program.exit(atMost: .seconds(50))
      return (program.outputText, program.picture?.text ?? "")
    }
    let lines = output.replacing(#/\u{1b}\[[0-9;]*[mK]/#, with: "").split { $0.isNewline || $0 == "\r" }
    #expect(lines.contains { $0.hasPrefix("checks ") }, "it takes long enough to be shown: \(lines)")
    #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
    #expect(
      columns < 40 || picture.contains("T12-connection-limit was skipped: it\n  needs a limit of open connections"),
      "\(picture)")
    #expect(!picture.contains("checks ") && !picture.contains("█"), "\(picture)")
  }

  @Test(
    "a command line that means nothing is refused",
    arguments: [
      [], ["--transport", "tcp://127.0.0.1:0", "--serve", "tcp://127.0.0.1:0"],
      ["--transport", "tcp://127.0.0.1:7443"],
      ["--transport", "memory://0", "--only", "C77"], ["--transport", "memory://0", "--only", "T12", "--skip", "T12"],
      ["--transport", "memory://0", "--time-factor", "0"], ["--transport", "fault+memory://0?flip=5000"],
      ["--transport", "unix://relative"],
      ["--serve", "memory://lobby"], ["--against", "memory://lobby"],
      ["--list", "--transport", "tcp://127.0.0.1:0"], ["--list", "--junit", "/tmp/x"], ["--list", "--only", "C77"],
      ["--serve", "tcp://127.0.0.1:0", "--only", "C7"], ["--serve", "tcp://127.0.0.1:0", "--skip", "C7"],
      ["--serve", "tcp://127.0.0.1:0", "--junit", "x"], ["--serve", "tcp://127.0.0.1:0", "--table", "x"],
      ["--serve", "tcp://127.0.0.1:0", "--expected-failures", "x"],
      ["--against", "tcp://127.0.0.1:1", "--queue-bound", "3"],
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

  @Test("a run against a process that has gone stops at once, with a status of its own", .timeLimit(.minutes(1)))
  func serverGoes() async throws {
    try await ChildProcess.run("conformance", ["--serve", "tcp://127.0.0.1:0", "--json"]) { server in
      let endpoint = try #require(try await server.event("serving")["endpoint"])
      let run = try await ChildProcess.run("conformance", ["--against", endpoint, "--json"]) { program in
        try await program.event("check")
        server.signal(SIGKILL)
        return try await program.finished(atMost: .seconds(50))
      }
      #expect(run.exit == .status(69), "\(run.exit) \(run.output)")
      #expect(run.errors.contains("Nobody serves at \(endpoint) any more, so the run stopped after"), "\(run.errors)")
      // At most the check that was running, and the one that met the silence.
      #expect(run.events("check").count { $0["verdict"] == "failed" } <= 2)
      #expect(run.events("end").first?.truth("good") == false)
    }
  }

  @Test("nobody who serves is an error of its own", .timeLimit(.minutes(1)))
  func nobodyServes() async throws {
    let run = try await ChildProcess.finish("conformance", ["--against", "tcp://127.0.0.1:1"])
    #expect(run.exit == .status(69))
  }
}
