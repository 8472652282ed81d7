package import CheckInCore

/// An event of a simulation: its issuer, its attendees, its kiosks, all made from names.
package struct SimulationEvent {
  package let cryptography: SimulationCryptography
  package let issuer = FakeSigningKey("issuer")
  /// The event's identifier.
  package let id = "swiftconf-2027"

  package init(cryptography: SimulationCryptography) {
    self.cryptography = cryptography
  }

  /// A kiosk's credential and key.
  package func kiosk(
    _ name: String, gate: String = "North",
    authenticators: [KioskProfile.OfferedAuthenticator] = [.biometric, .keypad],
    role: Credential.Role = .kiosk, event: String? = nil, signedBy issuer: FakeSigningKey? = nil,
    validity: Validity = Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: [])
  ) -> (profile: KioskProfile, key: FakeSigningKey) {
    let key = FakeSigningKey("kiosk \(name)")
    let bytes = sign(
      Credential(
        role: role, event: event ?? id, eventName: "SwiftConf", subject: "kiosk-\(name)", name: name,
        key: key.publicKey, serial: Array(name.utf8), validity: validity), issuer ?? self.issuer)
    let profile = KioskProfile(
      event: "SwiftConf", kiosk: name, gate: gate, credential: bytes, authenticators: authenticators)
    return (profile, key)
  }

  /// An attendee's ticket and key.
  package func attendee(
    _ name: String, role: Credential.Role = .attendee, event: String? = nil, signedBy issuer: FakeSigningKey? = nil,
    serial: String = "1", authenticators: [String] = ["mock-biometric", "pin"],
    shown: String? = nil, validity: Validity = Validity(issuedAt: nil, validFrom: nil, validUntil: nil, gates: [])
  ) -> (profile: AttendeeProfile, key: FakeSigningKey) {
    let key = FakeSigningKey("attendee \(name)")
    let bytes = sign(
      Credential(
        role: role, event: event ?? id, eventName: "SwiftConf", subject: "attendee-\(name)", name: name,
        key: key.publicKey, serial: Array(serial.utf8), validity: validity), issuer ?? self.issuer)
    let profile = AttendeeProfile(
      token: bytes, issuer: self.issuer.publicKey, event: id, authenticators: authenticators, name: shown)
    return (profile, key)
  }

  /// What a verifier of tickets says.
  package func judge(_ token: [UInt8], revoked: Set<[UInt8]> = []) -> TokenVerdict {
    do throws(CredentialError) {
      let credential = try Credential(token, issuedBy: issuer.publicKey, cryptography: cryptography)
      guard credential.role == .attendee else { return .invalid(.wrongRole) }
      guard credential.event == id else { return .refused(.wrongEvent, credential.holder) }
      return revoked.contains(token) ? .refused(.revoked, credential.holder) : .valid(credential.holder)
    } catch {
      switch error {
      case .notACredential: return .invalid(.unknown)
      case .forged: return .invalid(.forged)
      default: return .invalid(.malformed)
      }
    }
  }

  private func sign(_ credential: Credential, _ issuer: FakeSigningKey) -> [UInt8] {
    do throws(CredentialError) {
      return try credential.sign(by: issuer)
    } catch {
      preconditionFailure(error.message)
    }
  }
}

extension KioskProfile.OfferedAuthenticator {
  /// Confirms on the phone.
  package static let biometric = Self(name: "mock-biometric", place: .phone)
  /// Confirms on the kiosk's keypad.
  package static let keypad = Self(name: "pin", place: .keypad)
}
