/// What a person would see on a terminal: the cells after everything that was written to it.
///
/// It knows what the programs use of ECMA-48 and xterm; anything else is remembered in ``unknown``, so that a test notices.
package struct TerminalPicture: Sendable {
  /// How many rows and columns.
  package private(set) var size: (rows: Int, columns: Int)
  /// The private modes that are on, such as 1049 for the second screen.
  package private(set) var modes: Set<Int> = [7, 25]
  /// Sequences that it does not know.
  package private(set) var unknown: [String] = []
  /// Bells, which nobody wants at a door.
  package private(set) var bells = 0

  /// The cells, row by row.
  package private(set) var cells: [[Character]]
  private var hidden: [[Character]]?
  private var row = 0
  private var column = 0
  private var pending: [UInt8] = []

  /// An empty terminal.
  package init(rows: Int, columns: Int) {
    size = (rows, columns)
    cells = TerminalPicture.blank(rows, columns)
  }

  /// The rows, without blanks at their ends.
  package var rows: [String] {
    cells.map { row in
      var row = row
      while row.last == " " { row.removeLast() }
      return String(row.filter { $0 != "\0" })
    }
  }

  /// All of it, a row on each line.
  package var text: String { rows.joined(separator: "\n") }

  /// Whether a text stands somewhere in one row.
  package func shows(_ text: String) -> Bool {
    rows.contains { $0.contains(text) }
  }

  /// Changes the size. The cells are cleared: what a program must draw again it must draw again.
  package mutating func resize(rows: Int, columns: Int) {
    size = (rows, columns)
    cells = TerminalPicture.blank(rows, columns)
    (row, column) = (0, 0)
  }

  /// Takes what a program wrote, in any pieces.
  package mutating func take(_ bytes: [UInt8]) {
    pending += bytes
    var index = 0
    while index < pending.count {
      guard let length = take(pending[index...]) else { break }
      index += length
    }
    pending.removeFirst(index)
  }

  /// Takes one thing from the start; nil when it is not all there yet.
  private mutating func take(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escape(bytes)
    case 0x07: bells += 1
    case 0x08: column = max(0, column - 1)
    case 0x0a: feedLine()
    case 0x0d: column = 0
    case ..<0x20: unknown.append("control \(first)")
    default: return character(bytes)
    }
    return 1
  }

  private mutating func feedLine() {
    guard row == size.rows - 1 else { return row += 1 }
    cells.removeFirst()
    cells += TerminalPicture.blank(1, size.columns)
  }

  private mutating func character(_ bytes: ArraySlice<UInt8>) -> Int? {
    let length =
      switch bytes[bytes.startIndex] {
      case ..<0x80: 1
      case ..<0xe0: 2
      case ..<0xf0: 3
      default: 4
      }
    guard bytes.count >= length else { return nil }
    let text = String(decoding: bytes.prefix(length), as: UTF8.self)
    guard let character = text.first else { return length }
    if column >= size.columns, modes.contains(7) {
      feedLine()
      column = 0
    }
    if row < size.rows, column < size.columns {
      cells[row][column] = character
      column += 1
    }
    return length
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 2 else { return nil }
    guard bytes[bytes.startIndex + 1] == UInt8(ascii: "[") else {
      unknown.append("escape \(bytes[bytes.startIndex + 1])")
      return 2
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { 0x40...0x7e ~= $0 }) else { return nil }
    let parameters = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
    control(Character(UnicodeScalar(bytes[end])), parameters)
    return end - bytes.startIndex + 1
  }

  private mutating func control(_ final: Character, _ parameters: String) {
    let numbers = parameters.filter { $0 != "?" }.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters.hasPrefix("?")) {
    case ("H", false):
      row = min(size.rows, max(1, numbers.first ?? 1)) - 1
      column = min(size.columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
    case ("J", false) where numbers.first == 2: cells = TerminalPicture.blank(size.rows, size.columns)
    case ("K", false) where numbers.isEmpty:
      for column in min(column, size.columns)..<size.columns { cells[row][column] = " " }
    case ("K", false) where numbers.first == 2: cells[row] = TerminalPicture.blank(1, size.columns)[0]
    case ("m", false): break
    case ("h", true): numbers.forEach { set($0, true) }
    case ("l", true): numbers.forEach { set($0, false) }
    default: unknown.append("\(parameters)\(final)")
    }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    let wasOn = modes.contains(mode)
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    guard mode == 1049, isOn != wasOn else { return }
    if isOn {
      hidden = cells
      cells = TerminalPicture.blank(size.rows, size.columns)
    } else {
      cells = hidden ?? TerminalPicture.blank(size.rows, size.columns)
      hidden = nil
    }
  }

  private static func blank(_ rows: Int, _ columns: Int) -> [[Character]] {
    Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }
}
