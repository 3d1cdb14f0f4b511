import StorePipeline

/// Two columns: a term, and what it means, as lists of options and commands are shown.
struct Columns {
  /// Terms wider than this have a line to themselves.
  static let widestTerm = 24

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
