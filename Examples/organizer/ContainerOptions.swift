internal import CheckInCore
internal import ExampleSupport

/// The options that ask for a container, and say where its password comes from.
enum ContainerOptions {
  static let container = CommandLineArgument<Bool>.flag(
    "container",
    "Write a container too: the key, its certificate and the issuer’s in one file ID.p12 under a password. The password is "
      + "asked for, unless one of the next options says where it is.")
  static let passwordFile = CommandLineArgument<String?>.option(
    "password-file", .file, "The container’s password is the first line of this file.")
  static let passwordDescriptor = CommandLineArgument<Int?>.option(
    "password-fd", .integer("N", in: 0...1_048_575), "The password is the first line that this descriptor gives.")
  static let passwordVariable = CommandLineArgument<String?>.option(
    "password-env", .text("NAME"), "The password is in this environment variable.")

  /// All of them, for a command that makes something.
  static let making: [any CommandLineDeclaration] = [container] + reading
  /// Those that name the place of a password.
  static let reading: [any CommandLineDeclaration] = [passwordFile, passwordDescriptor, passwordVariable]

  /// Where the password comes from; nil when no option says so.
  static func place(_ values: CommandLineValues) throws(ExampleError) -> PasswordSource? {
    let places: [PasswordSource] =
      (values[passwordFile].map { [.file($0)] } ?? [])
      + (values[passwordDescriptor].map { [.descriptor(Int32($0))] } ?? [])
      + (values[passwordVariable].map { [.environment($0)] } ?? [])
    guard places.count <= 1 else {
      throw ExampleError(.usage, "Give one of --password-file, --password-fd and --password-env, and not several.")
    }
    return places.first
  }

  /// The password of a container that is asked for; nil when none is.
  static func newPassword(_ values: CommandLineValues, for name: String) throws(ExampleError) -> SecretBytes? {
    let place = try place(values)
    guard values[container] || place != nil else { return nil }
    do throws(FileError) {
      return try (place ?? .prompt).read(for: "container of \(name)", isNew: true)
    } catch {
      throw ExampleError(error)
    }
  }
}
