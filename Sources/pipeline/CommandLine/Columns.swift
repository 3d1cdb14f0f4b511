extension String {
  /// The text broken into lines at spaces; a word longer than a line stays whole.
  ///
  /// Paragraphs are parted by empty lines. A line that begins with a space is kept as it is.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.hasPrefix(" ") ? [String(line)] : Self.wrap(line, to: width)
    }
  }

  private static func wrap(_ line: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      if !current.isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = ""
      }
      current += current.isEmpty ? word : " \(word)"
    }
    return lines + [current]
  }

  /// The text with spaces added to fill a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// Two columns: a term, and what it means, as lists of options and commands are shown.
struct Columns {
  /// Terms wider than this have a line to themselves.
  static let widestTerm = 24

  /// The rows.
  let rows: [(term: String, meaning: String)]

  /// The lines, indented by two, none longer than `width` unless a word is.
  func lines(width: Int) -> [String] {
    let widths = rows.map(\.term.count).filter { $0 <= Self.widestTerm }
    let column = (widths.max() ?? 8) + 4
    return rows.flatMap { term, meaning in
      let text = meaning.wrapped(to: max(20, width - column))
      let margin = String(repeating: " ", count: column)
      guard term.count <= Self.widestTerm else { return ["  \(term)"] + text.map { margin + $0 } }
      let first = "  \(term)".padded(to: column) + (text.first ?? "")
      return [first] + text.dropFirst().map { margin + $0 }
    }
  }
}
