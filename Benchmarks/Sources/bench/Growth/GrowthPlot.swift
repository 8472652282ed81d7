internal import Glibc

/// The plot of what was found, as SVG: each figure as a multiple of its first, so that flat is one.
struct GrowthPlot {
  let grown: [Grown]

  private static let colours = ["#0b6bcb", "#c2410c", "#15803d", "#7e22ce", "#a16207"]
  private let left = 64.0
  private let top = 56.0
  private let width = 560.0
  private let height = 300.0

  /// The whole file.
  var svg: String {
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 \(Int(top + height) + 70 + 20 * grown.count)" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="\(left)" y="24" font-size="15">What one costs as there are more (1 = at the fewest)</text>
      """
    ]
    for power in 0...6 {
      let x = place(pow(10, Double(power)))
      parts.append(line(x, top, x, top + height, "#e5e7eb"))
      parts.append(text(x, top + height + 18, anchor: "middle", "10" + Self.superscript(power)))
    }
    for multiple in [0.25, 0.5, 1, 2, 4, 8, 16] {
      let y = level(multiple)
      parts.append(line(left, y, left + width, y, multiple == 1 ? "#6b7280" : "#e5e7eb"))
      parts.append(text(left - 8, y + 4, anchor: "end", "\(Unit.digits(multiple))×"))
    }
    parts.append(text(left + width / 2, top + height + 38, anchor: "middle", "connections, or rows"))
    for (index, item) in grown.enumerated() { parts.append(series(item, index)) }
    return (parts + ["</svg>\n"]).joined(separator: "\n")
  }

  private func series(_ item: Grown, _ index: Int) -> String {
    let colour = Self.colours[index % Self.colours.count]
    let points = zip(item.growth.sizes, item.figures).map { size, figure in
      (x: place(Double(size)), y: level(figure / item.figures[0]))
    }
    let path = points.map { "\(Self.short($0.x)),\(Self.short($0.y))" }.joined(separator: " ")
    let figures = zip(item.growth.sizes, item.figures).map { item.growth.unit.text($1) }.joined(separator: ", ")
    let y = top + height + 62 + 20 * Double(index)
    return
      ([
        "<polyline fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" points=\"\(path)\"/>"
      ]
      + points.map { "<circle cx=\"\(Self.short($0.x))\" cy=\"\(Self.short($0.y))\" r=\"3\" fill=\"\(colour)\"/>" }
      + [
        line(left, y - 4, left + 20, y - 4, colour),
        text(left + 28, y, anchor: "start", "\(item.growth.what), by \(item.growth.of): \(figures)"),
      ]).joined(separator: "\n")
  }

  private func place(_ size: Double) -> Double { left + width * log10(size) / 6 }

  /// From a quarter to sixteen times.
  private func level(_ multiple: Double) -> Double {
    top + height * (4 - log2(min(16, max(0.25, multiple)))) / 6
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String) -> String {
    "<line x1=\"\(Self.short(x1))\" y1=\"\(Self.short(y1))\" x2=\"\(Self.short(x2))\" y2=\"\(Self.short(y2))\" "
      + "stroke=\"\(colour)\"/>"
  }

  private func text(_ x: Double, _ y: Double, anchor: String, _ words: String) -> String {
    "<text x=\"\(Self.short(x))\" y=\"\(Self.short(y))\" text-anchor=\"\(anchor)\">\(words)</text>"
  }

  private static func short(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }

  private static func superscript(_ power: Int) -> String {
    let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶"]
    return digits[power]
  }
}
