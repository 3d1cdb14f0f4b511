import Foundation

/// A drawing, one shape after the other.
struct SVG {
  private let width: Double
  private var shapes: [String] = []

  /// A drawing of this width.
  init(width: Double) { self.width = width }

  /// Where a text stands, seen from its point.
  enum Anchor: String {
    case start, middle, end
  }

  mutating func text(
    _ words: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, size: Double = 12,
    color: String = "#1f2937", isBold: Bool = false
  ) {
    let weight = isBold ? " font-weight=\"600\"" : ""
    shapes.append(
      "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\""
        + " fill=\"\(color)\" text-anchor=\"\(anchor.rawValue)\"\(weight)>"
        + "\(Self.escaped(words))</text>")
  }

  mutating func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), color: String,
    width: Double = 1
  ) {
    shapes.append(
      "<line x1=\"\(Self.number(start.x))\" y1=\"\(Self.number(start.y))\""
        + " x2=\"\(Self.number(end.x))\" y2=\"\(Self.number(end.y))\""
        + " stroke=\"\(color)\" stroke-width=\"\(Self.number(width))\"/>")
  }

  mutating func dot(_ x: Double, _ y: Double, color: String) {
    shapes.append(
      "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"4.5\" fill=\"\(color)\"/>")
  }

  /// The file; the ground is white, so that it can be read on any page.
  func document(height: Double) -> String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \
      viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      font-family="system-ui, sans-serif">
      <rect \(size) fill="#ffffff"/>
      \(shapes.joined(separator: "\n"))
      </svg>

      """
  }

  private static func number(_ number: Double) -> String {
    guard number.isFinite else { return "0" }
    let rounded = (number * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func escaped(_ words: String) -> String {
    words.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
