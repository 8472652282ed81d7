internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// The folder of an event, locked against other organizers while this value lives.
struct EventFolder: ~Copyable {
  /// Where what is kept.
  struct Paths {
    let directory: String

    var issuer: String { "\(directory)/issuer.pem" }
    var issuerKey: String { "\(directory)/issuer.key" }
    var register: String { "\(directory)/register.csv" }
    var revoked: String { "\(directory)/revoked.csv" }
    var revocations: String { "\(directory)/revocations.list" }
    var attendees: String { "\(directory)/attendees.csv" }
    var tickets: String { "\(directory)/tickets" }
    var kiosks: String { "\(directory)/kiosks" }

    init(_ directory: String) {
      var directory = directory[...]
      while directory.count > 1, directory.last == "/" { directory.removeLast() }
      self.directory = String(directory)
    }

    func ticket(_ id: String) -> String { "\(tickets)/\(id).ticket" }
    func kiosk(_ id: String) -> String { "\(kiosks)/\(id).kiosk" }

    /// Where the container beside a ticket or a kiosk's identity lies.
    static func container(_ path: String) -> String {
      for ending in [".ticket", ".kiosk"] where path.hasSuffix(ending) { return "\(path.dropLast(ending.count)).p12" }
      return "\(path).p12"
    }
  }

  let paths: Paths
  let issuer: IssuerFile
  private(set) var register: Register
  private let lock: FolderLock

  /// Opens the folder that `organizer init` has made.
  init(_ directory: String) throws(ExampleError) {
    let paths = Paths(directory)
    try Self.checkMade(paths)
    let lock = try Self.lock(paths.directory)
    let issuer = try Self.issuer(paths)
    for folder in [paths.directory, paths.tickets, paths.kiosks] { AtomicFile.removeUnfinished(in: folder) }
    let register = FileReading.exists(paths.register) ? try Register(paths.register) : Register()
    self.paths = paths
    self.issuer = issuer
    self.register = register
    self.lock = lock
  }

  /// Keeps other organizers out of a folder.
  static func lock(_ directory: String) throws(ExampleError) -> FolderLock {
    do throws(FileError) {
      return try FolderLock(directory)
    } catch {
      throw ExampleError(error)
    }
  }

  private static func checkMade(_ paths: Paths) throws(ExampleError) {
    guard !FileReading.exists(paths.issuer) else { return }
    throw ExampleError(
      .noInput,
      "“\(paths.directory)” is no event’s folder: there is no issuer.pem in it. "
        + "Make one with: organizer init \(ShellWord.quoted(paths.directory)) --event NAME")
  }

  private static func issuer(_ paths: Paths) throws(ExampleError) -> IssuerFile {
    do throws(FileError) {
      return try IssuerFile.read(paths.issuer)
    } catch {
      throw ExampleError(error)
    }
  }

  /// The key that signs.
  func issuerKey() throws(ExampleError) -> OpenSSLSigningKey {
    if let warning = FileReading.warning(forSecret: paths.issuerKey) { LineOutput.standardError.writeLine(warning) }
    do {
      var pem = try FileReading.read(paths.issuerKey, what: "issuer’s key")
      defer { SecretBytes.wipe(&pem) }
      let key = try OpenSSLSigningKey(pem: pem)
      guard key.publicKey == issuer.key else {
        throw FileError(
          .badData, "“\(paths.issuerKey.printable)” does not belong to issuer.pem beside it; two events were mixed up.")
      }
      return key
    } catch let error as FileError {
      throw ExampleError(error)
    } catch let error as OpenSSLError {
      throw ExampleError(.badData, "“\(paths.issuerKey)” cannot be used: \(error.message)")
    } catch {
      throw ExampleError(.internal, "“\(paths.issuerKey)” cannot be read.")
    }
  }

  /// Whether an identifier was given to someone.
  func isTaken(_ id: String) -> Bool {
    register[id] != nil
  }

  /// The serial that the command line asks for; nil: a random one.
  ///
  /// - Throws: when somebody has it.
  func serial(_ values: CommandLineValues) throws(ExampleError) -> [UInt8]? {
    guard let serial = values[OrganizerCommand.serial] else { return nil }
    guard let holder = register.entries.first(where: { $0.serials.contains(serial) }) else { return serial }
    throw ExampleError(
      .cannotCreate,
      "The serial \(hexadecimal(serial)) was given to \(holder.name) (\(holder.id)) already. Choose another, or leave --serial "
        + "out.")
  }

  /// Adds to the register, on the disk too.
  mutating func record(_ entries: [Register.Entry]) throws(ExampleError) {
    for entry in entries { register.add(entry) }
    try EventFolder.write(register.text, to: paths.register, what: "register", access: .secret, replacing: true)
  }

  /// Puts an entry in the register in the place of the one with its identifier, on the disk too.
  mutating func renew(_ entry: Register.Entry) throws(ExampleError) {
    register.replace(entry)
    try EventFolder.write(register.text, to: paths.register, what: "register", access: .secret, replacing: true)
  }

  /// Writes a file, and answers an error of this program's.
  static func write(
    _ bytes: [UInt8], to path: String, what: String, access: AtomicFile.Access, replacing: Bool
  ) throws(ExampleError) {
    do throws(FileError) {
      try AtomicFile.write(bytes, to: path, what: what, access: access, replacing: replacing)
    } catch {
      throw ExampleError(error)
    }
  }

  /// Makes a folder that only its owner may enter, unless it is there.
  static func makeDirectory(_ path: String) throws(ExampleError) {
    do throws(FileError) {
      try AtomicFile.makeDirectory(path, what: "folder")
    } catch {
      throw ExampleError(error)
    }
  }
}
