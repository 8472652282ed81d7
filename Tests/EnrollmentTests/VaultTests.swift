internal import CheckIn
internal import CheckInCore
internal import Enrollment
internal import EnrollmentCore
internal import FileVault
internal import Foundation
internal import MockBiometricAuthenticator
internal import OpenSSLCryptography
internal import ScryptSealing
internal import TestSupport
internal import Testing

@Suite("What a client keeps", .timeLimit(.minutes(2)))
struct VaultTests {
  private func vault(
    _ folder: ProcessFolder, _ version: TokenSealing.Version, _ sensor: MockBiometricProver.Behaviour = .accept
  ) throws -> FileVault {
    try FileVault(
      folder: folder.path("v"), device: folder.path("d"), version: version, stretching: ScryptSealing(cost: 16),
      cryptography: OpenSSLCryptography(), biometrics: MockBiometricProver(sensor)
    ) { container, old, new throws(EnrollmentVaultError) in container + old.bytes + new.bytes }
  }

  @Test(
    "A sealed token comes out with the right PIN, and another with every other: nothing here says which",
    arguments: TokenSealing.Version.allCases)
  func seals(version: TokenSealing.Version) async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes(OpenSSLCryptography().randomBytes(16))
      let pin = try #require(FourDigits("2580"))
      let vault = try vault(folder, version)
      try vault.saveContainer([1, 2, 3], token: token)
      #expect("\(try vault.progress())" == "enrolled")
      #expect(try await vault.seal(pin).matches(token))
      #expect("\(try vault.progress())" == "sealed")
      #expect(try await vault.unseal(pin).matches(token))
      for other in ["0000", "2581", "9999"] {
        let made = try await vault.unseal(try #require(FourDigits(other)))
        #expect(made.count == 16 && !made.matches(token))
      }
      #expect(try await vault.releaseByBiometrics()?.matches(token) == true)
      #expect(try await self.vault(folder, version, .reject).releaseByBiometrics() == nil)
      // Neither the token nor anything that holds it is left.
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let path = folder.path(name)
        guard let content = FileManager.default.contents(atPath: path) else { continue }
        #expect([UInt8](content).firstRange(of: token.bytes) == nil, "\(name)")
        #expect(try permissions(path) == 0o600, "\(name)")
      }
    }
  }

  @Test("Version 1 needs the device's secret, and keeps the container under a password of the device")
  func deviceSecret() async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes(OpenSSLCryptography().randomBytes(16))
      let vault = try vault(folder, .scrypt)
      try vault.saveContainer([1, 2, 3], token: token)
      #expect(try vault.container(token: nil)?.password.matches(token.containerPassword) == true)
      _ = try await vault.seal(try #require(FourDigits("2580")))
      let (bytes, password) = try #require(try vault.container(token: nil))
      #expect(bytes == [1, 2, 3] + token.containerPassword.bytes + password.bytes)
      #expect(!password.matches(token.containerPassword) && password.count == 64)
      try FileManager.default.removeItem(atPath: folder.path("d/secret"))
      await #expect(throws: EnrollmentVaultError.self) { try await vault.unseal(FourDigits("2580")!) }
      #expect(try vault.container(token: token) == nil)
    }
  }

  @Test("Version 0 keeps the container as it came: only the right token opens it")
  func literal() async throws {
    try await ProcessFolder.with { folder in
      let token = SecretBytes([UInt8](0..<16))
      let vault = try vault(folder, .literal)
      try vault.saveContainer([1, 2, 3], token: token)
      _ = try await vault.seal(try #require(FourDigits("2580")))
      #expect(try vault.container(token: nil) == nil)
      let (bytes, password) = try #require(try vault.container(token: token))
      #expect(bytes == [1, 2, 3] && password.matches(token.containerPassword))
    }
  }

  @Test("All progress is kept, the identifier stays, and all is forgotten when that is wanted")
  func progress() async throws {
    try await ProcessFolder.with { folder in
      let vault = try vault(folder, .scrypt)
      #expect("\(try vault.progress())" == "fresh")
      let client = try vault.client()
      #expect(try vault.client() == client)
      let request = RequestID(Bytes16([UInt8](0..<16))!)
      let token = SecretBytes([UInt8](0..<16))
      try vault.save(.codeSent(phone: "+46701234567"))
      #expect("\(try vault.progress())".contains("codeSent(phone: \"+46701234567\")"))
      try vault.save(.granted(url: "enroll:/container/1", token: token))
      if case .granted(let url, let kept) = try vault.progress() {
        #expect(url == "enroll:/container/1" && kept.matches(token))
      } else {
        Issue.record("the URL was not kept")
      }
      try vault.save(.registering(phone: "+46701234567", request: request, code: FourDigits("0042")!))
      if case .registering(let phone, let kept, let code) = try vault.progress() {
        #expect(phone == "+46701234567" && kept == request && code.matches(FourDigits("0042")!))
      } else {
        Issue.record("the request was not kept")
      }
      try vault.forget()
      #expect("\(try vault.progress())" == "fresh")
      #expect(try vault.client() != client)
      try folder.write("progress: somewhere\n", to: "v/progress")
      #expect(throws: EnrollmentVaultError.self) { try vault.progress() }
    }
  }

  // MARK: - Files that are not as they should be

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func sealed(_ folder: ProcessFolder) async throws -> FileVault {
    let vault = try vault(folder, .scrypt)
    try vault.saveContainer([1, 2, 3], token: SecretBytes([UInt8](0..<16)))
    _ = try await vault.seal(try #require(FourDigits("2580")))
    return vault
  }

  @Test(
    "A secret that others may read is refused, with the remedy",
    arguments: ["d/secret", "v/seal", "v/personal-device.p12"], [0o644, 0o640, 0o604])
  func openToOthers(name: String, mode: Int) async throws {
    try await ProcessFolder.with { folder in
      let vault = try await sealed(folder)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
      do {
        _ = try await vault.unseal(try #require(FourDigits("2580")))
        _ = try vault.container(token: nil)
        Issue.record("it was read")
      } catch let error as EnrollmentVaultError {
        #expect(error.message.contains("chmod 600 \(folder.path(name))"), "\(error.message)")
      }
    }
  }

  @Test("A folder that everybody may write into is refused, with the remedy")
  func openFolder() async throws {
    try await ProcessFolder.with { folder in
      _ = try vault(folder, .scrypt)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path("d"))
      #expect {
        _ = try vault(folder, .scrypt)
      } throws: {
        "\($0)".contains("chmod 700 \(folder.path("d"))")
      }
    }
  }

  @Test("A link, a pipe or a folder in the place of a file is an error at once", arguments: ["link", "pipe", "folder"])
  func otherKinds(kind: String) async throws {
    try await ProcessFolder.with { folder in
      let vault = try await sealed(folder)
      let path = folder.path("v/seal")
      try FileManager.default.moveItem(atPath: path, toPath: folder.path("elsewhere"))
      switch kind {
      case "link":
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("elsewhere"))
      case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
      default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      await #expect {
        _ = try await vault.unseal(FourDigits("2580")!)
      } throws: {
        "\($0)".contains(kind == "link" ? "symbolic link" : "no ordinary file")
      }
    }
  }

  @Test(
    "What a kill in the middle of a write has left is gone with the next unlocking, by PIN or face",
    arguments: [true, false])
  func leftovers(byFace: Bool) async throws {
    try await ProcessFolder.with { folder in
      let vault = try await sealed(folder)
      for name in ["v/.unfinished-abc123", "d/.unfinished-abc123", "v/token", "v/personal.p12"] {
        try folder.write("0123456789abcdef", to: name)
      }
      if byFace { _ = try await vault.releaseByBiometrics() } else { _ = try await vault.unseal(FourDigits("2580")!) }
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      #expect(!names.contains { $0.contains("unfinished") || $0 == "v/token" || $0 == "v/personal.p12" }, "\(names)")
    }
  }

  @Test("A file in the place of the folder is said to be none")
  func noFolder() async throws {
    try await ProcessFolder.with { folder in
      try folder.write("a file", to: "v")
      #expect { _ = try vault(folder, .scrypt) } throws: { "\($0)".contains("it is no folder") }
    }
  }

  @Test("What cannot be forgotten is said")
  func cannotForget() async throws {
    try await ProcessFolder.with { folder in
      let vault = try await sealed(folder)
      try FileManager.default.removeItem(atPath: folder.path("v/seal"))
      try FileManager.default.createDirectory(atPath: folder.path("v/seal"), withIntermediateDirectories: false)
      #expect(throws: EnrollmentVaultError.self) { try vault.forget() }
    }
  }
}
