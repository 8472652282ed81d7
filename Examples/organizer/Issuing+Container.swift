internal import Certificates
internal import CheckInCore
internal import ExampleSupport

extension Issuing {
  /// A container for a key that has a ticket or a kiosk's credential: the same holder, times and serial. Gates stand in the
  /// ticket alone.
  func container(
    _ role: CertificateRole, id: String, name: String, validity: Validity, identity: IssuedIdentity,
    password: SecretBytes, now: WallTime
  ) throws(ExampleError) -> [UInt8] {
    let key: PrivateKey
    do throws(FileError) {
      key = try PrivateKey(identity.key)
    } catch {
      throw ExampleError(error)
    }
    return try ContainerIssuing(issuer: issuer, key: issuerKey).container(
      role, id: id, name: name, validity: validity, key: key, serial: identity.serial, password: password, now: now
    ).bytes
  }

  /// Writes a container, and says so.
  func write(
    _ container: [UInt8], to path: String, of name: String, replacing: Bool
  ) throws(ExampleError) {
    try EventFolder.write(container, to: path, what: "container", access: .secret, replacing: replacing)
    LineOutput.standardOutput.writeLine("\(path): the container of \(name), under the password.")
  }
}
