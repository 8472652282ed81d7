internal import Foundation
internal import TestSupport
internal import Testing

/// The examples of the help pages, as a shell runs them.
@Suite("The examples in the help pages", .serialized)
struct HelpExampleTests {
  private static let commands: [[String]] =
    [["kiosk"], ["attendee"], ["demo"], ["conformance"], ["enroll"], ["enrollment-server"], ["organizer"]]
    + ["serve", "review"].map { ["enrollment-server", $0] }
    + ["init", "issue", "kiosk", "import", "list", "show", "revoke", "renew", "enrollment", "installation"].map {
      ["organizer", $0]
    }

  /// The command lines of a help page, with their line breaks.
  private func examples(in page: String) -> [String] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var examples: [String] = []
    var isWhole = true
    for line in lines.drop(while: { $0 != "Examples:" }).dropFirst().prefix(while: { !$0.isEmpty }) {
      if !isWhole {
        examples[examples.count - 1] += "\n" + line
      } else if line.hasPrefix("  "), !line.hasPrefix("   ") {
        examples.append(line)
      } else {
        continue
      }
      isWhole = !line.hasSuffix("\\")
    }
    return examples
  }

  /// Runs a line in a folder, for at most two seconds.
  private func run(_ line: String, in folder: ProcessFolder, programs: String) async throws -> FinishedProcess {
    let path = "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    return try await ChildProcess.finish(
      "/bin/sh", ["-c", "cd \(folder.path) && exec timeout -k 5 2 \(line)"],
      environment: ["PATH": path, "HOME": folder.path])
  }

  @Test("are no wrong usage as they stand", .bounded, arguments: commands)
  func examples(command: [String]) async throws {
    let programs = URL(filePath: try BuiltProgram.path(command[0])).deletingLastPathComponent().path
    let help = try await ChildProcess.finish(command[0], command.dropFirst() + ["--help"])
    let examples = examples(in: help.output)
    #expect(!examples.isEmpty || command == ["enrollment-server"], "\(help.output)")
    for example in examples {
      #expect(example.trimmingCharacters(in: .whitespaces).hasPrefix(command.joined(separator: " ")))
      try await ProcessFolder.with { folder in
        // What the examples of the other programs begin with.
        for line in [
          "organizer init event --event 'Demo Day'", "organizer issue event --name 'Ada Lovelace'",
          "organizer kiosk event --name 'Hall A'",
        ] where !example.contains("organizer init") {
          let end = try await run(line, in: folder, programs: programs)
          try #require(end.exit == .status(0), "\(end.errors)")
        }
        let end = try await run(example, in: folder, programs: programs)
        #expect(end.exit != .status(64) && end.exit != .status(127), "\(example): \(end.errors)")
      }
    }
  }
}
