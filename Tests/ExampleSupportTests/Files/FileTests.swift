internal import ExampleSupport
internal import Glibc
internal import Testing

/// A folder that is removed at the end.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/checkin-test-XXXXXX".utf8CString)
    // The system replaces the six letters.
    let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) != nil }
    try #require(made)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    _ = unsafe system("rm -rf '\(path)'")
  }

  var names: [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
          unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  func permissions(_ name: String) -> UInt32? {
    var status = stat()
    return unsafe stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : nil
  }
}

@Suite("Files")
struct FileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func error(_ body: () throws(FileError) -> Void) -> FileError? {
    do throws(FileError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("are read back as they were written, with the permissions that were asked for, and nothing else is left")
  func areReadBack() throws {
    let path = "\(folder.path)/secret.key"
    try AtomicFile.write(Array("one".utf8), to: path, what: "key", access: .secret, replacing: false)
    #expect(try FileReading.read(path, what: "key") == Array("one".utf8))
    #expect(folder.permissions("secret.key") == 0o600)
    #expect(!FileReading.isOpenToOthers(path))
    try AtomicFile.write(Array("two".utf8), to: path, what: "key", access: .everybody, replacing: true)
    #expect(try FileReading.read(path, what: "key") == Array("two".utf8))
    #expect(folder.permissions("secret.key") == 0o644)
    #expect(FileReading.warning(forSecret: path)?.contains("chmod 600 \(path)") == true)
    #expect(folder.names == ["secret.key"])
  }

  @Test("are not replaced unless that is wanted")
  func areNotReplaced() throws {
    let path = "\(folder.path)/a"
    try AtomicFile.write([1], to: path, what: "file", access: .secret, replacing: false)
    let error = error { () throws(FileError) in
      try AtomicFile.write([2], to: path, what: "file", access: .secret, replacing: false)
    }
    #expect(error?.status == .cannotCreate)
    #expect(error?.message == "“\(path)” is there already and is not replaced. Choose another name, or move it away.")
    #expect(try FileReading.read(path, what: "file") == [1])
    #expect(folder.names == ["a"])
  }

  @Test("are written many at once")
  func areWrittenTogether() throws {
    let files = (0..<50).map { (path: "\(folder.path)/\($0)", bytes: [UInt8($0)]) }
    try AtomicFile.write(files, in: folder.path, what: "file", access: .secret, replacing: false)
    #expect(folder.names.count == 50)
    #expect(try FileReading.read("\(folder.path)/7", what: "file") == [7])
    let error = error { () throws(FileError) in
      try AtomicFile.write(
        [(path: "\(folder.path)/new", bytes: [1]), (path: "\(folder.path)/7", bytes: [0])], in: folder.path,
        what: "file", access: .secret, replacing: false)
    }
    #expect(error?.status == .cannotCreate)
    #expect(folder.names.count == 51)
  }

  @Test("say in words why they cannot be read or made")
  func sayWhy() throws {
    let missing = error { () throws(FileError) in _ = try FileReading.read("\(folder.path)/no", what: "ticket file") }
    #expect(missing?.status == .noInput)
    #expect(missing?.message == "There is no ticket file “\(folder.path)/no”. Is the path right?")
    let directory = error { () throws(FileError) in _ = try FileReading.read(folder.path, what: "ticket file") }
    #expect(directory?.status == .noInput)
    #expect(directory?.message == "“\(folder.path)” is a folder, and a ticket file is wanted.")
    let nowhere = error { () throws(FileError) in
      try AtomicFile.write([1], to: "\(folder.path)/no/such", what: "ticket file", access: .secret, replacing: true)
    }
    #expect(nowhere?.status == .cannotCreate)
    try AtomicFile.write(
      [UInt8](repeating: 0, count: 2049), to: "\(folder.path)/big", what: "file", access: .secret, replacing: true)
    let large = error { () throws(FileError) in
      _ = try FileReading.read("\(folder.path)/big", what: "ticket file", limit: 2048)
    }
    #expect(large?.status == .badData)
    #expect(large?.message == "The ticket file “\(folder.path)/big” is larger than 2 KiB, so it is not one.")
  }

  @Test("on a full disk leave what was there as it was")
  func surviveFullDisk() {
    let error = error { () throws(FileError) in
      try AtomicFile.write([1], to: "/dev/full/x", what: "file", access: .secret, replacing: true)
    }
    #expect(error?.status == .cannotCreate)
    let full = unsafe open("/dev/full", O_WRONLY)
    #expect(Descriptor.writeAll([1], to: full) == ENOSPC)
    Descriptor.close(full)
  }

  @Test("that a crash left unfinished are removed, and no others")
  func removesUnfinished() throws {
    for name in ["\(AtomicFile.unfinishedPrefix)abcdef", "kept"] {
      try AtomicFile.write([1], to: "\(folder.path)/\(name)", what: "file", access: .secret, replacing: false)
    }
    AtomicFile.removeUnfinished(in: folder.path)
    #expect(folder.names == ["kept"])
  }

  @Test("in a folder belong to one program at a time")
  func lockFolder() throws {
    let path = folder.path
    do {
      let first = try FolderLock(path)
      let refused = error { () throws(FileError) in _ = try FolderLock(path, atMost: .milliseconds(50)) }
      #expect(refused?.status == .unavailable)
      #expect(refused?.message.contains("Another organizer is at work in “\(path)”") == true)
      _ = consume first
    }
    #expect(error { () throws(FileError) in _ = try FolderLock(path, atMost: .milliseconds(50)) } == nil)
  }

  @Test(
    "have names that a shell takes whole",
    arguments: [
      ("a/b-c.ticket", "a/b-c.ticket"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("", "''"), ("$(x)", "'$(x)'"),
    ])
  func quoteWords(word: String, expected: String) {
    #expect(ShellWord.quoted(word) == expected)
  }
}
