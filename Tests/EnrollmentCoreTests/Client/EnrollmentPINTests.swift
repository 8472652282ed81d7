internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

/// The client's state machine around the PIN.
@Suite struct EnrollmentPINTests {
  @Test("Log-in: a wrong PIN says how many are left, biometrics release the same token, a lock is the end")
  func login() {
    let rig = ClientRig(.sealed)
    #expect(rig.screen == .login(entered: 0) && rig.request == nil)
    rig.type("1111")
    guard case .unseal? = rig.actions.last else { return #expect(Bool(false), "not unsealed") }
    rig.put(.token(ClientRig.token))
    rig.answer(.wrongPIN) { $0.attemptsLeft = 4 }
    #expect(rig.question == .wrongPIN(attemptsLeft: 4))
    rig.put(.dialog(true))
    rig.put(.useBiometrics)
    guard case .askBiometrics? = rig.actions.last else { return #expect(Bool(false), "not asked") }
    rig.put(.biometricsFailed)
    #expect(rig.question == .usePIN)
    rig.put(.dialog(true))
    rig.put(.useBiometrics)
    rig.put(.token(ClientRig.token))
    rig.answer(.locked)
    #expect(rig.screen == .locked && rig.outcome == .locked)
  }

  @Test("A container that does not open with the token is a wrong PIN")
  func containerLocked() {
    let rig = ClientRig(.sealed)
    rig.type("1111")
    rig.put(.token(ClientRig.token))
    rig.put(.failed(.containerLocked))
    #expect(rig.question == .wrongPIN(attemptsLeft: nil))
  }

  @Test("Two PINs that differ are chosen again")
  func differentPINs() {
    let rig = ClientRig(.enrolled)
    rig.status(.done)
    rig.type("25801111")
    #expect(rig.question == .differentPINs)
    rig.put(.dialog(true))
    #expect(rig.screen == .choosePIN(entered: 0, again: false))
  }
}
