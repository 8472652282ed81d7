internal import Foundation
internal import TestSupport

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

  /// Runs it to its end.
  @discardableResult
  func run(_ arguments: String...) async throws -> Outcome {
    let end = try await ChildProcess.finish("organizer", arguments, atMost: .seconds(100))
    guard case .status(let status) = end.exit else { throw ProcessFailure("The organizer ended: \(end.exit).") }
    return Outcome(status: status, output: end.output, errors: end.errors)
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
