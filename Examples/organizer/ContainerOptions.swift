internal import CheckInCore
internal import ExampleSupport

/// The options that ask for a container, and say where its password comes from.
enum ContainerOptions {
  static let container = CommandLineArgument<Bool>.flag(
    "container",
    "Write a container too: the key, its certificate and the issuer’s in one file ID.p12 under a password. The password is "
      + "asked for, unless one of the next options says where it is; each of those asks for a container by itself.")
  /// All of them, for a command that makes something.
  static let making: [any CommandLineDeclaration] = [container] + PasswordSource.options
  /// Whether a container is asked for.
  static func areGiven(_ values: CommandLineValues) throws(ExampleError) -> Bool {
    let place = try PasswordSource(values)
    return values[container] || place != nil
  }

  /// The password of a container that is asked for; nil when none is.
  static func newPassword(_ values: CommandLineValues, for name: String) throws(ExampleError) -> SecretBytes? {
    guard try areGiven(values) else { return nil }
    let place = try PasswordSource(values) ?? .prompt
    do throws(FileError) {
      return try place.read(for: "container of \(name)", isNew: true)
    } catch {
      throw ExampleError(error)
    }
  }
}
