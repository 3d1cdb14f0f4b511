/// Rows of cells, each column as wide as it must be; numbers stand to the right.
struct TextTable {
  private var rows: [[String]]

  /// A table with a head.
  init(_ head: [String]) { rows = [head] }

  /// Adds a row below.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The same for a page of the documentation.
  func markdown(lastIsText: Bool = false) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let last = rows[0].count - 1
    let rule = rows[0].indices.map { $0 == 0 || (lastIsText && $0 == last) ? "---" : "--:" }
    return ([rows[0], rule] + rows.dropFirst()).map(line).joined(separator: "\n")
  }

  /// The lines; the first column stands to the left, the others to the right, but for the last one
  /// where that is text.
  func text(lastIsText: Bool = false) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { cells in
      let padded = cells.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        let isLeft = column == 0 || (lastIsText && column == columns - 1)
        return isLeft ? cell + blanks : blanks + cell
      }
      let line = padded.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}
