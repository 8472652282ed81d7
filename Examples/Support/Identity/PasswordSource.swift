internal import Glibc
package import CheckInCore

/// Where a container's password comes from. It never stands on the command line, where every user of the machine reads it.
package struct PasswordSource: Sendable {
  /// A file's first line.
  package static let file = CommandLineArgument<String?>.option(
    "password-file", .file, "The file whose first line is the container's password.")
  /// What can be read from a descriptor that the program was started with.
  package static let descriptor = CommandLineArgument<Int?>.option(
    "password-fd", .integer("N", in: 0...1_000_000), "The open descriptor to read the container's password from.")
  /// A variable of the environment.
  package static let environment = CommandLineArgument<String?>.option(
    "password-env", .text("NAME"), "The environment variable that holds the container's password.")

  /// The three ways, for a command's list of arguments. Without any of them the person is asked.
  package static let arguments: [any CommandLineDeclaration] = [file, descriptor, environment]

  private let program: String
  private let values: CommandLineValues

  /// The source that a command line names.
  package init(_ values: CommandLineValues, program: String) {
    self.values = values
    self.program = program
  }

  /// The password: from where the command line says, or from the person at the terminal.
  ///
  /// - Parameter question: what the person is asked, such as “Password of ada.p12”.
  /// - Throws: when there is none, or it cannot be read. The error does not hold it.
  package func password(question: String) throws(ExampleError) -> SecretBytes {
    let given = [values[Self.file] != nil, values[Self.descriptor] != nil, values[Self.environment] != nil]
    guard given.count(where: { $0 }) <= 1 else {
      throw ExampleError(.usage, "Give only one of --password-file, --password-fd and --password-env.")
    }
    if let path = values[Self.file] { return try read(file: path) }
    if let number = values[Self.descriptor] { return try read(descriptor: Int32(number)) }
    if let name = values[Self.environment] { return try read(variable: name) }
    guard let answer = try PasswordPrompt.ask(question) else {
      throw ExampleError(
        .usage,
        "A container needs its password, and there is no terminal to ask on. Give --password-file, --password-fd or "
          + "--password-env.")
    }
    return answer
  }

  private func read(file path: String) throws(ExampleError) -> SecretBytes {
    do throws(FileError) {
      var bytes = try FileReading.read(path, what: "password file", limit: PasswordPrompt.longest + 2)
      defer { SecretBytes.wipe(&bytes) }
      FileReading.warn(ofSecret: path, program: program)
      return firstLine(of: bytes)
    } catch {
      throw ExampleError(error)
    }
  }

  private func read(descriptor: Int32) throws(ExampleError) -> SecretBytes {
    var bytes: [UInt8] = []
    defer { SecretBytes.wipe(&bytes) }
    while bytes.count <= PasswordPrompt.longest + 1, !bytes.contains(UInt8(ascii: "\n")) {
      switch Descriptor.readSome(descriptor, limit: 256) {
      case .success(var more):
        if more.isEmpty { return firstLine(of: bytes) }
        bytes += more
        SecretBytes.wipe(&more)
      case .failure(let fault):
        throw ExampleError(.noInput, "The password cannot be read from descriptor \(descriptor): \(fault).")
      }
    }
    return firstLine(of: bytes)
  }

  private func read(variable name: String) throws(ExampleError) -> SecretBytes {
    // Unsafe: the text is copied before anything changes the environment.
    guard let text = unsafe getenv(name) else {
      throw ExampleError(.usage, "There is no environment variable “\(name.printable)”, which --password-env names.")
    }
    var bytes = unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text))).map { UInt8(bitPattern: $0) }
    defer { SecretBytes.wipe(&bytes) }
    // Programs that this one starts, and whoever looks at its environment later, do not find it.
    unsafe unsetenv(name)
    return SecretBytes(bytes)
  }

  /// Without the end of the line, which is not part of a password.
  private func firstLine(of bytes: [UInt8]) -> SecretBytes {
    var line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    defer { SecretBytes.wipe(&line) }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return SecretBytes(line)
  }
}
