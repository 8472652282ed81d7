/// Who a kiosk is and what it accepts: the same for all its sessions.
public struct KioskProfile: Hashable, Sendable {
  /// An authenticator that the kiosk accepts.
  public struct OfferedAuthenticator: Hashable, Sendable {
    /// The name in the hello, at most 64 bytes.
    public let name: String
    /// Where the person confirms.
    public let place: ConfirmationPlace

    /// An authenticator's name and place.
    public init(name: String, place: ConfirmationPlace) {
      self.name = name
      self.place = place
    }
  }

  /// The event's name, for people.
  public let event: String
  /// The kiosk's name, for people and for the ledger.
  public let kiosk: String
  /// The gate that it stands at, at most 128 bytes.
  public let gate: String
  /// The kiosk's credential, signed by the issuer: at most 4096 bytes, sent in every hello.
  public let credential: [UInt8]
  /// What the kiosk accepts, best first; at most 16 (R14).
  public let authenticators: [OfferedAuthenticator]

  /// A profile.
  public init(
    event: String, kiosk: String, gate: String, credential: [UInt8], authenticators: [OfferedAuthenticator]
  ) {
    self.event = event
    self.kiosk = kiosk
    self.gate = gate
    self.credential = credential
    self.authenticators = authenticators
  }

  /// Whether digits typed on the keypad can confirm.
  public var offersKeypad: Bool {
    authenticators.contains { $0.place == .keypad }
  }

  /// Whether this authenticator is offered and confirms on the phone.
  func offersOnPhone(_ name: String) -> Bool {
    authenticators.contains { $0.name == name && $0.place == .phone }
  }
}
