public import CheckInCore
public import EnrollmentCore

/// Keeps what a client must not lose and nobody else may have.
///
/// - **K1** What a call has stored survives the end of the program at any later instant; an interrupted call has stored all
///   or nothing.
/// - **K2** Nothing is readable by others than the owner.
public protocol EnrollmentVault: Sendable {
  /// How far it is.
  func progress() throws(EnrollmentVaultError) -> EnrollmentProgress
  /// The identifier of this installation; one is made where there is none.
  func client() throws(EnrollmentVaultError) -> Bytes16
  /// Stores the progress.
  func save(_ progress: EnrollmentProgress) throws(EnrollmentVaultError)
  /// Stores container and token, and the progress ``/EnrollmentCore/EnrollmentProgress/enrolled``.
  func saveContainer(_ container: [UInt8], token: SecretBytes) throws(EnrollmentVaultError)
  /// Seals the token under the PIN, deletes it, and stores the progress ``/EnrollmentCore/EnrollmentProgress/sealed``; answers with
  /// the token.
  func seal(_ pin: FourDigits) async throws(EnrollmentVaultError) -> SecretBytes
  /// The token that this PIN makes.
  func unseal(_ pin: FourDigits) async throws(EnrollmentVaultError) -> SecretBytes
  /// Asks the person by the authenticator, and releases the token; nil: it was not confirmed.
  func releaseByBiometrics() async throws(EnrollmentVaultError) -> SecretBytes?
  /// Forgets everything, the identifier of the installation too.
  func forget() throws(EnrollmentVaultError)
}

/// What a client keeps could not be read or written.
public struct EnrollmentVaultError: Error, Sendable, CustomStringConvertible {
  /// What happened, to what, what to do: for people.
  public let message: String

  /// An error with its explanation.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
