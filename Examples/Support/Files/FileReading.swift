internal import Glibc

/// Reads files of people: bounded, and with errors in words.
package enum FileReading {
  /// The limit that holds unless a caller has a better one: 1 MiB.
  package static let ordinaryLimit = 1 << 20

  /// The whole content of a file; `-` is standard input.
  ///
  /// - Parameter what: what the file is to the program, such as “ticket file”.
  /// - Throws: ``FileError`` with ``ExitStatus/noInput``, or ``ExitStatus/badData`` when it is larger than `limit`.
  package static func read(
    _ path: String, what: String, limit: Int = ordinaryLimit
  ) throws(FileError) -> [UInt8] {
    var descriptor = STDIN_FILENO
    if path != "-" {
      // Without waiting, so that a named pipe that nobody writes does not hold the program.
      switch SystemFile.open(path, O_RDONLY | O_NONBLOCK) {
      case .success(let opened): descriptor = opened
      case .failure(let fault): throw .cannotRead(path, what, fault.code)
      }
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var content: [UInt8] = []
    while true {
      switch Descriptor.readSome(descriptor, limit: 65_536) {
      case .success(let bytes) where bytes.isEmpty: return content
      case .success(let bytes):
        content += bytes
        guard content.count <= limit else {
          throw FileError(
            .badData, "The \(what) “\(path.printable)” is larger than \(limit / 1024) KiB, so it is not one.")
        }
      case .failure(let fault) where fault.code == EAGAIN:
        // A pipe whose writer has nothing yet.
        guard Descriptor.wait(for: [(descriptor, Int16(POLLIN))], atMost: .seconds(10))[0] != 0 else {
          throw .cannotRead(path, what, ETIMEDOUT)
        }
      case .failure(let fault): throw .cannotRead(path, what, fault.code)
      }
    }
  }

  /// The first `limit` bytes of a file, or all of them where it has less.
  ///
  /// - Throws: ``FileError`` with ``ExitStatus/noInput``.
  package static func readPart(_ path: String, what: String, limit: Int) throws(FileError) -> [UInt8] {
    let descriptor: Int32
    switch SystemFile.open(path, O_RDONLY | O_NONBLOCK) {
    case .success(let opened): descriptor = opened
    case .failure(let fault): throw .cannotRead(path, what, fault.code)
    }
    defer { close(descriptor) }
    var content: [UInt8] = []
    while content.count < limit {
      switch Descriptor.readSome(descriptor, limit: min(65_536, limit - content.count)) {
      case .success(let bytes) where bytes.isEmpty: return content
      case .success(let bytes): content += bytes
      case .failure(let fault): throw .cannotRead(path, what, fault.code)
      }
    }
    return content
  }

  /// Whether something stands at the path.
  package static func exists(_ path: String) -> Bool {
    SystemFile.exists(path)
  }

  /// Whether others than the owner may read the file: then what is in it is no secret.
  package static func isOpenToOthers(_ path: String) -> Bool {
    guard let mode = SystemFile.mode(path) else { return false }
    return mode & 0o077 != 0 && mode & S_IFMT == S_IFREG
  }

  /// A line for the person when a file with a secret may be read by others; nil when all is well.
  package static func warning(forSecret path: String) -> String? {
    guard isOpenToOthers(path) else { return nil }
    return "warning: “\(path.printable)” holds a private key and others on this machine may read it. "
      + "Correct that with: chmod 600 \(ShellWord.quoted(path))"
  }

  /// Says that warning on standard error, where there is one to give.
  package static func warn(ofSecret path: String, program: String) {
    guard let warning = warning(forSecret: path) else { return }
    LineOutput.standardError.say("\(program): \(warning)")
  }
}

/// Words for a shell.
package enum ShellWord {
  /// The word so that a shell takes it as one.
  package static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy {
      (48...57).contains($0) || (64...90).contains($0) || (97...122).contains($0) || "_-./:=+,".utf8.contains($0)
    }
    return plain && !word.isEmpty ? word : "'\(word.replacing("'", with: #"'\''"#))'"
  }
}

extension FileError {
  static func cannotRead(_ path: String, _ what: String, _ code: Int32) -> FileError {
    let shown = path.printable
    switch code {
    case ENOENT, ENOTDIR:
      return FileError(.noInput, "There is no \(what) “\(shown)”. Is the path right?")
    case EACCES, EPERM:
      return FileError(.noInput, "The \(what) “\(shown)” may not be read by this user. Look at: ls -l \(shown)")
    case EISDIR:
      return FileError(.noInput, "“\(shown)” is a folder, and a \(what) is wanted.")
    default:
      return FileError(.noInput, "The \(what) “\(shown)” cannot be read: \(SystemFault(code)).")
    }
  }

  static func hasNoReader(_ path: String, _ what: String) -> FileError {
    FileError(
      .inputOutput,
      "Nobody reads “\(path.printable)”, so the \(what) cannot be written. Start its reader before, such as cat.")
  }

  static func cannotWrite(_ path: String, _ what: String, _ code: Int32) -> FileError {
    let shown = path.printable
    switch code {
    case EEXIST:
      return FileError(
        .cannotCreate, "“\(shown)” is there already and is not replaced. Choose another name, or move it away.")
    case ENOENT, ENOTDIR:
      return FileError(.cannotCreate, "The \(what) “\(shown)” cannot be made: its folder is not there.")
    case EACCES, EPERM:
      return FileError(.cannotCreate, "The \(what) “\(shown)” cannot be made: this user may not write there.")
    case EROFS:
      return FileError(.cannotCreate, "The \(what) “\(shown)” cannot be made: the file system is read-only.")
    case ENOSPC, EDQUOT:
      return FileError(.inputOutput, "The \(what) “\(shown)” cannot be written: the disk is full. Nothing was changed.")
    case EISDIR:
      return FileError(.cannotCreate, "“\(shown)” is a folder, and a \(what) is wanted.")
    default:
      return FileError(.inputOutput, "The \(what) “\(shown)” cannot be written: \(SystemFault(code)).")
    }
  }
}
