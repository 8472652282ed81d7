internal import Foundation
internal import Testing

/// Runs the organizer program as a person does, in a folder of its own that is removed at the end.
final class OrganizerProcess: Sendable {
  /// How a run ended.
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "organizer-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The event's folder.
  var event: String { "\(folder)/event" }

  /// The program, which stands beside the tests.
  static var program: URL {
    get throws {
      let tests = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      let program = tests.appendingPathComponent("organizer")
      try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program.path) is not built")
      return program
    }
  }

  /// Starts it.
  static func start(_ arguments: [String], output: Any? = nil, errors: Any? = nil) throws -> Process {
    let process = Process()
    process.executableURL = try program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs it to its end.
  @discardableResult
  func run(_ arguments: String...) throws -> Outcome {
    let files = (output: "\(folder)/stdout", errors: "\(folder)/stderr")
    for path in [files.output, files.errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    let output = try #require(FileHandle(forWritingAtPath: files.output))
    let errors = try #require(FileHandle(forWritingAtPath: files.errors))
    let process = try Self.start(arguments, output: output, errors: errors)
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try read("stdout"), errors: try read("stderr"))
  }

  /// A file of the folder.
  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  /// Writes a file into the folder, and answers its path.
  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    return "\(folder)/\(name)"
  }

  /// The names in a folder of the event.
  func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(event)/\(folder)")) ?? []).sorted()
  }

  /// The permissions of a file of the event.
  func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(event)/\(name)")[.posixPermissions] as? Int
  }
}
