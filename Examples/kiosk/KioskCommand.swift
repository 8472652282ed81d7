internal import CheckIn
internal import ExampleSupport
internal import MockBiometricAuthenticator
internal import PINAuthenticator

/// What may stand on the kiosk's command line.
enum KioskCommand {
  static let listen = CommandLineArgument<[Endpoint]>.repeated(
    "listen", ExampleTransports.format, required: true,
    "Where phones connect, such as tcp://127.0.0.1:7443 or unix:///run/checkin.sock; port 0 takes a free one. One kiosk "
      + "serves several transports at once.")
  static let identity = CommandLineArgument<String>.required(
    "identity", .file, "The kiosk's identity, made by “organizer kiosk”.")
  static let issuer = CommandLineArgument<String>.required(
    "issuer", .file, "The organizer's public file, issuer.pem: whose tickets are genuine.")
  static let attendees = CommandLineArgument<String?>.option(
    "attendees", .file, "A list of tokens (CSV) that are valid besides the issuer's tickets.")
  static let revocations = CommandLineArgument<String?>.option(
    "revocations", .file,
    "The signed list of what was taken back, revocations.list, made by “organizer”. Read again when it changes. With --ledger "
      + "an older list than one that was used is refused, also after a restart.")
  static let gate = CommandLineArgument<String?>.option(
    "gate", .text("NAME"),
    "The gate that the kiosk stands at. Without it: the identity's first gate, or the kiosk's name.")
  static let authenticators = CommandLineArgument<[String]>.list(
    "authenticators", .choice("NAME", of: ["mock-biometric", "pin"]), default: ["mock-biometric", "pin"],
    shown: "mock-biometric,pin", "The ways to confirm that the kiosk accepts, best first.")
  static let ledger = CommandLineArgument<String?>.option(
    "ledger", .file,
    "Where admissions and refusals are kept (SQLite). Without it they are kept in memory and lost at the end.")
  static let openSessions = CommandLineArgument<Int>.option(
    "open-sessions", .integer("N", in: 1...100_000), default: 256, shown: "256", "How many phones are served at once.")
  static let perSecond = CommandLineArgument<Int>.option(
    "sessions-per-second", .integer("N", in: 1...1_000_000), default: 100, shown: "100",
    "How many sessions one address may begin each second.")
  static let advertise = CommandLineArgument<Bool>.flag(
    "advertise",
    "Tell phones that are near of the kiosk, on every address of --listen that has discovery (Bluetooth).")
  static let insecure = CommandLineArgument<Bool>.flag(
    "insecure-plaintext", "Allow transports on which others could read the PIN. For trying things on one machine.")
  static let json = CommandLineArgument<Bool>.flag(
    "json", "Write one JSON object on each line instead of the screen, and read keys from standard input.")

  static let command = CommandLineCommand(
    "kiosk",
    summary: "Checks in the people who come to a gate with their phones.",
    discussion: [
      "On a terminal it shows the kiosk's screen. Digits, Backspace and Esc are the keypad; the mouse works where the "
        + "terminal has one. Ctrl-C ends it: sessions that are being admitted get their answer first.",
      "Without a terminal, or with --json, it writes one JSON object on each line, and reads keys from standard input: "
        + "the characters of each line are typed in order, “<” is Backspace and “!” is Clear. "
        + "What is written while a PIN is being checked is typed after it.",
      "It reads the container and the list of what was taken back again when they change, and when it gets SIGHUP. A new one that "
        + "cannot be used is reported, and the one before stays in force. Sessions that are open go on.",
    ],
    arguments: [
      listen, identity, issuer, attendees, revocations, gate, authenticators, ledger, openSessions, perSecond,
      advertise,
    ] + ContainerFile.options + [insecure, json],
    examples: [
      .init(
        "kiosk --listen tcp://127.0.0.1:7443 --insecure-plaintext --identity event/kiosks/hall-a.kiosk "
          + "--issuer event/issuer.pem --ledger hall-a.sqlite",
        "A kiosk for phones on this machine."),
      .init(
        "kiosk --listen tls+tcp://0.0.0.0:7443 --identity event/kiosks/hall-a.kiosk --issuer event/issuer.pem "
          + "--container event/kiosks/hall-a.p12 --revocations event/revocations.list --ledger hall-a.sqlite",
        "One for phones on the network, which refuses what was taken back."),
    ],
    outcomes: [
      .init(.success, "It was asked to end, and has."), .init(.badData), .init(.noInput),
      .init(.unavailable, "An address cannot be used, or the process may have fewer than 64 open files."),
      .init(.inputOutput, "The ledger cannot be used, or the terminal went away."),
    ])
}
