internal import CheckInCore
internal import TestSupport

/// One kiosk, its ledger, and whoever comes.
struct KioskScene {
  let world: SimulationWorld
  let event: SimulationEvent
  let ledger = SimulationLedger()
  let kiosk: SimulationKiosk

  init(
    seed: UInt64 = 5, pins: UInt8? = nil, authenticators: [KioskProfile.OfferedAuthenticator] = [.biometric, .keypad],
    settings: KioskSettings = KioskSettings(), desk: DeskSettings = DeskSettings()
  ) {
    world = SimulationWorld(seed: 1)
    event = SimulationEvent(cryptography: SimulationCryptography(seed: seed, pins: pins))
    let (profile, key) = event.kiosk("Hall A", authenticators: authenticators)
    kiosk = SimulationKiosk(
      world: world, event: event, profile: profile, key: key, ledger: ledger, settings: settings, deskSettings: desk)
  }

  /// A phone that has connected and does nothing yet.
  func connect(_ name: String, serial: String = "1", peer: String? = nil) -> ScriptedPhone {
    connect(event.attendee(name, serial: serial), peer: peer)
  }

  func connect(_ ticket: (profile: AttendeeProfile, key: FakeSigningKey), peer: String? = nil) -> ScriptedPhone {
    let line = SimulationLine(world: world)
    let phone = ScriptedPhone(line, ticket, event.cryptography)
    kiosk.accept(line, peer: peer)
    world.settle()
    return phone
  }

  /// A phone that has its PIN.
  func arrive(_ name: String, request: UInt8 = 1, serial: String = "1") throws -> ScriptedPhone {
    let phone = connect(name, serial: serial)
    try phone.present(request: KioskScene.request(request))
    world.settle()
    _ = try phone.readAll()
    return phone
  }

  static func request(_ number: UInt8) -> RequestID {
    RequestID(Bytes16([UInt8](repeating: number, count: 16))!)
  }

  /// Types a PIN at the keypad.
  func type(_ pin: PIN) {
    kiosk.type(pin.digits)
    world.settle()
  }

  /// Digits that are not this PIN.
  func wrong(_ pin: PIN) -> PIN {
    var digits = pin.digits
    digits[4] = 48 + (digits[4] - 48 + 1) % 10
    return PIN(digits)!
  }

  var greeting: KioskView.Greeting? {
    if case .greeting(let greeting) = kiosk.view { greeting } else { nil }
  }

  var isWelcome: Bool {
    if case .welcome = kiosk.view { true } else { false }
  }

  /// How the sessions ended, in order.
  var ends: [SessionEnd] {
    kiosk.events.compactMap { if case .sessionEnded(_, let how) = $0 { how } else { nil } }
  }
}
