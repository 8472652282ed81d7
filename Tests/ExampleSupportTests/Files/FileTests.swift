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
    #expect(folder.names.count == 50, "and nothing else was written")
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

  private func kind(_ name: String) -> UInt32? {
    var status = stat()
    return unsafe lstat("\(folder.path)/\(name)", &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  @Test("at the end of a link are replaced there, and the link stays")
  func followLinks() throws {
    let file = "\(folder.path)/file"
    let link = "\(folder.path)/link"
    try AtomicFile.write([1], to: file, what: "table", access: .everybody, replacing: true)
    try #require(unsafe symlink("file", link) == 0)
    try AtomicFile.write([2], to: link, what: "table", access: .everybody, replacing: true)
    #expect(kind("link") == S_IFLNK)
    #expect(kind("file") == S_IFREG)
    #expect(try FileReading.read(file, what: "table") == [2])
    #expect(folder.names == ["file", "link"])
  }

  @Test("that are secret are not written through a link, nor into a pipe, alone or among many")
  func keepSecretsFromLinks() throws {
    let file = "\(folder.path)/file"
    try AtomicFile.write([1], to: file, what: "key", access: .secret, replacing: true)
    try #require(unsafe symlink("file", "\(folder.path)/link") == 0)
    try #require(unsafe symlink("nowhere", "\(folder.path)/dangling") == 0)
    try #require(unsafe mkfifo("\(folder.path)/pipe", 0o600) == 0)
    let before = folder.names
    for name in ["link", "dangling", "pipe"] {
      let path = "\(folder.path)/\(name)"
      let alone = error { () throws(FileError) in
        try AtomicFile.write([2], to: path, what: "key", access: .secret, replacing: true)
      }
      #expect(alone?.status == .cannotCreate)
      #expect(alone?.message.contains("the key is secret") == true)
      let among = error { () throws(FileError) in
        try AtomicFile.write(
          [(path: path, bytes: [2])], in: folder.path, what: "key", access: .secret, replacing: true)
      }
      #expect(among?.status == .cannotCreate)
    }
    #expect(kind("link") == S_IFLNK)
    #expect(kind("dangling") == S_IFLNK)
    #expect(kind("pipe") == S_IFIFO)
    #expect(try FileReading.read(file, what: "key") == [1])
    #expect(folder.names == before)
  }

  @Test("that are pipes are written into, and stay, also behind a link", arguments: ["pipe", "link"])
  func writeIntoPipes(name: String) throws {
    try #require(unsafe mkfifo("\(folder.path)/pipe", 0o600) == 0)
    try #require(unsafe symlink("pipe", "\(folder.path)/link") == 0)
    let reader = unsafe open("\(folder.path)/pipe", O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { Descriptor.close(reader) }
    let path = "\(folder.path)/\(name)"
    try AtomicFile.probe(path, what: "table", access: .everybody, replacing: true)
    try AtomicFile.write([1, 2, 3], to: path, what: "table", access: .everybody, replacing: true)
    #expect(Descriptor.readSome(reader, limit: 10) == .success([1, 2, 3]))
    #expect(kind("pipe") == S_IFIFO)
    #expect(folder.names == ["link", "pipe"])
  }

  @Test("that are descriptors of the program are written to where it stands in them")
  func writeToOwnDescriptors() throws {
    let (reading, writing) = try Descriptor.pipe()
    defer {
      Descriptor.close(reading)
      Descriptor.close(writing)
    }
    let path = "/proc/self/fd/\(writing)"
    try AtomicFile.probe(path, what: "table", access: .everybody, replacing: true)
    try AtomicFile.write([4, 5], to: path, what: "table", access: .everybody, replacing: true)
    #expect(Descriptor.readSome(reading, limit: 10) == .success([4, 5]))
    let other = "/proc/self/fd/\(reading)"
    let error = error { () throws(FileError) in
      try AtomicFile.probe(other, what: "table", access: .everybody, replacing: true)
    }
    #expect(error?.status == .cannotCreate)
  }

  @Test("that are a folder, a socket, or a link to nothing are refused, and are there still")
  func refuseOtherKinds() throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0)
    defer { Descriptor.close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The path is far shorter than the array that it is copied into.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: "\(folder.path)/socket".utf8)
    }
    // The structure is ours for the time of the call.
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    try #require(unsafe mkdir("\(folder.path)/folder", 0o700) == 0)
    try #require(unsafe symlink("nowhere", "\(folder.path)/dangling") == 0)
    try #require(unsafe symlink("loop", "\(folder.path)/loop") == 0)
    let before = folder.names
    for name in ["socket", "folder", "dangling", "loop"] {
      for replacing in [true, false] {
        let writing = error { () throws(FileError) in
          try AtomicFile.write(
            [1], to: "\(folder.path)/\(name)", what: "table", access: .everybody, replacing: replacing)
        }
        #expect(writing?.status == .cannotCreate, "\(name)")
        let probing = error { () throws(FileError) in
          try AtomicFile.probe("\(folder.path)/\(name)", what: "table", access: .everybody, replacing: replacing)
        }
        #expect(probing == writing)
      }
    }
    #expect(kind("socket") == S_IFSOCK)
    #expect(kind("dangling") == S_IFLNK)
    #expect(folder.names == before)
  }

  @Test("are tried before the work without a trace")
  func areProbed() throws {
    let path = "\(folder.path)/a"
    try AtomicFile.probe(path, what: "table", access: .everybody, replacing: true)
    #expect(folder.names == [])
    try AtomicFile.write([1], to: path, what: "table", access: .everybody, replacing: true)
    try AtomicFile.probe(path, what: "table", access: .everybody, replacing: true)
    #expect(try FileReading.read(path, what: "table") == [1])
    let nowhere = error { () throws(FileError) in
      try AtomicFile.probe("\(folder.path)/no/such", what: "table", access: .everybody, replacing: true)
    }
    #expect(nowhere?.status == .cannotCreate)
    #expect(folder.names == ["a"])
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
