internal import Foundation

/// Where the programs of the package lie: beside the bundle of the tests.
package enum BuiltProgram {
  /// The path of a program.
  ///
  /// - Throws: ``ProcessFailure`` when it was not built.
  package static func path(_ name: String) throws(ProcessFailure) -> String {
    let places = CommandLine.arguments.filter { $0.hasSuffix(".xctest") } + [Bundle.main.executablePath ?? ""]
    for place in places {
      let path = URL(filePath: place).deletingLastPathComponent().appending(path: name).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw ProcessFailure("The program “\(name)” is not built: it is not beside \(places.joined(separator: " or ")).")
  }
}

/// A program did not do what a test waited for, or could not be run.
package struct ProcessFailure: Error, CustomStringConvertible {
  /// What happened, with what the program said.
  package let description: String

  /// A failure.
  package init(_ description: String) {
    self.description = description
  }
}
