/// A CSV file (RFC 4180) with a header row, read row by row: a row that is wrong is left out and named, the others stay.
///
/// Lines end with CR LF, LF or CR. A field may stand in quotes and then hold commas, line ends and doubled quotes. A
/// byte order mark is skipped, and so are empty lines and rows in which every field is empty.
public struct CSVTable: Sendable {
  /// One field and where it begins.
  public struct Field: Hashable, Sendable {
    /// The value, without quotes.
    public let text: String
    /// The line, from 1.
    public let line: Int
    /// The character in the line, from 1.
    public let column: Int

    /// A field.
    public init(text: String, line: Int, column: Int) {
      self.text = text
      self.line = line
      self.column = column
    }

    /// The value without spaces and tabs at its ends.
    public var trimmed: String {
      let isSpace = { (character: Character) in character == " " || character == "\t" }
      let start = text.drop(while: isSpace)
      return String(start.prefix(start.count - start.reversed().prefix(while: isSpace).count))
    }
  }

  /// One row below the header.
  public struct Row: Sendable {
    /// The line that it begins on, from 1.
    public let line: Int
    /// The fields, as many as there are columns.
    public let fields: [Field]
    fileprivate let positions: [String: Int]

    /// The field in a column, by the column's name; nil when the file has no such column.
    public subscript(_ column: String) -> Field? {
      positions[column].map { fields[$0] }
    }
  }

  /// The most errors that are collected before reading stops.
  public static let mostErrors = 1_000

  /// The names of the columns, in order, in lower case and without spaces at their ends.
  public let columns: [String]
  /// The rows that could be read, in order.
  public let rows: [Row]
  /// What was wrong with the others, in order.
  public let errors: [CSVError]

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The whole file, UTF-8.
  ///   - required: Columns that must be there. Names are in lower case.
  ///   - optional: Columns that may be there; nil: any others may.
  /// - Throws: what is wrong with the header row, so that no row can be read.
  public init(_ bytes: [UInt8], required: [String], optional: [String]? = nil) throws(CSVError) {
    var records = CSVRecords(bytes)
    var errors: [CSVError] = []
    let header = try records.next()
    guard let header else {
      throw CSVError(.header, line: 1, column: 1, "The file is empty. Its first row must name the columns.")
    }
    let positions = try CSVTable.positions(of: header, required: required, optional: optional)
    var rows: [Row] = []
    while true {
      do throws(CSVError) {
        guard let fields = try records.next() else { break }
        let row = Row(line: fields[0].line, fields: fields, positions: positions)
        try row.check(columns: header.count)
        rows.append(row)
      } catch {
        errors.append(error)
        guard errors.count < CSVTable.mostErrors else {
          let stop = "There are too many errors. The rest of the file was not read."
          errors.append(CSVError(.tooMany, line: error.line, column: error.column, stop))
          break
        }
      }
    }
    columns = header.map { $0.trimmed.lowercased() }
    self.rows = rows
    self.errors = errors
  }

  private static func positions(
    of header: [Field], required: [String], optional: [String]?
  ) throws(CSVError) -> [String: Int] {
    let known = optional.map { required + $0 }
    var positions: [String: Int] = [:]
    for (position, field) in header.enumerated() {
      let name = field.trimmed.lowercased()
      guard positions.updateValue(position, forKey: name) == nil else {
        throw CSVError(.header, at: field, "The column “\(name)” stands twice.")
      }
      if let known, !known.contains(name) {
        throw CSVError(
          .header, at: field,
          "“\(name.prefix(40))” is not a column here. The columns are \(known.inWords).")
      }
    }
    if let missing = required.first(where: { positions[$0] == nil }) {
      throw CSVError(
        .header, at: header[0],
        "The column “\(missing)” is missing. The first row must name \(required.inWords).")
    }
    return positions
  }
}

extension CSVTable.Row {
  fileprivate func check(columns: Int) throws(CSVError) {
    guard fields.count != columns else { return }
    let place = fields.count > columns ? fields[columns] : fields[fields.count - 1]
    throw CSVError(
      .fieldCount, at: place,
      "The row has \(fields.count) \(fields.count == 1 ? "field" : "fields") where the header has \(columns).")
  }
}

extension CSVTable {
  /// Writes a file: a header row and rows, each ended by CR LF. Fields are quoted where they must be.
  ///
  /// - Precondition: each row has as many fields as there are columns.
  public static func text(columns: [String], rows: some Sequence<[String]>) -> String {
    var text = line(columns)
    for row in rows {
      precondition(row.count == columns.count, "a row that does not fit the columns")
      text += line(row)
    }
    return text
  }

  private static func line(_ fields: [String]) -> String {
    let quoted = fields.map { field in
      let special = field.utf8.contains { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a || $0 == 0x0d }
      let isRisky = field.utf8.first == 0x20 || field.utf8.last == 0x20 || field.utf8.starts(with: [0xef, 0xbb, 0xbf])
      guard special || isRisky else { return field }
      return "\"\(field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
    return quoted.joined(separator: ",") + "\r\n"
  }
}
