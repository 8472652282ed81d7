internal import CheckIn
internal import CheckInCore
internal import ExampleSupport
internal import OpenSSLCryptography

/// Passwords that are made for each container of an import, and the CSV file that they are written to. It is a secret.
struct OwnPasswords {
  private static let columns = ["id", "name", "password"]
  /// Letters and digits that nobody takes for one another; 32, so that a byte's last five bits choose one.
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

  private let path: String
  private var rows: [[String]] = []

  /// Makes the file, which must not be there.
  init(_ path: String) throws(ExampleError) {
    self.path = path
    try write(replacing: false)
  }

  /// A new password of a hundred random bits, which is in the file when ``write()`` is done.
  mutating func next(for id: String, name: String) -> SecretBytes {
    var random = OpenSSLCryptography().randomBytes(20)
    defer { SecretBytes.wipe(&random) }
    var text: [UInt8] = []
    for (index, byte) in random.enumerated() {
      if index > 0, index % 5 == 0 { text.append(0x2d) }
      text.append(Self.alphabet[Int(byte & 31)])
    }
    rows.append([id, name, String(decoding: text, as: UTF8.self)])
    return SecretBytes(text)
  }

  /// Writes all passwords so far.
  func write() throws(ExampleError) {
    try write(replacing: true)
  }

  private func write(replacing: Bool) throws(ExampleError) {
    try EventFolder.write(
      Array(CSVTable.text(columns: Self.columns, rows: rows).utf8), to: path, what: "file of passwords",
      access: .secret, replacing: replacing)
  }
}
