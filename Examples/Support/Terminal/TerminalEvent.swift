/// Something that came from a terminal.
package enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(TerminalKey)
  /// The mouse was pressed, let go, or its wheel turned.
  case mouse(TerminalMouse)
  /// The size has changed, or the screen must be drawn anew: also after the program was stopped and continued.
  case resize(TerminalSize)
  /// Someone asked the program to end: Ctrl-C, or a signal.
  case interrupt(ProcessSignal)
  /// Someone asked to read files again: a hangup signal, and the terminal is still there.
  case reload
  /// The terminal has gone away. Nothing comes after this.
  case hangup
}

/// A key.
package enum TerminalKey: Hashable, Sendable {
  /// A character that can be printed.
  case character(Character)
  /// Ctrl with a letter, in lower case.
  case control(Character)
  /// The key that breaks a line.
  case enter
  /// The key that takes back the last character.
  case backspace
  /// The key that deletes what is under the cursor.
  case delete
  /// Tab.
  case tab
  /// Escape.
  case escape
  /// An arrow.
  case up, down, left, right
  /// Home and End, Page Up and Page Down, Insert.
  case home, end, pageUp, pageDown, insert
}

/// What the mouse did, where.
package struct TerminalMouse: Hashable, Sendable {
  /// What happened.
  package enum Action: Hashable, Sendable {
    /// A button went down: 0 left, 1 middle, 2 right.
    case press(Int)
    /// A button went up.
    case release(Int)
    /// The wheel.
    case scrollUp, scrollDown
  }

  /// What happened.
  package let action: Action
  /// The row, from 0.
  package let row: Int
  /// The column, from 0.
  package let column: Int

  /// A mouse event.
  package init(_ action: Action, row: Int, column: Int) {
    self.action = action
    self.row = row
    self.column = column
  }
}

/// The size of a terminal in character cells.
package struct TerminalSize: Hashable, Sendable {
  /// How many rows.
  package let rows: Int
  /// How many columns.
  package let columns: Int

  /// A size. A terminal that says nothing sensible is taken for 24 by 80; no side is over 1000.
  package init(rows: Int, columns: Int) {
    self.rows = rows > 0 ? min(rows, 1000) : 24
    self.columns = columns > 0 ? min(columns, 1000) : 80
  }
}
