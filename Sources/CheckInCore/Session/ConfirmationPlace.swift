/// Where a person confirms with an authenticator.
public enum ConfirmationPlace: String, Hashable, Sendable {
  /// On the phone, which sends the check-in request by itself.
  case phone
  /// On the kiosk's keypad, where the person types the PIN.
  case keypad
}
