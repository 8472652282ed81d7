internal import CheckIn
internal import ExampleSupport

/// What may stand on the demo's command line.
enum DemoCommand {
  static let transport = CommandLineArgument<Endpoint>.option(
    "transport", ExampleTransports.format, default: Endpoint(scheme: "memory", address: "lobby"),
    shown: "memory://lobby", "What carries the bytes, such as tcp://127.0.0.1:0 or unix:///tmp/lobby.sock.")
  static let insecure = CommandLineArgument<Bool>.flag(
    "insecure-plaintext", "Allow transports on which others could read the PIN.")

  static let command = CommandLineCommand(
    "demo",
    summary: "Tells the whole story of a check-in, with a kiosk and four phones in one process.",
    arguments: [transport, insecure],
    examples: [
      .init("demo", "The story, in memory."),
      .init("demo --transport tcp://127.0.0.1:0 --insecure-plaintext", "The same story over TCP."),
    ],
    outcomes: [
      .init(.success, "The story went as told."), .init(.unavailable), .init(.internal, "The story went another way."),
    ])
}
