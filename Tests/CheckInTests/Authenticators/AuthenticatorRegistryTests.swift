import CheckIn
import CheckInCore
import Testing

private struct Named: AuthenticatorVerifier {
  let name: String
  let place = ConfirmationPlace.phone

  func accepts(_ evidence: [UInt8], for context: ConfirmationContext) async -> Bool { false }
}

@Suite struct AuthenticatorRegistryTests {
  func code(_ names: [String]) -> AuthenticatorRegistryError.Code? {
    do throws(AuthenticatorRegistryError) {
      _ = try AuthenticatorRegistry(names.map { Named(name: $0) })
      return nil
    } catch {
      return error.code
    }
  }

  @Test("R14: a registry keeps the order of preference and knows exactly what it was given")
  func order() throws {
    let registry = try AuthenticatorRegistry([Named(name: "pin"), Named(name: "mock-biometric")])
    #expect(registry.names == ["pin", "mock-biometric"])
    #expect(registry.verifier(named: "pin")?.name == "pin")
    for other in ["", "pi", "pin ", "PIN", "pin2", "passkey"] {
      #expect(registry.verifier(named: other) == nil)
    }
  }

  @Test("A name that stands twice is an error that says which")
  func duplicate() {
    do throws(AuthenticatorRegistryError) {
      _ = try AuthenticatorRegistry([Named(name: "pin"), Named(name: "a"), Named(name: "pin")])
      Issue.record("a duplicate was taken")
    } catch {
      #expect(error.code == .duplicate && error.message.contains("“pin”"))
    }
  }

  @Test("Names and their number have limits, so that every hello can list them")
  func limits() {
    #expect(code([]) == .empty)
    #expect(code((1...16).map { "a\($0)" }) == nil)
    #expect(code((1...17).map { "a\($0)" }) == .tooMany)
    #expect(code([String(repeating: "a", count: 64)]) == nil)
    for bad in ["", String(repeating: "a", count: 65), "Pin", "a b", "a\0", "é", "a_b"] {
      #expect(code([bad]) == .name)
    }
  }
}
