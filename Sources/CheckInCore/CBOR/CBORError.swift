/// Why bytes are not the one deterministic CBOR item that was asked for.
public struct CBORError: Error, Hashable, Sendable {
  /// The kinds of failure.
  public enum Code: UInt8, Hashable, Sendable, CaseIterable {
    /// The bytes end inside an item, or a count promises more than there are bytes.
    case truncated
    /// Bytes follow the item.
    case trailingBytes
    /// A number, length or bignum is written in more bytes than it needs (RFC 8949 §4.2.1).
    case notShortest
    /// A length is left open (RFC 8949 §3.2).
    case indefiniteLength
    /// An additional information value that RFC 8949 §3 reserves.
    case reserved
    /// A float, `undefined`, or a simple value other than false, true and null: this protocol has no use for them.
    case unsupported
    /// Arrays, maps and tags are nested more than ``CBORReader/maximumDepth`` deep.
    case tooDeep
    /// The keys of a map are not in bytewise order.
    case keysNotSorted
    /// A key is in a map twice.
    case duplicateKey
    /// A text is not UTF-8 (RFC 3629).
    case notUTF8
    /// The item is well-formed and of another type than the one asked for.
    case wrongType
    /// The number does not fit the range asked for.
    case outOfRange
    /// The text, byte string, array or map is larger than the limit asked for.
    case tooLong
  }

  /// Which kind of failure.
  public let code: Code
  /// How many bytes into the input the failure is.
  public let offset: Int

  /// An error at a place.
  public init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// What is wrong, for people. It holds nothing of the content.
  public var message: String {
    "\(what) at byte \(offset)"
  }

  private var what: String {
    switch code {
    case .truncated: "the bytes end too early"
    case .trailingBytes: "bytes are left over"
    case .notShortest: "a number is not in its shortest form"
    case .indefiniteLength: "a length is left open"
    case .reserved: "a reserved value is used"
    case .unsupported: "a float or an unknown simple value is used"
    case .tooDeep: "the nesting is too deep"
    case .keysNotSorted: "the keys of a map are not sorted"
    case .duplicateKey: "a key is in a map twice"
    case .notUTF8: "a text is not UTF-8"
    case .wrongType: "an item has another type than expected"
    case .outOfRange: "a number is out of range"
    case .tooLong: "an item is longer than allowed"
    }
  }
}
