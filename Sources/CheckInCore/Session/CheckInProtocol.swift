/// Names and numbers that version 1 of the protocol fixes.
public enum CheckInProtocol {
  /// The version that this library speaks.
  public static var version: UInt64 { 1 }

  /// The reserved authenticator name that stands for the five digits typed on the kiosk's keypad. A phone falls back
  /// to the keypad only where a hello lists it (R14, R15).
  public static var keypadAuthenticator: String { "pin" }
}
