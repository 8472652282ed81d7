import COpenSSL
import Certificates
import CheckInCore
import PKCS12Container
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ContainerTests {
  let meetup: Meetup

  init() throws {
    meetup = try Meetup()
  }

  @Test("A container survives being written and read", arguments: SignatureAlgorithm.allCases)
  func roundTrip(algorithm: SignatureAlgorithm) throws {
    let container = try meetup.container(algorithm)
    let read = try PKCS12Container.read(try meetup.file(container), password: Meetup.password, now: VectorTests.now)
    #expect(read.key.publicKey == container.key.publicKey)
    #expect(try read.key.pkcs8().matches(container.key.pkcs8()))
    #expect(read.certificate == container.certificate && read.chain == [meetup.authority.certificate])
  }

  @Test("What is written has AES-256, PBKDF2 with SHA-256 and a strong count of iterations, by what openssl says")
  func strength() async throws {
    let container = try meetup.container()
    let password = SecretBytes(Array("secret".utf8))
    try await ProcessFolder.with { folder in
      let openssl = OpenSSLProgram(folder: folder)
      try openssl.write(try PKCS12Container.write(container, password: password), to: "ada.p12")
      let info = try await openssl.run("pkcs12 -in @ada.p12 -info -noout -passin pass:secret").errors
      let cipher = "PBES2, PBKDF2, AES-256-CBC, Iteration 600000, PRF hmacWithSHA256"
      for line in [
        "MAC: sha256, Iteration 600000", "salt length: 16", "PKCS7 Encrypted data: \(cipher)",
        "Shrouded Keybag: \(cipher)",
      ] {
        #expect(info.contains(line), "\(line) in \(info)")
      }
      try await openssl.run("pkcs12 -in @ada.p12 -noout -passin pass:wrong", succeeds: false)
      let file = try openssl.read("ada.p12")
      #expect(outcome(of: file, password) == "Ada Lovelace")
    }
  }

  @Test("Containers that the openssl program wrote are read, with each digest and size of key")
  func foreign() async throws {
    let container = try meetup.container(.es256)
    try await ProcessFolder.with { folder in
      let openssl = OpenSSLProgram(folder: folder)
      try openssl.write(container, key: "key.pem", certificate: "certificate.pem")
      let export = "pkcs12 -export -inkey @key.pem -in @certificate.pem -out @new.p12"
      for options in [
        "", "-macalg SHA1", "-macalg SHA512", "-keypbe AES-128-CBC -certpbe AES-192-CBC", "-certpbe NONE -keypbe NONE",
        "-iter 1 -nomaciter", "-iter 100000",
      ] {
        try await openssl.run("\(export) -passout pass:secret \(options)")
        let file = try openssl.read("new.p12")
        #expect(outcome(of: file, SecretBytes(Array("secret".utf8))) == "Ada Lovelace", "\(options)")
        #expect(outcome(of: file, SecretBytes(Array("Secret".utf8))) == "wrong_password", "\(options)")
      }
    }
  }

  @Test("No password is read in both of its encodings (R24)", arguments: [true, false])
  func noPassword(isNull: Bool) throws {
    let container = try meetup.container()
    // Unsafe: the password is a constant, or null.
    let file = try unsafe "".withCString { empty in
      let file = unsafe try #require(
        PKCS12_create(
          isNull ? nil : empty, nil, container.key.pointer, container.certificate.pointer, nil, NID_aes_256_cbc,
          NID_aes_256_cbc, 100, -1, 0))
      defer { unsafe PKCS12_free(file) }
      let made = unsafe PKCS12_set_mac(file, isNull ? nil : empty, 0, nil, 8, 100, EVP_sha256())
      #expect(made == 1)
      return try #require(unsafe derEncoding { unsafe i2d_PKCS12(file, $0) })
    }
    #expect(outcome(of: file, nil) == "Ada Lovelace")
    #expect(outcome(of: file, SecretBytes([])) == "Ada Lovelace")
    #expect(outcome(of: file, Meetup.password) == "wrong_password")
  }

  @Test("A container without a MAC is refused as that, encrypted or not (R24)")
  func noMAC() async throws {
    let container = try meetup.container()
    try await ProcessFolder.with { folder in
      let openssl = OpenSSLProgram(folder: folder)
      try openssl.write(container, key: "key.pem", certificate: "certificate.pem")
      for options in ["", "-certpbe NONE -keypbe NONE"] {
        try await openssl.run(
          "pkcs12 -export -nomac -inkey @key.pem -in @certificate.pem -out @new.p12 -passout pass:secret \(options)")
        #expect(outcome(of: try openssl.read("new.p12"), SecretBytes(Array("secret".utf8))) == "no_mac")
      }
    }
  }

  @Test("Outdated ciphers are refused, whichever part has them, and the command in the error converts them (R24)")
  func outdated() async throws {
    let container = try meetup.container(.es256)
    let secret = SecretBytes(Array("secret".utf8))
    try await ProcessFolder.with { folder in
      let openssl = OpenSSLProgram(folder: folder)
      try openssl.write(container, key: "key.pem", certificate: "certificate.pem")
      let export = "pkcs12 -export -inkey @key.pem -in @certificate.pem -out @OLD.p12 -passout pass:secret"
      for options in [
        "-legacy", "-keypbe PBE-SHA1-3DES", "-certpbe PBE-SHA1-3DES", "-legacy -keypbe PBE-SHA1-RC2-128",
        "-legacy -certpbe PBE-SHA1-RC4-128 -keypbe AES-256-CBC", "-keypbe DES-EDE3-CBC",
      ] {
        try await openssl.run("\(export) \(options)")
        let file = try openssl.read("OLD.p12")
        #expect(outcome(of: file, secret) == "outdated_cipher", "\(options)")
        #expect(outcome(of: file, secret, allowsOutdatedCipher: true) == "Ada Lovelace", "\(options)")
      }
      let old = try openssl.read("OLD.p12")
      let error = #expect(throws: ContainerError.self) {
        try PKCS12Container.read(old, password: secret, now: VectorTests.now)
      }
      let command = try #require(error?.message.split(separator: "with: ").last)
        .replacing("-legacy -in", with: "-legacy -passin pass:secret -in")
        .replacing("pkcs12 -export", with: "pkcs12 -export -passout pass:secret")
      let result = try await ChildProcess.finish("/bin/sh", ["-c", "cd \(folder.path) && \(command)"])
      #expect(result.exit == .status(0), "\(result.errors)")
      #expect(outcome(of: try openssl.read("NEW.p12"), secret) == "Ada Lovelace")
      #expect(throws: (any Error).self) { try openssl.read("TEMPORARY.pem") }
    }
  }

  @Test("Opening outdated ciphers changes nothing for the rest of the process")
  func nothingGlobal() throws {
    let file = try VectorFile.read("cert-rc2-key-3des")
    let password = SecretBytes(Array("cryptography".utf8))
    #expect(outcome(of: file, password, allowsOutdatedCipher: true) == ContainerVector.holder)
    #expect(unsafe OSSL_PROVIDER_available(nil, "legacy") == 0)
    #expect(unsafe EVP_CIPHER_fetch(nil, "RC2-40-CBC", nil) == nil)
    ERR_clear_error()
    #expect(outcome(of: file, password) == "outdated_cipher")
  }

  @Test("A container whose time is not now is refused as that, with five minutes of leeway (R21, R24)")
  func times() throws {
    let file = try meetup.file(try meetup.container())
    for (now, wanted) in [
      (1_699_999_699, "not_yet_valid"), (1_699_999_700, "Ada Lovelace"), (1_900_000_300, "Ada Lovelace"),
      (1_900_000_301, "expired"),
    ] as [(Int64, String)] {
      #expect(outcome(of: file, Meetup.password, now: now) == wanted)
    }
  }

  @Test("A key and a certificate that do not belong together are refused, in reading and in writing")
  func mismatch() throws {
    let (ada, bob) = (try meetup.container(), try meetup.container())
    let mixed = Container(key: ada.key, certificate: bob.certificate, chain: [])
    let error = #expect(throws: ContainerError.self) { try PKCS12Container.write(mixed, password: Meetup.password) }
    #expect(error?.code == .mismatch)
    // The library refuses to write such a file in one call, so it is put together: Ada's key and Bob's certificate.
    let file = try unsafe mixedFile(keys: [ada.key], certificate: bob.certificate.pointer)
    #expect(outcome(of: file, SecretBytes([])) == "mismatch")
  }

  @Test("Several private keys are refused, and the same one twice is one")
  func severalKeys() throws {
    let (ada, bob) = (try meetup.container(), try meetup.container())
    let two = try unsafe mixedFile(keys: [ada.key, bob.key], certificate: ada.certificate.pointer)
    #expect(outcome(of: two, SecretBytes([])) == "several_keys")
    let twice = try unsafe mixedFile(keys: [ada.key, ada.key], certificate: ada.certificate.pointer)
    #expect(outcome(of: twice, SecretBytes([])) == "Ada Lovelace")
  }

  @Test(
    "Keys of kinds that are not used here are refused as that",
    arguments: ["RSA", "EC -pkeyopt ec_paramgen_curve:P-384", "ED448"])
  func otherKeys(kind: String) async throws {
    try await ProcessFolder.with { folder in
      let openssl = OpenSSLProgram(folder: folder)
      try await openssl.run("genpkey -algorithm \(kind) -out @key.pem")
      try await openssl.run("req -x509 -key @key.pem -subj /CN=x -days 9000 -out @certificate.pem")
      try await openssl.run(
        "pkcs12 -export -inkey @key.pem -in @certificate.pem -out @new.p12 -passout pass:secret")
      #expect(outcome(of: try openssl.read("new.p12"), SecretBytes(Array("secret".utf8))) == "unsupported_key")
    }
  }

  @Test("What is no container is refused as that (R24)")
  func notContainers() throws {
    let certificate = try meetup.container().certificate.der
    let key = try meetup.container().key.pkcs8().bytes
    for file in [
      certificate, key, Array("-----BEGIN CERTIFICATE-----\n".utf8), Array("hello".utf8), [0], [0x30, 0xff],
      [UInt8](repeating: 0, count: 5000), [0x30, 0x03, 0x02, 0x01, 0x02], [0x31, 0x03, 0x02, 0x01, 0x03],
    ] {
      #expect(outcome(of: file, nil) == "not_pkcs12", "\(file.prefix(8))")
    }
    #expect(outcome(of: [0x30, 0x03, 0x02, 0x01, 0x03], nil) == "damaged")
  }

  @Test("A file above one mebibyte is refused, and one of that size is looked at")
  func tooLarge() throws {
    let header: [UInt8] = [0x30, 0x83, 0x0f, 0xff, 0xfb, 0x02, 0x01, 0x03]
    let large = header + [UInt8](repeating: 0, count: PKCS12Container.largest - header.count)
    #expect(outcome(of: large, nil) == "damaged")
    #expect(outcome(of: large + [0], nil) == "too_large")
  }

  @Test("Passwords that a container cannot have are refused in writing")
  func unusablePasswords() throws {
    let container = try meetup.container()
    for password in [[], [0x61, 0, 0x62], [0xff]] as [[UInt8]] {
      let error = #expect(throws: ContainerError.self) {
        try PKCS12Container.write(container, password: SecretBytes(password))
      }
      #expect(error?.code == .unusablePassword)
    }
  }

  @Test("No error has the password in it, nor the key (R20)")
  func secrets() throws {
    let password = SecretBytes(Array("Tr0ub4dor-and-3".utf8))
    for name in Set(ContainerVector.all.map(\.name)) {
      do throws(ContainerError) {
        _ = try PKCS12Container.read(try! VectorFile.read(name), password: password, now: VectorTests.now)
        Issue.record("\(name) was opened with a wrong password")
      } catch {
        let text = "\(error) \(error.cause.map { "\($0)" } ?? "")"
        #expect(!text.contains("Tr0ub4dor"))
      }
    }
  }

  @Test("The library's queue of errors is empty after each call, whatever it met")
  func noErrorsLeft() throws {
    let file = try meetup.file(try meetup.container())
    ERR_clear_error()
    for (file, password) in [
      (file, Meetup.password), (file, SecretBytes([1])), (Array(file.prefix(90)), Meetup.password),
      ([0x30, 0x03, 0x02, 0x01, 0x03], Meetup.password),
    ] {
      for allowed in [false, true] {
        _ = outcome(of: file, password, allowsOutdatedCipher: allowed)
        #expect(ERR_peek_error() == 0)
      }
    }
  }

  /// A container with keys and a certificate of the caller's choice, under an empty password.
  private func mixedFile(keys: [PrivateKey], certificate: OpaquePointer) throws -> [UInt8] {
    var bags: OpaquePointer?
    var safes: OpaquePointer?
    // Unsafe: the library's own objects, freed at the end.
    _ = unsafe PKCS12_add_cert(&bags, certificate)
    for key in keys { _ = unsafe PKCS12_add_key(&bags, key.pointer, 0, 100, NID_aes_256_cbc, "") }
    _ = unsafe PKCS12_add_safe(&safes, bags, -1, 0, nil)
    let file = unsafe try #require(PKCS12_add_safes(safes, 0))
    defer { unsafe PKCS12_free(file) }
    defer { unsafe OPENSSL_sk_pop_free(safes) { unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) } }
    defer { unsafe OPENSSL_sk_pop_free(bags) { unsafe PKCS12_SAFEBAG_free($0.map { OpaquePointer($0) }) } }
    #expect(unsafe PKCS12_set_mac(file, "", 0, nil, 8, 100, EVP_sha256()) == 1)
    return try #require(unsafe derEncoding { unsafe i2d_PKCS12(file, $0) })
  }
}
