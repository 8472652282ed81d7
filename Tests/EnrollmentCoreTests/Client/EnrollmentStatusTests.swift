internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// What the client's state machine does with the server's status.
@Suite struct EnrollmentStatusTests {
  @Test("A rejection leads to the camera with its reason", arguments: [EnrollmentStatus.passportPhoto, .selfie])
  func rejected(status: EnrollmentStatus) {
    let rig = ClientRig(.enrolled)
    rig.status(.processing)
    rig.put(.timerFired(.processing))
    rig.status(status, reason: "It is blurred.")
    #expect(rig.screen == .camera(status == .selfie ? .selfie : .passport, reason: "It is blurred."))
  }

  @Test("223 has a cap: then the person is asked, and can go on later")
  func cap() {
    let rig = ClientRig(.enrolled)
    var checks = 0
    while rig.question == nil {
      rig.status(.processing)
      checks += 1
      if rig.question == nil { rig.put(.timerFired(.processing)) }
      #expect(checks <= 30)
    }
    #expect(checks == 30 && rig.question == .takesLonger)
    rig.put(.dialog(true))
    rig.status(.processing)
    #expect(rig.timers == [.processing])
    rig.put(.cancel)
    #expect(rig.outcome == .stopped)
  }

  @Test(
    "An unknown status is shown with its number and reported, and nothing is asked again",
    arguments: [1, 221, 229, UInt64.max])
  func unknown(number: UInt64) {
    let rig = ClientRig(.enrolled)
    let status = EnrollmentStatus(rawValue: number)
    rig.status(status)
    #expect(rig.screen == .unknownStatus(status) && rig.outcome == .unknownStatus(status))
    #expect(rig.events.last == .unknownStatus(status) && rig.request == nil && rig.timers.isEmpty)
    rig.put(.timerFired(.processing))
    #expect(rig.actions.isEmpty)
  }

  @Test(
    "A container that is gone, or replaced, means to begin again: all is forgotten, or nothing",
    arguments: [EnrollmentResult.gone, .usePersonal, .notAllowed])
  func gone(result: EnrollmentResult) {
    for yes in [true, false] {
      let rig = ClientRig(.granted(url: "enroll:/container/1", token: ClientRig.token))
      rig.answer(result)
      #expect(rig.question == .registerAgain(result))
      rig.put(.dialog(yes))
      #expect(rig.actions.contains { if case .forget = $0 { true } else { false } } == yes)
      #expect(yes ? rig.screen == .phone : rig.outcome == .stopped)
    }
    let rig = ClientRig(.enrolled)
    rig.answer(.replaced)
    #expect(rig.question == .registerAgain(.replaced))
  }
}
