internal import Glibc
internal import Synchronization

/// Writes files so that at any moment, also after a crash, there is the old content or the new, whole, and never a part.
///
/// Only a regular file is replaced, or nothing. Where a link leads to one, that one is replaced and the link stays. A pipe
/// or a device stays too, and is written into. What is secret goes to a regular file of that very name or not at all.
package enum AtomicFile {
  /// Who may read a file.
  package enum Access: UInt32, Sendable {
    /// The owner alone.
    case secret = 0o600
    /// Everybody.
    case everybody = 0o644
  }

  /// How the names of unfinished files begin.
  package static let unfinishedPrefix = ".unfinished-"

  /// Writes a file: to a temporary one beside it, then to the disk, then by renaming.
  ///
  /// - Parameters:
  ///   - what: what the file is to the program, such as “ticket file”.
  ///   - replacing: whether a file that is there is replaced; if not, that is an error.
  /// - Throws: ``FileError``; then nothing was changed.
  package static func write(
    _ bytes: [UInt8], to path: String, what: String, access: Access, replacing: Bool
  ) throws(FileError) {
    let place = try WritingPlace.of(path, what: what, access: access, replacing: replacing)
    guard case .name(let name) = place else {
      let code = place.write(bytes)
      if code == ENXIO { throw .hasNoReader(path, what) }
      guard code == 0 else { throw .cannotWrite(path, what, code) }
      return
    }
    let staged = try stage(bytes, for: name, what: what, access: access, synchronised: true)
    try staged.publish(replacing: replacing)
    synchroniseDirectory(of: name)
  }

  /// Whether a file could be written there, before the work whose result it is to hold. What is there stays as it is.
  ///
  /// - Throws: ``FileError``, as ``write(_:to:what:access:replacing:)`` would.
  package static func probe(_ path: String, what: String, access: Access, replacing: Bool) throws(FileError) {
    let place = try WritingPlace.of(path, what: what, access: access, replacing: replacing)
    guard case .name(let name) = place else {
      guard place.fault == 0 else { throw .cannotWrite(path, what, place.fault) }
      return
    }
    try stage([], for: name, what: what, access: access, synchronised: false).discard()
  }

  /// Writes many files faster than one by one: all are written, then synchronised, then renamed.
  ///
  /// - Throws: ``FileError``. Those that were renamed before the failure stay; each is whole.
  package static func write(
    _ files: [(path: String, bytes: [UInt8])], in directory: String, what: String, access: Access, replacing: Bool
  ) throws(FileError) {
    var staged: [StagedFile] = []
    defer { for file in staged { file.discard() } }
    for file in files {
      let place = try WritingPlace.of(file.path, what: what, access: access, replacing: replacing)
      guard place == .name(file.path) else {
        throw FileError(
          .cannotCreate,
          "“\(file.path.printable)” is no ordinary file, and is not replaced. Choose another name, or move it away.")
      }
      staged.append(try stage(file.bytes, for: file.path, what: what, access: access, synchronised: false))
    }
    try synchronise(staged)
    for file in staged { try file.publish(replacing: replacing) }
    synchronise(directory: directory)
  }

  /// Removes what an interrupted run may have left in the folder. The caller holds the folder's lock.
  package static func removeUnfinished(in directory: String) {
    for name in SystemFile.names(in: directory) where name.hasPrefix(unfinishedPrefix) {
      SystemFile.unlink("\(directory)/\(name)")
    }
  }

  /// Makes a folder that only its owner may enter, unless it is there.
  package static func makeDirectory(_ path: String, what: String) throws(FileError) {
    guard let fault = SystemFile.makeDirectory(path, mode: 0o700) else { return }
    if fault.code == EEXIST, let mode = SystemFile.mode(path), mode & S_IFMT == S_IFDIR { return }
    throw .cannotWrite(path, what, fault.code)
  }

  private static func stage(
    _ bytes: [UInt8], for path: String, what: String, access: Access, synchronised: Bool
  ) throws(FileError) -> StagedFile {
    let descriptor: Int32
    let temporary: String
    switch SystemFile.openTemporary(prefix: "\(directoryName(of: path))/\(unfinishedPrefix)") {
    case .success(let opened): (descriptor, temporary) = opened
    case .failure(let fault): throw .cannotWrite(path, what, fault.code)
    }
    let file = StagedFile(temporary: temporary, path: path, what: what)
    var code = Descriptor.writeAll(bytes, to: descriptor)
    if code == 0, fchmod(descriptor, access.rawValue) != 0 { code = errno }
    if code == 0, synchronised, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else {
      file.discard()
      throw .cannotWrite(path, what, code)
    }
    return file
  }

  // A disk puts many waits at once into one write of its journal, so waiting together takes a fraction of the time.
  private static func synchronise(_ files: [StagedFile]) throws(FileError) {
    let threads = min(16, files.count)
    let failure = Mutex<FileError?>(nil)
    SystemThread.runAndWait(threads) { number in
      for index in stride(from: number, to: files.count, by: threads) {
        do throws(FileError) {
          try files[index].synchronise()
        } catch {
          failure.withLock { $0 = error }
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private static func synchroniseDirectory(of path: String) {
    synchronise(directory: directoryName(of: path))
  }

  // The content is safe already; a file system that cannot synchronise folders renames in order.
  private static func synchronise(directory: String) {
    guard case .success(let descriptor) = SystemFile.open(directory, O_RDONLY | O_DIRECTORY) else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private static func directoryName(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// A file that is written and not yet under its name.
private struct StagedFile: Sendable {
  let temporary: String
  let path: String
  let what: String

  func publish(replacing: Bool) throws(FileError) {
    if replacing {
      if let fault = SystemFile.rename(temporary, to: path) { throw failure(fault.code) }
      return
    }
    // A link fails where a name is taken, which a rename does not.
    guard let fault = SystemFile.link(temporary, to: path) else { return discard() }
    // A file system without links: the small gap between look and rename is the best there is.
    guard fault.code == EPERM || fault.code == EOPNOTSUPP, !SystemFile.exists(path) else { throw failure(fault.code) }
    if let fault = SystemFile.rename(temporary, to: path) { throw failure(fault.code) }
  }

  func synchronise() throws(FileError) {
    switch SystemFile.open(temporary, O_RDONLY) {
    case .failure(let fault): throw failure(fault.code)
    case .success(let descriptor):
      defer { close(descriptor) }
      guard fsync(descriptor) == 0 else { throw failure(errno) }
    }
  }

  func discard() {
    SystemFile.unlink(temporary)
  }

  private func failure(_ code: Int32) -> FileError {
    discard()
    return .cannotWrite(path, what, code)
  }
}
