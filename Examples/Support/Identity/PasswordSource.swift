package import CheckInCore
internal import Glibc

/// Where a password comes from. Never from the command line, which everybody on the machine can read.
package enum PasswordSource: Hashable, Sendable {
  /// The first line of a file.
  case file(String)
  /// The first line of what a descriptor gives, which the shell opened.
  case descriptor(Int32)
  /// The first line of an environment variable.
  case environment(String)
  /// The person, at the terminal, without echo.
  case prompt

  /// How many bytes a password may have.
  package static let longest = 1024

  /// The password, in UTF-8, of at least one byte.
  ///
  /// - Parameters:
  ///   - what: what it is the password of, such as “container of Ada Lovelace”.
  ///   - isNew: whether it is made now: then a person is asked twice.
  /// - Throws: ``FileError``, which does not hold the password.
  package func read(for what: String, isNew: Bool) throws(FileError) -> SecretBytes {
    switch self {
    case .file(let path):
      var bytes = try FileReading.read(path, what: "password file", limit: PasswordSource.longest + 2)
      defer { SecretBytes.wipe(&bytes) }
      if FileReading.isOpenToOthers(path) {
        LineOutput.standardError.say(
          "warning: “\(path.printable)” holds a password and others on this machine may read it. "
            + "Correct that with: chmod 600 \(ShellWord.quoted(path))")
      }
      return try checked(firstLine(bytes), "The password file “\(path.printable)”")
    case .descriptor(let number):
      var bytes = try readAll(number)
      defer { SecretBytes.wipe(&bytes) }
      return try checked(firstLine(bytes), "Descriptor \(number)")
    case .environment(let name):
      // Unsafe: the text is copied before anything can change the environment.
      guard let text = unsafe getenv(name) else {
        throw FileError(
          .noInput, "There is no environment variable “\(name.printable)”, which should hold the password.")
      }
      return try checked(
        firstLine(unsafe Array(String(cString: text).utf8)), "The environment variable “\(name.printable)”")
    case .prompt:
      let first = try PasswordPrompt.ask("Password for the \(what): ")
      guard isNew else { return first }
      guard first.matches(try PasswordPrompt.ask("The same again: ")) else {
        throw FileError(.badData, "The two passwords differ. Nothing was made; please try again.")
      }
      return first
    }
  }

  private func readAll(_ descriptor: Int32) throws(FileError) -> [UInt8] {
    var content: [UInt8] = []
    while content.count <= PasswordSource.longest, !content.contains(0x0a) {
      guard Descriptor.wait(for: [(descriptor, Int16(POLLIN))], atMost: .seconds(30))[0] != 0 else {
        throw FileError(.noInput, "Descriptor \(descriptor) gave no password within 30 seconds.")
      }
      switch Descriptor.readSome(descriptor, limit: 512) {
      case .success(let bytes) where bytes.isEmpty: return content
      case .success(let bytes): content += bytes
      case .failure(let fault):
        throw FileError(.noInput, "The password cannot be read from descriptor \(descriptor): \(fault).")
      }
    }
    return content
  }

  private func firstLine(_ bytes: [UInt8]) -> [UInt8] {
    var line = Array(bytes.prefix { $0 != 0x0a })
    if line.last == 0x0d { line.removeLast() }
    return line
  }

  /// The bytes as a password. They are wiped.
  private func checked(_ bytes: [UInt8], _ place: String) throws(FileError) -> SecretBytes {
    var bytes = bytes
    defer { SecretBytes.wipe(&bytes) }
    guard !bytes.isEmpty else { throw FileError(.badData, "\(place) is empty, and should hold a password.") }
    guard bytes.count <= PasswordSource.longest, !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil
    else {
      throw FileError(
        .badData, "\(place) holds no password: it is text of up to \(PasswordSource.longest) bytes, without a NUL.")
    }
    return SecretBytes(bytes)
  }
}
