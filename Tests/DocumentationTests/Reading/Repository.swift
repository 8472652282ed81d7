internal import Foundation

/// The files of this repository, by their paths in it.
enum Repository {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    .standardizedFileURL

  /// The content of a file.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// Whether there is such a file or folder. A path may go up, but not out of the repository.
  static func has(_ path: String) -> Bool {
    let url = folder.appending(path: path).standardizedFileURL
    return (url.path + "/").hasPrefix(folder.path + "/") && FileManager.default.fileExists(atPath: url.path)
  }

  /// The files below a folder whose names end so, sorted.
  static func files(in path: String, ending suffix: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.appending(path: path).path)
    return (names?.allObjects as? [String] ?? []).filter { $0.hasSuffix(suffix) }.map { "\(path)/\($0)" }.sorted()
  }

  /// Every document that people read.
  static let documents =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + files(in: "Documentation", ending: ".md")
    + files(in: "Sources/CheckIn/CheckIn.docc", ending: ".md") + files(in: "Tests", ending: "README.md")
}
