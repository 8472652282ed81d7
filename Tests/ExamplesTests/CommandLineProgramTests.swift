internal import TestSupport
internal import Testing

@Suite("Every program", .serialized)
struct CommandLineProgramTests {
  static let programs = ["kiosk", "attendee", "demo", "organizer", "enroll", "enrollment-server"]

  @Test("explains itself on eighty columns", .bounded, arguments: programs)
  func help(program: String) async throws {
    let end = try await ChildProcess.finish(program, ["--help"])
    #expect(end.exit == .status(0))
    #expect(end.errors == "")
    #expect(end.output.contains("--help") && end.output.contains("--version"))
    for line in end.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("says its version in one line", .bounded, arguments: programs)
  func version(program: String) async throws {
    let end = try await ChildProcess.finish(program, ["--version"])
    #expect(end.exit == .status(0))
    #expect(end.errors == "")
    #expect(end.output.hasPrefix("\(program) "))
    #expect(end.output.split(separator: "\n").count == 1)
  }

  @Test(
    "names the flag that was meant", .bounded,
    arguments: [
      ("kiosk", "--lisen", "--listen"), ("kiosk", "--identiti", "--identity"),
      ("kiosk", "--insecure", "--insecure-plaintext"),
      ("attendee", "--conect", "--connect"), ("attendee", "--biometrics", "--biometric"),
      ("demo", "--transprt", "--transport"),
      ("organizer", "--vresion", "--version"),
    ])
  func nearest(program: String, typed: String, meant: String) async throws {
    let end = try await ChildProcess.finish(program, [typed])
    #expect(end.exit == .status(64))
    #expect(end.output == "")
    #expect(end.errors.contains(typed))
    #expect(end.errors.contains(meant))
  }

  @Test(
    "says which argument is missing", .bounded,
    arguments: [("kiosk", "--listen"), ("attendee", "--issuer"), ("enroll", "--connect")])
  func missing(program: String, argument: String) async throws {
    let end = try await ChildProcess.finish(program, ["--json"])
    #expect(end.exit == .status(64))
    #expect(end.errors.contains(argument))
  }

  @Test(
    "attendee: takes either a ticket or an enrollment, and what belongs to that only with it", .bounded,
    arguments: [
      ([], "--ticket FILE is missing"), (["--ticket", "t", "--enrolled", "e"], "exclude each other"),
      (["--enrolled", "e"], "go together"), (["--ticket", "t", "--enrollment-server", "tls+tcp://a:1"], "go together"),
      (["--enrolled", "e", "--enrollment-server", "tls+tcp://a:1", "--container", "c"], "leave --container out"),
    ])
  func identity(arguments: [String], words: String) async throws {
    let end = try await ChildProcess.finish(
      "attendee", ["--connect", "tls+tcp://127.0.0.1:1", "--issuer", "i", "--json"] + arguments)
    #expect(end.exit == .status(64))
    #expect(end.errors.contains(words), "\(end.errors)")
  }

  @Test("enroll: an address without certificates, or a log-in to nothing, is an error at once", .bounded)
  func enroll() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let some = ["--data", folder.path("me"), "--issuer", event.issuerFile, "--json"]
      let plain = try await ChildProcess.finish("enroll", ["--connect", "tcp://127.0.0.1:1"] + some)
      #expect(plain.exit == .status(64) && plain.errors.contains("tls+"), "\(plain.errors)")
      let login = try await ChildProcess.finish("enroll", ["login", "--connect", "tls+tcp://127.0.0.1:1"] + some)
      #expect(login.exit == .status(65) && login.errors.contains("register"), "\(login.errors)")
      let number = try await ChildProcess.run("enroll", ["--connect", "tls+tcp://127.0.0.1:1"] + some) { enroll in
        enroll.type("phone 0701234567\n")
        return try await enroll.finished()
      }
      #expect(number.exit == .status(1) && number.errors.contains("“phone” needs a number"), "\(number.errors)")
    }
  }

  @Test(
    "attendee: takes either an address or discovery, and what belongs to discovery only with it", .bounded,
    arguments: [
      ([], "--connect"), (["--connect", "tcp://127.0.0.1:1", "--discover"], "exclude"),
      (["--connect", "tcp://127.0.0.1:1", "--near", "-60"], "--discover"),
      (["--connect", "tcp://127.0.0.1:1", "--discover-at", "l2cap://hci0"], "--discover"),
      (["--discover", "--near", "strong"], "whole number"),
      (["--discover", "--discover-at", "tcp://x:1"], "no discovery"),
    ] as [([String], String)])
  func place(arguments: [String], says: String) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let all = try ChildProcess.attendeeArguments(event, event.ticket(), at: "tcp://127.0.0.1:1")
      let index = try #require(all.firstIndex(of: "--connect"))
      let end = try await ChildProcess.finish(
        "attendee", Array(all[..<index] + all[(index + 2)...]) + arguments + ["--json"])
      #expect(end.exit == .status(64), "\(end.errors)")
      #expect(end.errors.contains(says), "\(end.errors)")
    }
  }

  @Test("kiosk: --advertise where nothing can be found is refused before it serves", .bounded)
  func advertisesNowhere() async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let arguments = try ChildProcess.kioskArguments(event, listen: ["tcp://127.0.0.1:0"])
      let end = try await ChildProcess.finish("kiosk", arguments + ["--advertise", "--json"])
      #expect(end.exit == .status(64))
      #expect(end.errors.contains("Only l2cap:// and memory:// have discovery."))
      #expect(!end.output.contains("listening"))
    }
  }

  @Test(
    "says what is wrong with an address, and which transports there are", .bounded,
    arguments: ["kiosk", "attendee", "demo"],
    [
      ("carrier-pigeon://roof", "memory, tcp, unix"), ("tpc://127.0.0.1:1", "Did you mean “tcp://”?"),
      ("127.0.0.1:7443", "127.0.0.1:7443"), ("tcp://127.0.0.1", "the port is missing"),
      ("unix://kiosk.sock", "unix://"),
    ])
  func addresses(program: String, wrong: (url: String, says: String)) async throws {
    try await ProcessFolder.with { folder in
      let event = try TestEvent(in: folder)
      let arguments =
        switch program {
        case "kiosk": try ChildProcess.kioskArguments(event, listen: [wrong.url]) + ["--json"]
        case "attendee": try ChildProcess.attendeeArguments(event, event.ticket(), at: wrong.url) + ["--json"]
        default: ["--transport", wrong.url, "--insecure-plaintext"]
        }
      let end = try await ChildProcess.finish(program, arguments)
      #expect(end.exit == .status(64))
      #expect(end.errors.contains(wrong.says))
    }
  }

  @Test(
    "The demo tells its story on every transport by changing the flag alone", .bounded,
    arguments: ["memory", "tcp", "unix"])
  func demo(transport: String) async throws {
    try await ProcessFolder.with { folder in
      let url = ["memory": "memory://lobby", "tcp": "tcp://127.0.0.1:0"][transport] ?? Place.unix.url(in: folder)
      let insecure = transport == "memory" ? [] : ["--insecure-plaintext"]
      let end = try await ChildProcess.finish("demo", ["--transport", url] + insecure, atMost: .seconds(50))
      #expect(end.exit == .status(0), "\(end.output)\(end.errors)")
      #expect(end.errors == "")
      let table = end.output.split(separator: "\n").suffix(4).map { $0.split(separator: " ").map(String.init) }
      #expect(table.map(\.first) == ["Ada", "Grace", "Mallory", "Ada"])
      #expect(table.map(\.last) == ["admitted", "admitted", "silence", "already_admitted"])
    }
  }

  @Test("R7: the demo's story is not told in plain text without the insecure flag", .bounded)
  func demoPlaintext() async throws {
    let end = try await ChildProcess.finish("demo", ["--transport", "tcp://127.0.0.1:0"])
    #expect(end.exit == .status(64))
    #expect(end.errors.hasPrefix("demo: tcp://127.0.0.1:0 is not encrypted"))
    #expect(end.errors.contains("--insecure-plaintext"))
    #expect(end.output == "")
  }
}
