import CheckIn
import CheckInCore
import Testing

private struct Fixed: TokenVerifier {
  let verdict: TokenVerdict

  func judge(_ token: [UInt8]) async -> TokenVerdict { verdict }
}

@Suite struct TokenVerifierChainTests {
  static let holder = TokenHolder(
    attendee: "1", name: "Ada", key: PublicKey(algorithm: .ed25519, bytes: [UInt8](repeating: 1, count: 32))!)

  @Test(
    "The first verifier that knows the token has the word; else the reason that says most is kept",
    arguments: [
      ([], .invalid(.unknown)),
      ([.invalid(.unknown), .invalid(.forged)], .invalid(.forged)),
      ([.invalid(.forged), .invalid(.unknown)], .invalid(.forged)),
      ([.invalid(.forged), .valid(holder)], .valid(holder)),
      ([.refused(.revoked, holder), .valid(holder)], .refused(.revoked, holder)),
    ] as [([TokenVerdict], TokenVerdict)])
  func chain(verdicts: [TokenVerdict], expected: TokenVerdict) async {
    let chain = TokenVerifierChain(verdicts.map { Fixed(verdict: $0) })
    #expect(await chain.judge([1]) == expected)
  }
}
