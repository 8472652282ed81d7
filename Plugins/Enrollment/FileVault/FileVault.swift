public import CheckIn
public import CheckInCore
public import Enrollment
public import EnrollmentCore

/// What a client keeps, as files of its owner alone: progress, identifier and container in one folder, what belongs to the
/// device in another. On a phone the second would be its keychain, which no copy of the first takes along.
///
/// With version 1 the container is kept under a password that follows from the device's secret, and not under the token: so
/// nothing here says whether a PIN was right, and the server, which counts, is the only one to ask. With version 0 it is kept
/// as it came, and opens with the right token alone.
public final class FileVault: EnrollmentVault {
  /// Writes a container anew, under another password.
  public typealias Relocking =
    @Sendable (
      _ container: [UInt8], _ password: SecretBytes, _ new: SecretBytes
    ) async throws(EnrollmentVaultError) -> [UInt8]

  private let folder: String
  private let device: String
  private let version: TokenSealing.Version
  private let stretching: any PINStretching
  private let cryptography: any Cryptography
  private let biometrics: (any AuthenticatorProver)?
  private let relock: Relocking
  private let thread = WorkThread()

  /// A vault in these two folders, which are made where there are none.
  ///
  /// - Parameters:
  ///   - folder: for what may be copied without harm.
  ///   - device: for what belongs to this device, and must lie elsewhere.
  ///   - version: how a new PIN seals; what was sealed is read by its own version.
  ///   - stretching: makes keys of PINs.
  ///   - cryptography: hashes, and draws random bytes.
  ///   - biometrics: asks the person; nil: only the PIN is there.
  ///   - relock: writes a container anew.
  /// - Throws: ``/Enrollment/EnrollmentVaultError``.
  public init(
    folder: String, device: String, version: TokenSealing.Version = .scrypt, stretching: any PINStretching,
    cryptography: any Cryptography, biometrics: (any AuthenticatorProver)?, relock: @escaping Relocking
  ) throws(EnrollmentVaultError) {
    self.folder = folder
    self.device = device
    self.version = version
    self.stretching = stretching
    self.cryptography = cryptography
    self.biometrics = biometrics
    self.relock = relock
    try FileVault.files { () throws(PrivateFile.Failure) in
      try PrivateFile.makeOwnDirectory(folder)
      try PrivateFile.makeOwnDirectory(device)
    }
  }

  private enum Name {
    static let progress = "progress"
    static let client = "client"
    static let token = "token"
    static let container = "personal.p12"
    /// The container under the device's password, beside a version 1 seal.
    static let relocked = "personal-device.p12"
    static let seal = "seal"
    static let biometric = "biometric"
    static let secret = "secret"
    static let pad = "pad"
  }

  /// The container with its password: with the device's where it was sealed by version 1, else with the token. Nil: there is
  /// no container, or no token for it.
  public func container(
    token: SecretBytes?
  ) throws(EnrollmentVaultError) -> (bytes: [UInt8], password: SecretBytes)? {
    if case .sealed = try progress(), try seal().version == .scrypt {
      guard let bytes = try read(Name.relocked), let secret = try deviceSecret(makes: false) else { return nil }
      return (bytes, containerPassword(secret))
    }
    let kept = try keptToken()
    guard let token = token ?? kept, let bytes = try read(Name.container) else { return nil }
    return (bytes, token.containerPassword)
  }

  /// How far it is.
  public func progress() throws(EnrollmentVaultError) -> EnrollmentProgress {
    guard let bytes = try read(Name.progress) else { return .fresh }
    guard let text = VaultText(bytes), let progress = EnrollmentProgress(text) else { throw damaged(Name.progress) }
    return progress
  }

  /// The identifier of this installation.
  public func client() throws(EnrollmentVaultError) -> Bytes16 {
    if let bytes = try read(Name.client) {
      guard let client = Bytes16(bytes) else { throw damaged(Name.client) }
      return client
    }
    let client = Bytes16(cryptography.randomBytes(16))!
    try write(client.bytes, Name.client)
    return client
  }

  /// Stores the progress.
  public func save(_ progress: EnrollmentProgress) throws(EnrollmentVaultError) {
    try write(progress.text.bytes, Name.progress)
  }

  /// Stores container and token.
  public func saveContainer(_ container: [UInt8], token: SecretBytes) throws(EnrollmentVaultError) {
    try write(container, Name.container)
    try write(token.bytes, Name.token)
    try save(.enrolled)
  }

  /// Seals the token under the PIN.
  public func seal(_ pin: FourDigits) async throws(EnrollmentVaultError) -> SecretBytes {
    guard let token = try keptToken(), let container = try read(Name.container) else {
      throw EnrollmentVaultError(
        "The token or the container is missing in “\(folder)”. Remove the folder and register again.")
    }
    let seal: VaultText
    switch version {
    case .literal:
      seal = VaultText([("version", "0"), ("sealed", hexadecimal(TokenSealing.literal(token, pin).bytes))])
    case .scrypt:
      let secret = try deviceSecret(makes: true)!
      try write(try await relock(container, token.containerPassword, containerPassword(secret)), Name.relocked)
      let salt = cryptography.randomBytes(16)
      let key = try await stretched(pin, salt, secret, token.count)
      seal = VaultText([
        ("version", "1"), ("salt", hexadecimal(salt)),
        ("sealed", hexadecimal(TokenSealing.combined(token, with: key).bytes)),
      ])
    }
    if biometrics != nil {
      let pad = SecretBytes(cryptography.randomBytes(token.count))
      try write(pad.bytes, Name.pad, in: device)
      try write(TokenSealing.combined(token, with: pad).bytes, Name.biometric)
    }
    try write(seal.bytes, Name.seal)
    try save(.sealed)
    tidy()
    return token
  }

  /// The token that this PIN makes, right or wrong.
  public func unseal(_ pin: FourDigits) async throws(EnrollmentVaultError) -> SecretBytes {
    tidy()
    let seal = try seal()
    switch seal.version {
    case .literal: return TokenSealing.literal(seal.sealed, pin)
    case .scrypt:
      guard let secret = try deviceSecret(makes: false) else {
        throw EnrollmentVaultError(
          "The secret of this device is missing in “\(device)”: the PIN alone opens nothing. Register again.")
      }
      return TokenSealing.combined(seal.sealed, with: try await stretched(pin, seal.salt, secret, seal.sealed.count))
    }
  }

  /// The token, once the person has confirmed.
  public func releaseByBiometrics() async throws(EnrollmentVaultError) -> SecretBytes? {
    tidy()
    guard let biometrics, let kept = try read(Name.biometric), let pad = try read(Name.pad, in: device),
      kept.count == pad.count
    else { return nil }
    let nothing = Bytes16(cryptography.randomBytes(16))!
    let context = ConfirmationContext(
      event: "unlock", kiosk: "this device", gate: "this device", session: SessionID(nothing),
      request: RequestID(nothing),
      transcript: cryptography.sha256(nothing.bytes.span))
    guard case .confirmed = await biometrics.confirm(context) else { return nil }
    return TokenSealing.combined(SecretBytes(kept), with: SecretBytes(pad))
  }

  /// Forgets everything.
  public func forget() throws(EnrollmentVaultError) {
    // The progress first: without it nothing else counts.
    let names = [
      Name.progress, Name.client, Name.token, Name.container, Name.relocked, Name.seal, Name.biometric,
    ]
    let paths = names.map { "\(folder)/\($0)" } + [Name.secret, Name.pad].map { "\(device)/\($0)" }
    for path in paths where !PrivateFile.remove(path) {
      throw EnrollmentVaultError("“\(path)” cannot be removed. May this user write into its folder?")
    }
    removeUnfinished()
  }

  /// Removes what the seal has taken the place of. An interrupted run may have left it.
  private func tidy() {
    // Where the removal fails now, the next unlocking does it.
    PrivateFile.remove("\(folder)/\(Name.token)")
    removeUnfinished()
    if (try? seal().version) == .scrypt { PrivateFile.remove("\(folder)/\(Name.container)") }
  }

  /// Removes what a kill in the middle of a write has left, which may hold the token. Whoever uses a vault is alone in it.
  private func removeUnfinished() {
    for place in [folder, device] { PrivateFile.removeUnfinished(in: place, olderThan: .zero) }
  }

  private struct Seal {
    let version: TokenSealing.Version
    let salt: [UInt8]
    let sealed: SecretBytes
  }

  private func seal() throws(EnrollmentVaultError) -> Seal {
    guard let bytes = try read(Name.seal), let text = VaultText(bytes),
      let version = text["version"].flatMap(UInt8.init).flatMap(TokenSealing.Version.init),
      let sealed = text["sealed"].flatMap({ CheckInCore.bytes(hexadecimal: $0) }),
      sealed.count == EnrollmentLimits.token
    else { throw damaged(Name.seal) }
    let salt = text["salt"].flatMap { CheckInCore.bytes(hexadecimal: $0) } ?? []
    guard version == .literal || salt.count == 16 else { throw damaged(Name.seal) }
    return Seal(version: version, salt: salt, sealed: SecretBytes(sealed))
  }

  private func stretched(
    _ pin: FourDigits, _ salt: [UInt8], _ secret: SecretBytes, _ count: Int
  ) async throws(EnrollmentVaultError) -> SecretBytes {
    let stretching = stretching
    return try await thread.run { () -> Result<SecretBytes, EnrollmentVaultError> in
      do throws(EnrollmentVaultError) {
        return .success(try stretching.key(pin, salt: salt, deviceSecret: secret, count: count))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  private func deviceSecret(makes: Bool) throws(EnrollmentVaultError) -> SecretBytes? {
    if var bytes = try read(Name.secret, in: device) {
      defer { SecretBytes.wipe(&bytes) }
      guard bytes.count == 32 else { throw damaged(Name.secret) }
      return SecretBytes(bytes)
    }
    guard makes else { return nil }
    var secret = cryptography.randomBytes(32)
    defer { SecretBytes.wipe(&secret) }
    try write(secret, Name.secret, in: device)
    return SecretBytes(secret)
  }

  /// The container's password on this device: a hash of the secret, under a name of its own.
  private func containerPassword(_ secret: SecretBytes) -> SecretBytes {
    var bytes = Array("container password".utf8) + secret.bytes
    defer { SecretBytes.wipe(&bytes) }
    return SecretBytes(cryptography.sha256(bytes.span).bytes).containerPassword
  }

  private func keptToken() throws(EnrollmentVaultError) -> SecretBytes? {
    guard var bytes = try read(Name.token) else { return nil }
    defer { SecretBytes.wipe(&bytes) }
    guard bytes.count == EnrollmentLimits.token else { throw damaged(Name.token) }
    return SecretBytes(bytes)
  }

  private func read(_ name: String, in place: String? = nil) throws(EnrollmentVaultError) -> [UInt8]? {
    do throws(PrivateFile.Failure) {
      return try PrivateFile.read("\(place ?? folder)/\(name)", limit: 1 << 20, isSecret: true)
    } catch {
      guard error.isMissing else { throw EnrollmentVaultError(error.description) }
      return nil
    }
  }

  private func write(_ bytes: [UInt8], _ name: String, in place: String? = nil) throws(EnrollmentVaultError) {
    try FileVault.files { () throws(PrivateFile.Failure) in
      try PrivateFile.write(bytes, to: "\(place ?? folder)/\(name)")
    }
  }

  private static func files(_ body: () throws(PrivateFile.Failure) -> Void) throws(EnrollmentVaultError) {
    do throws(PrivateFile.Failure) {
      try body()
    } catch {
      throw EnrollmentVaultError(error.description)
    }
  }

  private func damaged(_ name: String) -> EnrollmentVaultError {
    EnrollmentVaultError(
      "“\(folder)” cannot be used: its file “\(name)” is missing or damaged. Remove the folder and register again.")
  }
}

extension EnrollmentProgress {
  /// The progress that a file tells of; nil: none.
  fileprivate init?(_ text: VaultText) {
    switch text["progress"] {
    case "code_sent":
      guard let phone = text["phone"] else { return nil }
      self = .codeSent(phone: phone)
    case "registering":
      guard let phone = text["phone"], let code = text["code"].flatMap({ FourDigits($0) }),
        let request = text["request"].flatMap({ CheckInCore.bytes(hexadecimal: $0) }).flatMap({ Bytes16($0) })
      else { return nil }
      self = .registering(phone: phone, request: RequestID(request), code: code)
    case "granted":
      guard let url = text["url"], let token = text["token"].flatMap({ CheckInCore.bytes(hexadecimal: $0) }),
        token.count == EnrollmentLimits.token
      else { return nil }
      self = .granted(url: url, token: SecretBytes(token))
    case "enrolled": self = .enrolled
    case "sealed": self = .sealed
    default: return nil
    }
  }

  fileprivate var text: VaultText {
    switch self {
    case .fresh: VaultText([("progress", "fresh")])
    case .codeSent(let phone): VaultText([("progress", "code_sent"), ("phone", phone)])
    case .registering(let phone, let request, let code):
      VaultText([
        ("progress", "registering"), ("phone", phone), ("request", hexadecimal(request.value.bytes)),
        ("code", String(decoding: code.digits, as: UTF8.self)),
      ])
    case .granted(let url, let token):
      VaultText([("progress", "granted"), ("url", url), ("token", hexadecimal(token.bytes))])
    case .enrolled: VaultText([("progress", "enrolled")])
    case .sealed: VaultText([("progress", "sealed")])
    }
  }
}
