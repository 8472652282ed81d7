/// The version that `--version` prints.
package enum ProgramVersion {
  /// The number, as the change log has it.
  package static let number = "0.1.0"

  /// The line for the program of this name.
  package static func line(for program: String) -> String {
    "\(program) (swift-checkin) \(number)"
  }
}
