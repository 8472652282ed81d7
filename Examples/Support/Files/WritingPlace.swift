internal import Glibc

/// Where the content of a file goes, by what stands at its path now.
enum WritingPlace: Hashable {
  /// A regular file, or nothing yet: the content comes to this path by renaming.
  case name(String)
  /// A pipe or a device of characters, which takes bytes and keeps its place.
  case stream(String)
  /// A descriptor that this process has already, as `/dev/stdout` names one.
  case descriptor(Int32)

  /// The place for a path. A link is followed to what it leads to, unless the content is secret: who may write the
  /// folder of a link decides where it leads.
  ///
  /// - Throws: ``FileError`` for what can be neither replaced nor written into, and for everything but a regular file
  ///   or nothing where the content is secret, or where nothing may be replaced.
  static func of(
    _ path: String, what: String, access: AtomicFile.Access, replacing: Bool
  ) throws(FileError) -> WritingPlace {
    guard let kind = SystemFile.ownMode(path).map({ $0 & S_IFMT }) else { return .name(path) }
    if kind == S_IFDIR { throw .cannotWrite(path, what, EISDIR) }
    guard replacing else { throw .cannotWrite(path, what, EEXIST) }
    if kind == S_IFREG { return .name(path) }
    let shown = path.printable
    if access == .secret {
      let whatItIs = kind == S_IFLNK ? "a symbolic link" : "no ordinary file"
      throw FileError(
        .cannotCreate,
        "“\(shown)” is \(whatItIs), and the \(what) is secret, so it is not written there. Move that away, or choose another name."
      )
    }
    if let descriptor = ownDescriptor(path) { return .descriptor(descriptor) }
    guard let target = SystemFile.mode(path).map({ $0 & S_IFMT }) else {
      throw FileError(
        .cannotCreate, "“\(shown)” is a link to what is not there. Remove the link, or name the file itself.")
    }
    switch target {
    case S_IFREG:
      guard let resolved = SystemFile.resolved(path) else { throw .cannotWrite(path, what, ELOOP) }
      return .name(resolved)
    case S_IFIFO, S_IFCHR: return .stream(path)
    case S_IFDIR: throw .cannotWrite(path, what, EISDIR)
    default:
      throw FileError(
        .cannotCreate, "“\(shown)” is a socket or a disk, and a \(what) is not written into one. Choose another name.")
    }
  }

  /// Whether bytes can be written there now, as far as can be told without writing: 0, or the `errno` of the failure.
  var fault: Int32 {
    switch self {
    case .name: 0
    case .stream(let path): SystemFile.mayWrite(path) ? 0 : EACCES
    case .descriptor(let number):
      switch fcntl(number, F_GETFL) {
      case ..<0: EBADF
      case let flags: flags & O_ACCMODE == O_RDONLY ? EACCES : 0
      }
    }
  }

  /// Writes into what keeps its place; 0, or the `errno` of the failure. A pipe may get its reader within ten seconds.
  func write(_ bytes: [UInt8]) -> Int32 {
    // A reader that goes away is an error, and not the end of the program.
    _ = signal(SIGPIPE, SIG_IGN)
    switch self {
    case .name: return EINVAL
    case .descriptor(let number): return fault != 0 ? fault : Descriptor.writeAll(bytes, to: number)
    case .stream(let path):
      let deadline = ContinuousClock.now + .seconds(10)
      while true {
        switch SystemFile.open(path, O_WRONLY | O_NONBLOCK) {
        case .success(let descriptor):
          let code = Descriptor.writeAll(bytes, to: descriptor)
          return close(descriptor) == 0 || code != 0 ? code : errno
        case .failure(let fault):
          guard fault.code == ENXIO, ContinuousClock.now < deadline else { return fault.code }
          usleep(20_000)
        }
      }
    }
  }

  /// The descriptor of this process that the path names: opening such a path would begin at the file's start again.
  private static func ownDescriptor(_ path: String) -> Int32? {
    switch path {
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
        return Int32(path.dropFirst(folder.count))
      }
      return nil
    }
  }
}
