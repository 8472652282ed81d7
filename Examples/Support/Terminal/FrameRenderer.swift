/// Turns canvases into the bytes that bring a terminal from the last one to the next, and no more.
package struct FrameRenderer: Sendable {
  private let colour: Bool
  private var last: Canvas?

  /// A renderer for a screen whose content it does not know yet.
  package init(colour: Bool) {
    self.colour = colour
  }

  /// Forgets what is on the screen: the next frame is drawn whole.
  package mutating func invalidate() {
    last = nil
  }

  /// The bytes for the next frame; none when nothing changed.
  package mutating func render(_ canvas: Canvas) -> [UInt8] {
    var pen = Pen(colour: colour)
    let known = last?.size == canvas.size ? last : nil
    if known == nil { pen.clearScreen() }
    for row in 0..<canvas.size.rows {
      renderRow(row, of: canvas, over: known, with: &pen)
    }
    last = canvas
    return pen.finish()
  }

  private func renderRow(_ row: Int, of canvas: Canvas, over known: Canvas?, with pen: inout Pen) {
    let columns = canvas.size.columns
    // Where terminals may disagree about a width, the whole row is drawn anew, so that no rest of it stays.
    let isUncertain = known.map { known in
      (0..<columns).contains { known[row, $0] != canvas[row, $0] }
        && (0..<columns).contains { !known[row, $0].isCertain || !canvas[row, $0].isCertain }
    }
    if isUncertain == true { pen.clearRow(row) }
    for column in 0..<columns {
      let cell = canvas[row, column]
      guard cell.width > 0 else { continue }
      let old = known.flatMap { isUncertain == true ? nil : $0[row, column] } ?? .blank
      let covered = cell.width == 2 ? known.flatMap { isUncertain == true ? nil : $0[row, column + 1] } : nil
      if cell == old, covered?.width ?? 0 == 0 { continue }
      pen.write(cell, row: row, column: column)
    }
  }

  private struct Pen {
    let colour: Bool
    var output = ""
    var place: (row: Int, column: Int)?
    var style: TerminalStyle?

    init(colour: Bool) {
      self.colour = colour
    }

    mutating func clearScreen() {
      output += "\u{1b}[0m\u{1b}[2J"
      style = .plain
      place = nil
    }

    mutating func clearRow(_ row: Int) {
      output += "\u{1b}[0m\u{1b}[\(row + 1);1H\u{1b}[2K"
      style = .plain
      place = (row, 0)
    }

    mutating func write(_ cell: Canvas.Cell, row: Int, column: Int) {
      if place?.row != row || place?.column != column {
        output += "\u{1b}[\(row + 1);\(column + 1)H"
      }
      if style != cell.style {
        output += cell.style.sequence(colour: colour)
        style = cell.style
      }
      output.append(cell.character)
      place = cell.isCertain ? (row, column + cell.width) : nil
    }

    mutating func finish() -> [UInt8] {
      if let style, style != .plain { output += "\u{1b}[0m" }
      return Array(output.utf8)
    }
  }
}

extension Canvas.Cell {
  fileprivate var isCertain: Bool {
    width == 0 || DisplayWidth.isCertain(character)
  }
}
