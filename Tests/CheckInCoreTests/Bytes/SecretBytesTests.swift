internal import CheckInCore
internal import Testing

@Suite struct SecretBytesTests {
  @Test("R20: secrets match only when all their bytes do, wherever they differ")
  func matches() {
    let bytes = [UInt8](0..<64)
    let secret = SecretBytes(bytes)
    #expect(secret.matches(SecretBytes(bytes)))
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        #expect(!secret.matches(SecretBytes(changed)), "byte \(index), bit \(bit)")
      }
      #expect(!secret.matches(SecretBytes(Array(bytes.prefix(index)))))
    }
  }

  @Test("R20: a secret has a buffer of its own, and wiping one leaves nothing to read")
  func wiping() {
    var source: [UInt8] = [1, 2, 3, 4, 5]
    let secret = SecretBytes(source)
    SecretBytes.wipe(&source)
    #expect(source.isEmpty)
    #expect(secret.bytes == [1, 2, 3, 4, 5] && secret.count == 5)
  }
}
