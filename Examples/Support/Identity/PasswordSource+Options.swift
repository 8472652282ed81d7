extension PasswordSource {
  /// A file whose first line it is.
  package static let fileOption = CommandLineArgument<String?>.option(
    "password-file", .file, "The container’s password is the first line of this file.")
  /// A descriptor that the program was started with.
  package static let descriptorOption = CommandLineArgument<Int?>.option(
    "password-fd", .integer("N", in: 0...1_048_575), "The password is the first line that this descriptor gives.")
  /// A variable of the environment.
  package static let environmentOption = CommandLineArgument<String?>.option(
    "password-env", .text("NAME"), "The password is in this environment variable.")

  /// The options that say where a container's password comes from, for a command's list of arguments.
  package static let options: [any CommandLineDeclaration] = [fileOption, descriptorOption, environmentOption]

  /// The place that a command line names; nil when it names none.
  package init?(_ values: CommandLineValues) throws(ExampleError) {
    let places: [PasswordSource] =
      (values[PasswordSource.fileOption].map { [.file($0)] } ?? [])
      + (values[PasswordSource.descriptorOption].map { [.descriptor(Int32($0))] } ?? [])
      + (values[PasswordSource.environmentOption].map { [.environment($0)] } ?? [])
    guard places.count <= 1 else {
      throw ExampleError(.usage, "Give one of --password-file, --password-fd and --password-env, and not several.")
    }
    guard let place = places.first else { return nil }
    self = place
  }
}
