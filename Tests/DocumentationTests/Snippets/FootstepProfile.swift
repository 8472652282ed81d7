internal import CheckInCore

/// WritingAnAuthenticator.md: a kiosk that offers it.
func footstepProfile(_ credential: [UInt8]) -> KioskProfile {
  let profile = KioskProfile(
    event: "Swift Meetup", kiosk: "Hall A", gate: "North", credential: credential,
    authenticators: [.init(name: "footstep", place: .phone), .init(name: "pin", place: .keypad)])
  return profile
}
