package import CheckIn
internal import CheckInCore
internal import Enrollment
package import EnrollmentCore
package import FileVault
internal import OpenSSLCryptography
internal import ScryptSealing

/// Where a client keeps what it must not lose, for the programs that open it.
package enum VaultOptions {
  /// The folder for what belongs to the device.
  package static let device = CommandLineArgument<String?>.option(
    "device", .directory,
    "Where the secret of this device is kept, which a stolen copy of the data must not have. Without it: the folder DIR-device "
      + "beside the data.")

  /// The vault of a folder.
  ///
  /// - Parameters:
  ///   - folder: the data.
  ///   - version: how a new PIN seals.
  ///   - biometrics: asks the person; nil: only the PIN is there.
  package static func vault(
    _ folder: String, device: String?, version: TokenSealing.Version = .scrypt,
    biometrics: (any AuthenticatorProver)?, clock: any CheckInClock
  ) throws(ExampleError) -> FileVault {
    var folder = folder[...]
    while folder.count > 1, folder.last == "/" { folder.removeLast() }
    do throws(EnrollmentVaultError) {
      return try FileVault(
        folder: String(folder), device: device ?? "\(folder)-device", version: version, stretching: ScryptSealing(),
        cryptography: OpenSSLCryptography(), biometrics: biometrics, relock: FileVault.relocking(clock: clock))
    } catch {
      throw ExampleError(.cannotCreate, error.message)
    }
  }
}
