internal import CheckIn
internal import ExampleSupport

/// What may stand on the command line of the conformance program.
enum ConformanceCommand {
  static let transport = CommandLineArgument<Endpoint?>.option(
    "transport", ExampleTransports.format,
    "What to test: an address to listen at, such as tcp://127.0.0.1:0. {n} in it becomes a fresh number each time.")
  static let only = CommandLineArgument<[String]>.repeated(
    "only", .text("ID"), "Run this check alone, or all that test this requirement, such as C7.")
  static let skip = CommandLineArgument<[String]>.repeated(
    "skip", .text("ID"), "Leave this check out, or all that test this requirement.")
  static let list = CommandLineArgument<Bool>.flag(
    "list", "List the checks, or those that --only and --skip choose, with the requirements they test, and end.")
  static let timeFactor = CommandLineArgument<Double>.option(
    "time-factor", .factor("N"), default: 1, shown: "1",
    "What every bound of time is multiplied by: 1 on this machine, 20 for a slow radio.")
  static let volumeFactor = CommandLineArgument<Double>.option(
    "volume-factor", .factor("N"), default: 1, shown: "1",
    "What large amounts of bytes are multiplied by: 1 on this machine, 0.05 for a slow radio.")
  static let queueBound = CommandLineArgument<Int>.option(
    "queue-bound", .integer("N", in: 1...100_000), default: 300, shown: "300",
    "How many dials an idle listener's queue takes at most.")
  static let packetSize = CommandLineArgument<Int?>.option(
    "packet-size", .integer("BYTES", in: 1...10_000_000), "The most bytes in one packet, where the medium has packets.")
  static let junit = CommandLineArgument<String?>.option("junit", .file, "Write the results as JUnit XML.")
  static let expectedFailures = CommandLineArgument<String?>.option(
    "expected-failures", .file,
    "The checks that are known to fail: one id a line, such as C7-last-bytes; # begins a remark.")
  static let json = CommandLineArgument<Bool>.flag("json", "Write one JSON object on each line, and no table.")
  static let serve = CommandLineArgument<Endpoint?>.option(
    "serve", ExampleTransports.format, "Be the other process: listen here, and do what the program with --against says."
  )
  static let against = CommandLineArgument<Endpoint?>.option(
    "against", ExampleTransports.format, "Test against the program that serves here, as --serve has printed it.")
  static let table = CommandLineArgument<String?>.option(
    "table", .file, "Add the results to this file, which scripts/conformance makes the README's table of.")

  static let command = CommandLineCommand(
    "conformance",
    summary: "Tests whether a transport keeps its requirements.",
    discussion: [
      "It runs every check of the library TransportConformance on the transport of a URL, both ends in this process, and "
        + "says what was expected and what happened.",
      "What one process cannot show, such as a peer that is killed, takes two: one with --serve, one with --against. They "
        + "may be on two machines, or of two releases.",
    ],
    arguments: [
      transport, only, skip, list, timeFactor, volumeFactor, queueBound, packetSize, junit, expectedFailures, json, serve, against,
      table,
    ],
    examples: [
      .init("conformance --transport tcp://127.0.0.1:0", "Tests TCP on this machine."),
      .init("conformance --transport unix:///tmp/check-{n}.sock --only C7", "Tests how Unix sockets close."),
      .init("conformance --serve tcp://127.0.0.1:7500", "Waits for the tests of another process."),
      .init("conformance --against tcp://127.0.0.1:7500", "Runs them."),
    ],
    outcomes: [
      .init(.success, "Nothing unexpected."),
      .init(.refused, "A check failed, or passed though it was expected to fail, or nothing was run."),
      .init(.badData, "The list of expected failures cannot be read."), .init(.noInput),
      .init(
        .unavailable,
        "The address cannot be used, nobody serves there (any more), or the process may open too few files."),
      .init(.cannotCreate), .init(.inputOutput),
      .init(.internal),
    ])
}

extension CommandLineFormat where Value == Double {
  /// A factor above zero, with or without a fraction.
  static func factor(_ valueName: String) -> CommandLineFormat {
    CommandLineFormat(valueName) { text in
      guard let number = Double(text), number > 0, number <= 10_000 else {
        return .failure(CommandLineValueFault("it is not a number above 0 and up to 10000, such as 1, 0.5 or 20"))
      }
      return .success(number)
    }
  }
}
