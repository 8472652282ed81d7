/// Bytes that are wiped from memory when the last copy of this value is gone (R20).
///
/// Copies share one buffer. A caller that takes ``bytes`` out has a copy of its own to care for; ``wipe(_:)`` clears it.
public struct SecretBytes: Sendable {
  private let storage: Storage

  /// Copies the bytes; the caller's own copy is the caller's to wipe.
  public init(_ bytes: [UInt8]) {
    storage = Storage(bytes)
  }

  /// The bytes.
  public var bytes: [UInt8] { unsafe storage.bytes }

  /// How many there are.
  public var count: Int { unsafe storage.bytes.count }

  /// Whether both hold the same bytes, in time that depends on their number alone.
  public func matches(_ other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<count {
      unsafe difference |= storage.bytes[index] ^ other.storage.bytes[index]
    }
    return difference == 0
  }

  /// Overwrites the buffer with zeros, where it is, and empties it. The buffer must have no other owner.
  public static func wipe(_ bytes: inout [UInt8]) {
    var zeros = bytes.mutableSpan
    for index in zeros.indices {
      zeros[index] = 0
    }
    look(at: &bytes)
    bytes = []
  }

  /// Does nothing, and the compiler must not know it: bytes that somebody may look at are really written.
  @inline(never) @_optimize(none)
  private static func look(at bytes: inout [UInt8]) {}

  private final class Storage: Sendable {
    // SAFETY: written once in `init` and then only in `deinit`, when no one else can hold a reference.
    nonisolated(unsafe) fileprivate private(set) var bytes: [UInt8]

    init(_ source: [UInt8]) {
      // A buffer of its own: sharing the source's would make `wipe` clear a copy and leave the original.
      var own: [UInt8] = []
      own.reserveCapacity(source.count)
      for byte in source {
        own.append(byte)
      }
      unsafe bytes = own
    }

    deinit {
      unsafe SecretBytes.wipe(&bytes)
    }
  }
}
