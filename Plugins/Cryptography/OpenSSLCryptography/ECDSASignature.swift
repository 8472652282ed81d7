/// The two forms of an ECDSA signature on P-256: `r` then `s`, 32 bytes each, as COSE has it (RFC 9053 §2.1), and the
/// DER sequence of two integers that the library has (RFC 3279 §2.2.3).
enum ECDSASignature {
  /// The DER form of 64 raw bytes; nil for any other count. Whether the numbers are in range is the library's to judge.
  static func der(raw: Span<UInt8>) -> [UInt8]? {
    guard raw.count == 64 else { return nil }
    var body: [UInt8] = []
    body.reserveCapacity(72)
    body += [0x30, 0]
    appendInteger(raw.extracting(0..<32), to: &body)
    appendInteger(raw.extracting(32..<64), to: &body)
    body[1] = UInt8(body.count - 2)
    return body
  }

  /// The 64 raw bytes of a DER signature; nil when it is not exactly two non-negative integers of at most 32 bytes.
  static func raw(der: Span<UInt8>) -> [UInt8]? {
    guard der.count >= 2, der[0] == 0x30, der[1] < 0x80, Int(der[1]) == der.count - 2 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(64)
    var position = 2
    for _ in 0..<2 {
      guard position + 2 <= der.count, der[position] == 0x02 else { return nil }
      var start = position + 2
      let end = start + Int(der[position + 1])
      guard end <= der.count, start < end, der[start] < 0x80 else { return nil }
      position = end
      while end - start > 32, der[start] == 0 {
        start += 1
      }
      guard end - start <= 32 else { return nil }
      for _ in 0..<(32 - (end - start)) {
        result.append(0)
      }
      for index in start..<end {
        result.append(der[index])
      }
    }
    return position == der.count ? result : nil
  }

  /// Appends one integer in its shortest form: no leading zeros but the one that keeps it from being negative.
  private static func appendInteger(_ number: Span<UInt8>, to body: inout [UInt8]) {
    var start = 0
    while start < number.count - 1, number[start] == 0 {
      start += 1
    }
    let padded = number[start] >= 0x80
    body += [0x02, UInt8(number.count - start + (padded ? 1 : 0))]
    if padded { body.append(0) }
    for index in start..<number.count {
      body.append(number[index])
    }
  }
}
