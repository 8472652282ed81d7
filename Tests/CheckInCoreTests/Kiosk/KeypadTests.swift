internal import CheckInCore
internal import TestSupport
internal import Testing

/// What the keypad does with keys.
@Suite struct KeypadTests {
  private func boxes(_ scene: KioskScene) -> String {
    (scene.greeting?.boxes ?? []).map { box in
      switch box {
      case .empty: "_"
      case .masked: "*"
      case .shown(let digit): "\(digit)"
      }
    }.joined()
  }

  @Test("The last digit shows for 600 ms and is masked then, or as soon as another follows")
  func reveal() throws {
    let scene = KioskScene()
    _ = try scene.arrive("Ada")
    #expect(boxes(scene) == "_____")
    scene.kiosk.press(.digit(7))
    #expect(boxes(scene) == "7____")
    scene.world.advance(by: .milliseconds(599))
    #expect(boxes(scene) == "7____")
    scene.world.advance(by: .milliseconds(1))
    #expect(boxes(scene) == "*____")
    scene.kiosk.press(.digit(0))
    scene.world.advance(by: .milliseconds(300))
    scene.kiosk.press(.digit(9))
    #expect(boxes(scene) == "**9__")
    scene.world.advance(by: .milliseconds(599))
    #expect(boxes(scene) == "**9__")
    scene.world.advance(by: .milliseconds(1))
    #expect(boxes(scene) == "***__")
  }

  @Test("Backspace takes the last digit back, clear all of them, and neither shows an earlier one")
  func corrections() throws {
    let scene = KioskScene()
    _ = try scene.arrive("Ada")
    for digit in [1, 2, 3] as [UInt8] { scene.kiosk.press(.digit(digit)) }
    scene.kiosk.press(.backspace)
    #expect(boxes(scene) == "**___")
    scene.kiosk.press(.clear)
    #expect(boxes(scene) == "_____")
    let views = scene.kiosk.views.count
    scene.kiosk.press(.backspace)
    scene.kiosk.press(.clear)
    scene.kiosk.press(.digit(10))
    #expect(scene.kiosk.views.count == views)
  }

  @Test("Keys do nothing while digits are checked, and on any other screen than the greeting")
  func lockedWhileChecking() throws {
    let scene = KioskScene()
    scene.kiosk.press(.digit(1))
    #expect(scene.kiosk.views.count == 1)
    let ada = try scene.arrive("Ada")
    scene.kiosk.isHolding = true
    let wrong = scene.wrong(try #require(ada.pin))
    scene.type(wrong)
    #expect(boxes(scene) == "*****")
    scene.kiosk.press(.backspace)
    scene.kiosk.press(.clear)
    scene.type(try #require(ada.pin))
    scene.kiosk.release()
    scene.world.settle()
    #expect(boxes(scene) == "_____")
    #expect(scene.ledger.failures.count == 1)
    #expect(scene.ledger.admissions.isEmpty)
    scene.type(try #require(ada.pin))
    let views = scene.kiosk.views.count
    scene.kiosk.press(.digit(1))
    #expect(scene.kiosk.views.count == views)
  }

  @Test("R6: digits typed before the screen changed are not part of the next one's entry")
  func nextPersonStartsEmpty() throws {
    let scene = KioskScene()
    let ada = try scene.arrive("Ada")
    let grace = try scene.arrive("Grace", request: 2)
    for digit in [1, 2, 3, 4] as [UInt8] { scene.kiosk.press(.digit(digit)) }
    ada.line.abort(from: .phone)
    scene.world.settle()
    #expect(scene.greeting?.name == "Grace")
    #expect(boxes(scene) == "_____")
    scene.type(try #require(grace.pin))
    #expect(scene.ledger.admissions["attendee-Grace"] != nil)
  }

  @Test("R1: a PIN with leading zeros is typed and compared as text")
  func leadingZeros() throws {
    let scene = KioskScene(pins: 1)
    let ada = try scene.arrive("Ada")
    #expect(ada.pin?.digits == Array("00000".utf8))
    scene.type(PIN("00000")!)
    #expect(scene.ledger.admissions["attendee-Ada"] != nil)
  }

  @Test("R3: twenty failures within ten minutes rest the keypad, longer each time, while phones can go on")
  func keypadRests() throws {
    var settings = DeskSettings()
    settings.keypadDelay = FailureDelay(after: 4, first: .seconds(2), longest: .seconds(6), memory: .seconds(600))
    let scene = KioskScene(desk: settings)
    func fail(_ name: String, _ times: Int, request: UInt8) throws -> ScriptedPhone {
      let phone = try scene.arrive(name, request: request)
      for _ in 0..<times { scene.type(scene.wrong(try #require(phone.pin))) }
      return phone
    }
    _ = try fail("Mallory", 3, request: 1)
    scene.world.advance(by: .seconds(4))
    let ada = try fail("Ada", 1, request: 2)
    let until = scene.world.now.monotonic + .seconds(2)
    #expect(scene.greeting?.hint == .locked(until: until))
    scene.type(try #require(ada.pin))
    #expect(scene.ledger.admissions.isEmpty)
    scene.world.advance(by: .milliseconds(1999))
    scene.kiosk.press(.digit(1))
    #expect(boxes(scene) == "_____")
    scene.world.advance(by: .milliseconds(1))
    #expect(scene.greeting?.hint == .confirm)
    scene.type(scene.wrong(try #require(ada.pin)))
    #expect(scene.greeting?.hint == .locked(until: scene.world.now.monotonic + .seconds(4)))
    scene.kiosk.crash()
    let grace = try scene.arrive("Grace", request: 3)
    #expect(scene.greeting?.hint == .locked(until: scene.world.now.monotonic + .seconds(4)))
    try grace.confirm()
    scene.world.settle()
    #expect(try grace.answer()?.reason == .admitted)
    scene.world.advance(by: .seconds(600))
    #expect(try fail("Lin", 1, request: 4).isClosed == false)
    #expect(scene.greeting?.hint == .wrongPIN)
  }
}
