internal import CheckInCore
internal import EnrollmentCore
internal import TestSupport
internal import Testing

@Suite struct ValueTests {
  @Test(
    "A phone number is read as people type it, and shown as they write it",
    arguments: [
      ("+46 70-123 45 67", "+46701234567", "+46 70 123 45 67"), ("0046701234567", "+46701234567", "+46 70 123 45 67"),
      ("+1 (212) 555-0123", "+12125550123", "+1 212 555 0123"), ("+33123456789", "+33123456789", "+33 1 23 45 67 89"),
      ("+358401234567", "+358401234567", "+358 40 123 4567"), ("+3545551234", "+3545551234", "+354 555 1234"),
      ("+49 30 1234567", "+49301234567", "+49 301 234 567"),
    ])
  func reads(typed: String, text: String, grouped: String) throws {
    let number = try PhoneNumber(typed)
    #expect(number.text == text)
    #expect(number.grouped == grouped)
  }

  @Test(
    "What is no phone number is refused with what is wrong",
    arguments: [
      ("", PhoneNumber.Fault.length), ("0701234567", .noCountryCode), ("+46 70 12", .length),
      ("+4670123456789012", .length), ("+46x701234567", .character), ("++46701234567", .character),
      ("4+6701234567", .character), ("+0701234567", .countryCode), ("+28123456789", .countryCode),
      ("+٤٦٧٠١٢٣٤٥٦٧", .character),
    ])
  func refuses(typed: String, fault: PhoneNumber.Fault) {
    #expect(throws: fault) { try PhoneNumber(typed) }
  }

  @Test(
    "The code is found in its message, where there is exactly one",
    arguments: [
      ("Your code is 0471.", "0471"), ("4711", "4711"), ("Kod: 4711\nGiltig i 5 min", "4711"), ("Code 12345", nil),
      ("1234 or 5678", nil), ("no code", nil), ("٤٧١١", nil), ("", nil),
    ] as [(String, String?)])
  func codes(message: String, code: String?) {
    #expect(FourDigits(inMessage: message).map { String(decoding: $0.digits, as: UTF8.self) } == code)
  }

  @Test("Random digits are four, and come from the whole range")
  func random() {
    let cryptography = FakeCryptography(seed: 3)
    var firsts: Set<UInt8> = []
    for _ in 0..<400 {
      let digits = FourDigits(random: cryptography).digits
      #expect(digits.count == 4 && digits.allSatisfy { (48...57).contains($0) })
      firsts.insert(digits[0])
    }
    #expect(firsts.count == 10)
  }

  @Test("Version 0 is its own inverse, and every PIN gives a token")
  func literal() throws {
    let token = SecretBytes((0..<16).map { UInt8($0 * 13) })
    let pin = try #require(FourDigits("0471"))
    let kept = TokenSealing.literal(token, pin)
    // 0, 13, 26 and 39, exclusive-or the digits 0, 4, 7 and 1.
    #expect(Array(kept.bytes.prefix(4)) == [48, 57, 45, 22] as [UInt8])
    #expect(TokenSealing.literal(kept, pin).matches(token))
    #expect(!TokenSealing.literal(kept, try #require(FourDigits("0472"))).matches(token))
  }
}
