internal import COpenSSL
internal import Foundation

/// Real containers, changed at random by a seed: the same seed gives the same files.
package struct ContainerMutation {
  /// The password of the files whose name begins with this in the corpus, and of every file that gets a new MAC.
  package static let password = "cryptography"

  private let corpus: [[UInt8]]
  private var draws: Draws

  /// Mutations of the containers in these folders.
  package init(folders: [String], seed: UInt64) throws {
    var files: [[UInt8]] = []
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".p12") {
        files.append(Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))))
      }
    }
    guard !files.isEmpty else { throw CocoaError(.fileNoSuchFile) }
    corpus = files
    draws = Draws(seed: seed)
  }

  /// How many files the corpus has.
  package var corpusSize: Int { corpus.count }

  /// The next file. Two of three that still can be read get a MAC that is right, so that what lies behind the MAC is met.
  package mutating func next() -> [UInt8] {
    var file = corpus[draws.below(corpus.count)]
    for _ in 0...draws.below(4) { mutate(&file) }
    return draws.below(3) == 0 ? file : ContainerMutation.withNewMAC(file) ?? file
  }

  private mutating func mutate(_ file: inout [UInt8]) {
    guard !file.isEmpty else { return file.append(UInt8(draws.below(256))) }
    let place = draws.below(file.count)
    switch draws.below(9) {
    case 0, 1: file[place] ^= 1 << draws.below(8)
    case 2: file[place] = UInt8(draws.below(256))
    case 3: file[place] = [0, 1, 2, 4, 5, 6, 0x30, 0x31, 0x7f, 0x80, 0x84, 0xa0, 0xff][draws.below(13)]
    case 4: file.removeSubrange(place..<min(file.count, place + 1 + draws.below(16)))
    case 5:
      let end = min(file.count, place + 1 + draws.below(32))
      file.insert(contentsOf: Array(file[place..<end]), at: draws.below(file.count))
    case 6:
      let other = corpus[draws.below(corpus.count)]
      let start = draws.below(other.count)
      let piece = other[start..<min(other.count, start + 1 + draws.below(64))]
      file.replaceSubrange(place..<min(file.count, place + piece.count), with: piece)
    case 7: removeValue(from: &file, near: place)
    default: file.removeLast(draws.below(min(file.count, 40)))
    }
  }

  /// Takes a whole value of ASN.1 out and mends no length around it, or empties it.
  private mutating func removeValue(from file: inout [UInt8], near place: Int) {
    guard let start = file[place...].firstIndex(where: { [0x02, 0x04, 0x05, 0x06, 0x30, 0xa0].contains($0) }),
      start + 1 < file.count, file[start + 1] < 0x80
    else { return }
    let end = min(file.count, start + 2 + Int(file[start + 1]))
    if draws.below(2) == 0 {
      file.removeSubrange(start..<end)
    } else {
      // The same size, and another kind: null, an empty string, a false.
      file[start] = [0x05, 0x04, 0x01, 0x0c, 0x80][draws.below(5)]
    }
  }

  /// The file with a MAC that is right for the password; nil when the library cannot read or write it.
  private static func withNewMAC(_ file: [UInt8]) -> [UInt8]? {
    defer { ERR_clear_error() }
    // Unsafe: the library reads the bytes during the call only.
    let container = unsafe file.withUnsafeBufferPointer { buffer in
      var position = buffer.baseAddress
      return unsafe d2i_PKCS12(nil, &position, buffer.count)
    }
    guard let container = unsafe container else { return nil }
    defer { unsafe PKCS12_free(container) }
    // What the library would not check itself before it makes a MAC.
    guard unsafe PKCS12_unpack_authsafes(container).map({ unsafe free($0) }) != nil else { return nil }
    let count = Int32(password.utf8.count)
    guard unsafe PKCS12_set_mac(container, password, count, nil, 8, 1, EVP_sha256()) == 1 else { return nil }
    let size = unsafe i2d_PKCS12(container, nil)
    guard size > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var position = buffer.baseAddress
      return unsafe i2d_PKCS12(container, &position)
    }
    return written == size ? bytes : nil
  }

  private static func free(_ contents: OpaquePointer) {
    unsafe OPENSSL_sk_pop_free(contents) { unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self)) }
  }
}

/// Numbers that follow from a seed (SplitMix64).
private struct Draws {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A number from 0 to below `limit`.
  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }
}
