internal import CheckIn
internal import EnrollmentCore
internal import ExampleSupport

/// Who looks at the pictures.
enum Reviewer: String, CaseIterable, Sendable {
  /// The program accepts them after a while.
  case automatic
  /// Somebody, with “review”.
  case people
}

/// What may stand on the server's command line.
enum ServerCommand {
  static let data = CommandLineArgument<String>.required(
    "data", .directory, "The folder for records and pictures: made where there is none, for its owner alone.")
  static let listen = CommandLineArgument<[Endpoint]>.repeated(
    "listen", ExampleTransports.format, required: true,
    "Where to listen, such as tls+tcp://0.0.0.0:7444. Only addresses with tls+: both sides prove who they are.")
  static let issuer = CommandLineArgument<String>.required("issuer", .file, "The organizer's public file, issuer.pem.")
  static let issuerKey = CommandLineArgument<String>.required(
    "issuer-key", .file, "The organizer's key, issuer.key: it signs what people get.")
  static let outbox = CommandLineArgument<String>.required(
    "outbox", .directory, "The folder that each SMS is written into, as a file of its own.")
  static let name = CommandLineArgument<String>.option(
    "name", .name(), default: "Enrollment", shown: "Enrollment", "The service's name, for people.")
  static let review = CommandLineArgument<Reviewer>.option(
    "review", .oneOf(Reviewer.self, "WHO"), default: Reviewer.automatic, shown: "automatic",
    "Who looks at the pictures.")
  static let delay = CommandLineArgument<Int>.option(
    "review-after", .integer("SECONDS", in: 0...86_400), default: 5, shown: "5",
    "How long the automatic review takes; meanwhile the status is 223.")
  static let ticketHours = CommandLineArgument<Int>.option(
    "ticket-hours", .integer("HOURS", in: 1...8_784), default: 24, shown: "24",
    "How long a ticket for the kiosks is valid.")
  static let pause = CommandLineArgument<Int>.option(
    "sms-pause", .integer("SECONDS", in: 0...86_400), default: 30, shown: "30",
    "How long a number waits for its next SMS.")
  static let messages = CommandLineArgument<Int>.option(
    "sms-limit", .integer("N", in: 1...1000), default: 5, shown: "5", "How many SMS a number gets in a day.")
  static let peerMessages = CommandLineArgument<Int>.option(
    "sms-peer-limit", .integer("N", in: 1...1_000_000), default: 100, shown: "100",
    "How many SMS in a day can be asked for from one network address, to whatever numbers.")
  static let allMessages = CommandLineArgument<Int>.option(
    "sms-total", .integer("N", in: 1...10_000_000), default: 10_000, shown: "10000",
    "How many SMS are sent in a day at all.")
  static let json = CommandLineArgument<Bool>.flag("json", "Write one JSON object on each line.")

  private static let verdict = CommandLineArgument<String>.positional(
    "VERDICT", .choice("VERDICT", of: ["accept", "reject"]), "“accept” or “reject”.")
  private static let account = CommandLineArgument<String>.positional(
    "ID", .text("ID"), "The account, as “list” has it.")
  private static let reason = CommandLineArgument<String>.option(
    "reason", .text("TEXT"), default: "Please take another picture.", shown: "“Please take another picture.”",
    "Why it is rejected: the person reads this.")
  private static let person = CommandLineArgument<String?>.option(
    "person", .name(), "The person's name as it stands in the passport.")

  static let command = CommandLineCommand(
    "enrollment-server",
    summary: "registers people who prove who they are, and gives each a container",
    discussion: [
      "“serve” runs it. “list”, “review” and “unlock” work on its records beside it; the people at the apps see what they did with "
        + "their next question."
    ],
    subcommands: [
      CommandLineCommand(
        "serve", summary: "runs the server",
        arguments: [listen, data, issuer, issuerKey] + ContainerFile.options + [
          outbox, name, review, delay, ticketHours, pause, messages, peerMessages, allMessages, json,
        ],
        examples: [
          .init(
            "enrollment-server serve --listen tls+tcp://127.0.0.1:7444 --data enrolled --issuer event/issuer.pem "
              + "--issuer-key event/issuer.key --container event/enrollment/server.p12 --outbox outbox",
            "A server for this machine, that accepts every picture after five seconds.")
        ],
        outcomes: [
          .init(.success, "It was asked to end."), .init(.badData), .init(.noInput), .init(.unavailable),
          .init(.cannotCreate), .init(.inputOutput),
        ]),
      CommandLineCommand(
        "list", summary: "says who has registered, and what waits for a verdict", arguments: [data, json],
        outcomes: [.init(.success), .init(.noInput), .init(.inputOutput)]),
      CommandLineCommand(
        "review", summary: "gives a verdict on the picture that waits",
        arguments: [verdict, account, data, reason, person],
        examples: [
          .init("enrollment-server review accept p-0123456789 --data enrolled", "The picture will do."),
          .init(
            "enrollment-server review reject p-0123456789 --data enrolled --reason \"The passport is blurred.\"",
            "The person takes another one."),
        ],
        outcomes: [
          .init(.success), .init(.refused, "There is no such account, or nothing of it waits."), .init(.noInput),
          .init(.inputOutput),
        ]),
      CommandLineCommand(
        "unlock", summary: "opens an account that too many wrong PINs have locked", arguments: [account, data],
        outcomes: [.init(.success), .init(.refused, "There is no such account."), .init(.noInput), .init(.inputOutput)]),
    ])

  /// Does what the command line asks for.
  static func run(_ values: CommandLineValues) async throws(ExampleError) -> ExitStatus {
    switch values.subcommand {
    case "serve": return try await ServerProgram(values).run()
    case "list": return try await Records(values[data]).list(asJSON: values[json])
    case "unlock": return try await Records(values[data]).unlock(values[account])
    default:
      let verdict: ReviewVerdict = values[verdict] == "accept" ? .accepted : .rejected(reason: values[reason])
      return try await Records(values[data]).decide(verdict, values[account], name: values[person] ?? "")
    }
  }
}
