/// Something in a CSV file is not as it should be. It says where; it never repeats what stands there, which may be a secret.
public struct CSVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure. New ones may come: switch with a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, stable.
    public let description: String

    private init(_ name: String) {
      description = name
    }

    /// There is no header row, or it lacks a column, or has one twice, or one that nobody knows.
    public static let header = Code("header")
    /// A quote stands where none may, or one is never closed.
    public static let quote = Code("quote")
    /// The row has more or fewer fields than the header.
    public static let fieldCount = Code("field_count")
    /// The bytes are not UTF-8.
    public static let encoding = Code("encoding")
    /// A field's value is not what its column wants.
    public static let value = Code("value")
    /// A value stands in an earlier row already.
    public static let duplicate = Code("duplicate")
    /// There were so many errors that reading stopped.
    public static let tooMany = Code("too_many")
  }

  /// Which kind of failure.
  public let code: Code
  /// The line in the file, from 1, as editors count them.
  public let line: Int
  /// The character in the line, from 1; Unicode scalars are counted.
  public let column: Int
  /// What is wrong, and what to do, without the place.
  public let message: String

  /// An error.
  public init(_ code: Code, line: Int, column: Int, _ message: String) {
    self.code = code
    self.line = line
    self.column = column
    self.message = message
  }

  /// An error about a field.
  public init(_ code: Code, at field: CSVTable.Field, _ message: String) {
    self.init(code, line: field.line, column: field.column, message)
  }

  /// The place and the message.
  public var description: String { "line \(line), column \(column): \(message)" }
}
