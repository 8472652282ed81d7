internal import CheckIn
internal import EnrollmentCore
internal import ExampleSupport

/// What the program is asked to do.
enum EnrollTask: String, CaseIterable, Sendable {
  /// Register, or go on with it.
  case register
  /// Log in.
  case login
}

/// How the mock sensor of this phone behaves.
enum SensorBehaviour: String, CaseIterable, Sendable {
  case accept, reject, none
}

/// What may stand on the command line.
enum EnrollCommand {
  static let task = CommandLineArgument<EnrollTask?>.optionalPositional(
    "TASK", .oneOf(EnrollTask.self, "TASK"), "“register”, which also goes on where it was left, or “login”.")
  static let connect = CommandLineArgument<Endpoint>.required(
    "connect", ExampleTransports.format, "The server's address, such as tls+tcp://127.0.0.1:7444.")
  static let data = CommandLineArgument<String>.required(
    "data", .directory, "The folder for the program's data: made where there is none.")
  static let issuer = CommandLineArgument<String>.required(
    "issuer", .file, "The organizer's public file, issuer.pem: which servers are genuine.")
  static let installation = CommandLineArgument<String?>.option(
    "install-container", .file,
    "The container that is built into the app, install.pfx. It opens the registration; afterwards it is not used again. Its "
      + "password is asked for, unless one of --password-file, --password-fd and --password-env says where it is.")
  static let sms = CommandLineArgument<String>.option(
    "sms-from", .text("FILE|ask"), default: "ask", shown: "ask",
    "Where the SMS arrives: a file, or the server's outbox folder. Then the code is filled in by itself. “ask”: it is typed."
  )
  static let camera = CommandLineArgument<[String]>.repeated(
    "camera", .file, "A picture that the camera takes (JPEG). One for the passport, then one for the selfie, and so on."
  )
  static let frame = CommandLineArgument<PictureRectangle?>.option(
    "frame", .rectangle,
    "The yellow frame, in points of the upright picture. Without it: nine tenths of the picture, in the proportion of a "
      + "passport's data page or a portrait.")
  static let seal = CommandLineArgument<Int>.option(
    "seal-version", .integer("N", in: 0...1), default: 1, shown: "1",
    "How the PIN seals the token: 1, or for compatibility 0, the literal rule, which anybody breaks who has the data.")
  static let biometric = CommandLineArgument<SensorBehaviour>.option(
    "biometric", .oneOf(SensorBehaviour.self, "HOW"), default: SensorBehaviour.accept, shown: "accept",
    "How the mock sensor behaves; with “none” there is only the PIN.")
  static let json = CommandLineArgument<Bool>.flag(
    "json", "Write one JSON object on each line, and read answers from standard input, one a line.")

  static let command = CommandLineCommand(
    "enroll",
    summary: "Registers a person at an enrollment server, as the app on a phone does.",
    discussion: [
      "Phone number, code from the SMS, container, passport, selfie, PIN. Stop it at any time: the next start goes on from there.",
      "With --json each line of standard input waits for the screen that it is for: phone +46701234567, code 4711, new, "
        + "passport AB1234567, pin 2580 (twice for a new one), face, yes, no, quit.",
    ],
    arguments: [task, connect, data, VaultOptions.device, issuer, installation] + PasswordSource.options + [
      sms, camera, frame, seal, biometric, json,
    ],
    examples: [
      .init(
        "enroll --connect tls+tcp://127.0.0.1:7444 --data ~/enrolled --issuer event/issuer.pem --install-container "
          + "event/enrollment/install.pfx --camera passport.jpg --camera selfie.jpg",
        "Registers."),
      .init(
        "enroll login --connect tls+tcp://127.0.0.1:7444 --data ~/enrolled --issuer event/issuer.pem",
        "Logs in, by PIN or face."),
    ],
    outcomes: [
      .init(.success, "Enrolled and logged in."), .init(.refused, "Stopped, or the account is locked."),
      .init(.badData),
      .init(.noInput), .init(.unavailable, "A certificate was refused."), .init(.cannotCreate), .init(.internal),
      .init(.protocol),
    ])
}

extension CommandLineFormat<PictureRectangle> {
  /// Four numbers: from the left, from above, width, height.
  fileprivate static var rectangle: CommandLineFormat {
    CommandLineFormat("X,Y,W,H") { text in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
      guard numbers.count == 4, numbers.allSatisfy({ (0...65_535).contains($0) }), numbers[2] > 0, numbers[3] > 0 else {
        return .failure(CommandLineValueFault("it is not four whole numbers with commas, such as 100,80,1200,845"))
      }
      return .success(PictureRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
  }
}
