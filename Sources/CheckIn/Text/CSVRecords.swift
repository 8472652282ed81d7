/// Cuts the bytes of a CSV file into records, and keeps count of lines and columns.
///
/// After an error it goes on with the line behind the one on which the wrong record began: a quote that was never
/// closed costs its own row and no other.
struct CSVRecords {
  private let bytes: [UInt8]
  private var position: Int
  private var line = 1
  private var column = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
  }

  /// The next record that is not empty; nil at the end.
  mutating func next() throws(CSVError) -> [CSVTable.Field]? {
    while position < bytes.count {
      let start = (position: position, line: line)
      do throws(CSVError) {
        let fields = try record()
        if fields.contains(where: { !$0.text.isEmpty }) { return fields }
      } catch {
        (position, line, column) = (start.position, start.line, 1)
        while position < bytes.count, !takeLineEnd() {
          step()
        }
        throw error
      }
    }
    return nil
  }

  private mutating func record() throws(CSVError) -> [CSVTable.Field] {
    var fields: [CSVTable.Field] = []
    while true {
      fields.append(current == quote ? try quotedField() : try plainField())
      if current == comma {
        step()
      } else {
        // A field ends at a comma, at a line's end or at the file's.
        _ = takeLineEnd()
        return fields
      }
    }
  }

  private mutating func plainField() throws(CSVError) -> CSVTable.Field {
    let (start, line, column) = (position, line, column)
    while let byte = current, byte != comma, byte != carriageReturn, byte != lineFeed {
      guard byte != quote else {
        throw CSVError(
          .quote, line: line, column: self.column,
          "A quote stands inside a field that does not begin with one. Put the whole field in quotes, and double this one."
        )
      }
      step()
    }
    return try field(Array(bytes[start..<position]), line, column)
  }

  private mutating func quotedField() throws(CSVError) -> CSVTable.Field {
    let (line, column) = (line, column)
    var text: [UInt8] = []
    step()
    while let byte = current {
      if byte == quote {
        step()
        guard current == quote else {
          guard current.map({ [comma, carriageReturn, lineFeed].contains($0) }) ?? true else {
            throw misplacedEnd(line, column)
          }
          return try field(text, line, column)
        }
        text.append(quote)
        step()
      } else {
        let start = position
        if !takeLineEnd() { step() }
        text += bytes[start..<position]
      }
    }
    throw CSVError(.quote, line: line, column: column, "The quote that begins here is never closed.")
  }

  /// The error for a quote that ends a field, which began at the given place, in the middle of something.
  private func misplacedEnd(_ line: Int, _ column: Int) -> CSVError {
    guard self.line != line else {
      return CSVError(
        .quote, line: self.line, column: self.column,
        "Something follows the quote that ends a field. Double the quotes that belong to the field.")
    }
    return CSVError(
      .quote, line: line, column: column,
      "The quote that begins here meets its end in line \(self.line), in the middle of a field. Close it where it belongs."
    )
  }

  private func field(_ bytes: [UInt8], _ line: Int, _ column: Int) throws(CSVError) -> CSVTable.Field {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CSVError(.encoding, line: line, column: column, "The field is not UTF-8. Save the file as UTF-8.")
    }
    return CSVTable.Field(text: text, line: line, column: column)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Goes one byte on, inside a line.
  private mutating func step() {
    position += 1
    // The bytes that continue a scalar are no columns of their own.
    if current.map({ $0 & 0xc0 != 0x80 }) ?? true { column += 1 }
  }

  /// Goes past a line's end, if one is here.
  private mutating func takeLineEnd() -> Bool {
    guard let byte = current, byte == carriageReturn || byte == lineFeed else { return false }
    position += 1
    if byte == carriageReturn, current == lineFeed { position += 1 }
    line += 1
    column = 1
    return true
  }
}

private let quote: UInt8 = 0x22
private let comma: UInt8 = 0x2c
private let carriageReturn: UInt8 = 0x0d
private let lineFeed: UInt8 = 0x0a
