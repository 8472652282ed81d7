package import CheckIn
package import CheckInCore

/// What a search for kiosks looks like: lines of text, a pure function of what was heard.
package struct KioskSearchPicture: Sendable {
  private let near: SignalStrength?
  private let unicode: Bool

  /// Pictures for a search that waits for such a strength, or for none.
  package init(near: SignalStrength?, unicode: Bool) {
    self.near = near
    self.unicode = unicode
  }

  /// The lines while the search goes on; none is wider than `size.columns`, and they leave room for what is below.
  package func lines(_ chooser: KioskChooser, after elapsed: Duration, size: TerminalSize) -> [String] {
    let candidates = chooser.candidates
    let marks = unicode ? ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"] : ["|", "/", "-", "\\"]
    let mark = marks[Int(elapsed / .milliseconds(200)) % marks.count]
    var lines = [fitted("\(mark) \(heading(candidates)) \(KioskPicture.clockText(elapsed))", size)]
    if !candidates.isEmpty {
      let others = chooser.wantingTLS > 0 ? 7 : 6
      lines += table(candidates, numbered: false, size: size, rows: max(1, size.rows - others))
    }
    if chooser.wantingTLS > 0 {
      let count = chooser.wantingTLS
      lines.append(fitted("\(count == 1 ? "One kiosk wants" : "\(count) kiosks want") TLS: say --container.", size))
    }
    if chooser.strangers > 0 {
      let count = chooser.strangers
      lines.append(fitted(count == 1 ? "One kiosk of another event." : "\(count) kiosks of other events.", size))
    }
    return lines
  }

  /// The lines of the question: which of these?
  package func question(_ kiosks: [NearbyKiosks.Kiosk], size: TerminalSize) -> [String] {
    table(kiosks, numbered: true, size: size, rows: max(1, size.rows - 5))
  }

  private func heading(_ candidates: [NearbyKiosks.Kiosk]) -> String {
    if candidates.isEmpty { return "Looking for a kiosk\(unicode ? "…" : "...")" }
    if near != nil { return "Come closer to the kiosk of your choice." }
    return candidates.count == 1 ? "One kiosk is here." : "\(candidates.count) kiosks are here."
  }

  private func table(
    _ kiosks: [NearbyKiosks.Kiosk], numbered: Bool, size: TerminalSize, rows: Int
  ) -> [String] {
    var columns: [(title: String, alignment: TextTable.Alignment)] = [
      ("Kiosk", .left), ("Signal", .right), ("", .left),
    ]
    if numbered { columns.insert(("No.", .right), at: 0) }
    var table = TextTable(columns)
    for (index, (kiosk, label)) in zip(kiosks, kiosks.labels).prefix(rows).enumerated() {
      let cells = [label, kiosk.signal.map { "\($0.decibelMilliwatts) dBm" } ?? "?", bar(kiosk)]
      table.add((numbered ? ["\(index + 1)"] : []) + cells)
    }
    let more = kiosks.count - rows
    return table.lines(width: size.columns, unicode: unicode) + (more > 0 ? ["and \(more) more"] : [])
  }

  /// Ten steps from −100 to −40 dBm.
  private func bar(_ kiosk: NearbyKiosks.Kiosk) -> String {
    guard let signal = kiosk.signal else { return "" }
    let filled = min(10, max(0, (signal.decibelMilliwatts + 100) / 6))
    let bar =
      String(repeating: unicode ? "█" : "#", count: filled)
      + String(repeating: unicode ? "░" : ".", count: 10 - filled)
    return kiosk.isNear ? "\(bar) near" : bar
  }

  private func fitted(_ text: String, _ size: TerminalSize) -> String {
    DisplayWidth.fitting(text.printable, into: size.columns, ellipsis: unicode ? "…" : "~")
  }
}
