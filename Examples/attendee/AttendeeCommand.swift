internal import CheckIn
internal import ExampleSupport

/// How the mock sensor of this phone behaves.
enum BiometricBehaviour: String, CaseIterable, Sendable {
  case accept, reject, unavailable, ask
}

/// How the data of an enrollment are unlocked.
enum Unlocking: String, CaseIterable, Sendable {
  case pin, biometric
}

/// What may stand on the attendee's command line.
enum AttendeeCommand {
  static let connect = CommandLineArgument<Endpoint?>.option(
    "connect", ExampleTransports.format, "The kiosk's address, such as tcp://127.0.0.1:7443.")
  static let discover = CommandLineArgument<Bool>.flag(
    "discover",
    "Find the kiosk in place of --connect: those of the ticket's event that are near and advertise; with --container only "
      + "those that advertise TLS.")
  static let near = CommandLineArgument<Int?>.option(
    "near", .integer("DBM", in: -120...20),
    "With --discover: take the first kiosk whose signal rises to this strength, such as -60. Without it: take the only "
      + "one, and of several ask which.")
  static let discoverAt = CommandLineArgument<[Endpoint]>.repeated(
    "discover-at", ExampleTransports.format,
    "With --discover: where to look, such as l2cap://hci1. Without it: wherever this program can.")
  static let discoverFor = CommandLineArgument<Int>.option(
    "discover-for", .integer("SECONDS", in: 1...86_400), default: 60, shown: "60",
    "With --discover: how long to look before giving up.")
  static let ticket = CommandLineArgument<String?>.option(
    "ticket", .file, "The ticket file, made by “organizer issue”: the token and the key that belongs to it.")
  static let enrolled = CommandLineArgument<String?>.option(
    "enrolled", .directory,
    "In place of --ticket and --container: the data of “enroll”. It is unlocked as --unlock says, and the enrollment server "
      + "gives a ticket.")
  static let server = CommandLineArgument<Endpoint?>.option(
    "enrollment-server", ExampleTransports.format, "With --enrolled: that server's address.")
  static let unlock = CommandLineArgument<Unlocking>.option(
    "unlock", .oneOf(Unlocking.self, "HOW"), default: Unlocking.pin, shown: "pin",
    "With --enrolled: by PIN, which is asked for unless --password-file, --password-fd or --password-env says where it is, or "
      + "by the mock sensor, which behaves as --biometric says.")
  static let issuer = CommandLineArgument<String>.required(
    "issuer", .file, "The organizer's public file, issuer.pem: which kiosks are genuine.")
  static let authenticator = CommandLineArgument<String>.option(
    "authenticator", .choice("NAME", of: ["mock-biometric", "pin"]), default: "mock-biometric",
    shown: "mock-biometric", "How to confirm: on the phone, or with the PIN on the kiosk's keypad.")
  static let biometric = CommandLineArgument<BiometricBehaviour?>.option(
    "biometric", .oneOf(BiometricBehaviour.self, "HOW"),
    "How the mock sensor behaves. Without it: ask on a terminal, accept elsewhere.")
  static let insecure = CommandLineArgument<Bool>.flag(
    "insecure-plaintext", "Allow transports on which others could read the PIN. For trying things on one machine.")
  static let json = CommandLineArgument<Bool>.flag("json", "Write one JSON object on each line.")

  static let command = CommandLineCommand(
    "attendee",
    summary: "Checks in at a kiosk, as the program on an attendee's phone does.",
    discussion: [
      "Either --connect or --discover says where the kiosk is, and either --ticket or --enrolled who the attendee is.",
      "It shows which kiosk and event it talks to before it shows the ticket. Then the person confirms on the phone, or "
        + "types the PIN that it shows at the kiosk.",
    ],
    arguments: [
      connect, discover, near, discoverAt, discoverFor, ticket, enrolled, server, VaultOptions.device, unlock, issuer,
      authenticator, biometric,
    ] + ContainerFile.options + [insecure, json],
    examples: [
      .init(
        "attendee --connect tcp://127.0.0.1:7443 --insecure-plaintext --ticket event/tickets/ada-lovelace.ticket "
          + "--issuer event/issuer.pem",
        "Checks in at a kiosk on this machine."),
      .init(
        "attendee --discover --near -60 --ticket event/tickets/ada-lovelace.ticket --issuer event/issuer.pem "
          + "--container event/tickets/ada-lovelace.p12",
        "Walks up to a kiosk with TLS, and checks in there."),
      .init(
        "attendee --connect tls+tcp://127.0.0.1:7443 --enrolled ~/enrolled --enrollment-server tls+tcp://127.0.0.1:7444 "
          + "--issuer event/issuer.pem",
        "Checks in with what “enroll” has brought, and the PIN."),
    ],
    outcomes: [
      .init(.success, "Admitted."), .init(.refused, "Refused, or given up."), .init(.noAnswer), .init(.badData),
      .init(.noInput), .init(.unavailable, "The kiosk cannot be reached, or one side refused the other’s certificate."),
      .init(.internal), .init(.protocol),
    ])
}
