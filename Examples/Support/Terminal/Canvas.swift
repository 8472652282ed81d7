/// A rectangle of cells.
package struct CanvasArea: Hashable, Sendable {
  /// The first row.
  package let row: Int
  /// The first column.
  package let column: Int
  /// How many rows.
  package let height: Int
  /// How many columns.
  package let width: Int

  /// An area.
  package init(row: Int, column: Int, height: Int, width: Int) {
    self.row = row
    self.column = column
    self.height = height
    self.width = width
  }

  /// Whether the cell lies inside.
  package func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < self.row + height && column >= self.column && column < self.column + width
  }
}

/// One picture of the screen: a grid of styled cells. Whatever does not fit is cut off; nothing is outside.
package struct Canvas: Hashable, Sendable {
  /// One cell.
  package struct Cell: Hashable, Sendable {
    /// The character; a space where the wide character to the left covers the cell.
    package let character: Character
    /// How many columns it takes: 1 or 2; 0 for a cell that is covered.
    package let width: Int
    /// How it looks.
    package let style: TerminalStyle

    /// An empty cell.
    package static let blank = Cell(character: " ", width: 1, style: .plain)
  }

  /// How large it is.
  package let size: TerminalSize
  private var cells: [Cell]

  /// An empty canvas.
  package init(_ size: TerminalSize) {
    self.size = size
    cells = [Cell](repeating: .blank, count: size.rows * size.columns)
  }

  /// The cell at a place inside.
  package subscript(row: Int, column: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// Writes text from a place on, to the right; what could act on a terminal is made harmless first.
  package mutating func put(_ text: String, row: Int, column: Int, style: TerminalStyle = .plain) {
    guard (0..<size.rows).contains(row) else { return }
    var place = column
    for character in text.printable {
      let width = DisplayWidth.of(character)
      // A mark without a letter under it would change the cell before.
      guard width > 0 else { continue }
      if place >= 0, place + width <= size.columns {
        set(Cell(character: character, width: width, style: style), row, place)
        if width == 2 { set(Cell(character: " ", width: 0, style: style), row, place + 1) }
      } else if place >= 0, place < size.columns {
        set(Cell(character: " ", width: 1, style: style), row, place)
      }
      place += width
      if place >= size.columns { return }
    }
  }

  /// Writes text in the middle of the row, shortened with `…` where it is too wide.
  package mutating func putCentred(_ text: String, row: Int, style: TerminalStyle = .plain) {
    let fitting = DisplayWidth.fitting(text.printable, into: size.columns)
    put(fitting, row: row, column: (size.columns - DisplayWidth.of(fitting)) / 2, style: style)
  }

  /// Fills an area with one character.
  package mutating func fill(_ area: CanvasArea, with character: Character = " ", style: TerminalStyle) {
    for row in max(0, area.row)..<max(0, area.row, min(size.rows, area.row + area.height)) {
      put(String(repeating: character, count: max(0, area.width)), row: row, column: area.column, style: style)
    }
  }

  /// Draws a frame along the inner edge of an area; with plain ASCII where the terminal has no more.
  package mutating func frame(_ area: CanvasArea, style: TerminalStyle = .plain, unicode: Bool = true) {
    guard area.width >= 2, area.height >= 2 else { return }
    let marks = unicode ? ["┌", "─", "┐", "│", "└", "┘"] : ["+", "-", "+", "|", "+", "+"]
    let line = String(repeating: marks[1], count: area.width - 2)
    put(marks[0] + line + marks[2], row: area.row, column: area.column, style: style)
    for row in area.row + 1..<area.row + area.height - 1 {
      put(marks[3], row: row, column: area.column, style: style)
      put(marks[3], row: row, column: area.column + area.width - 1, style: style)
    }
    put(marks[4] + line + marks[5], row: area.row + area.height - 1, column: area.column, style: style)
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    let index = row * size.columns + column
    // Half of a wide character is nothing: its other half becomes a space.
    if cells[index].width == 0, cell.width != 0, column > 0 {
      cells[index - 1] = Cell(character: " ", width: 1, style: cells[index - 1].style)
    }
    if cells[index].width == 2, column + 1 < size.columns {
      cells[index + 1] = Cell(character: " ", width: 1, style: cells[index + 1].style)
    }
    cells[index] = cell
  }

  /// The rows as plain text, for tests and for programs without a screen.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      for column in 0..<size.columns where self[row, column].width > 0 {
        line.append(self[row, column].character)
      }
      return line
    }
  }
}
