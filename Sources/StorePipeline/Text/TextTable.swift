/// Rows of cells in aligned columns; the last column takes the room that is left and wraps.
struct TextTable {
  /// What a row is painted with where colour is wanted.
  enum Tint: Sendable {
    case plain, good, bad, attention, faint
  }

  struct Row {
    var cells: [String]
    /// The colour of the first cell that holds a word.
    var tint = Tint.plain
    /// How many characters of the last cell, a path, are not to be broken.
    var whole = 0
  }

  /// A cell that is longer pushes the rest of its row to the right instead of widening the column.
  static let widest = 34

  var rows: [Row] = []
  /// Spaces before each line.
  var indent = 0
  /// The columns whose cells stand at the right.
  var numbers: Set<Int> = []

  /// Adds a row.
  mutating func add(_ cells: String..., tint: Tint = .plain, whole: Int = 0) {
    rows.append(Row(cells: cells.map(\.oneLine), tint: tint, whole: whole))
  }

  /// The lines, none longer than `width` unless a word is.
  func lines(width: Int, _ style: Style = Style(isOn: false)) -> [String] {
    let widths = columnWidths
    return rows.flatMap { lines(of: $0, widths, width, style) }
  }

  private var columnWidths: [Int] {
    let count = rows.map(\.cells.count).max() ?? 0
    return (0..<count).map { column in
      rows.compactMap { $0.cells.count > column + 1 ? $0.cells[column].count : nil }
        .filter { $0 <= Self.widest }.max() ?? 0
    }
  }

  private func lines(of row: Row, _ widths: [Int], _ width: Int, _ style: Style) -> [String] {
    let margin = String(repeating: " ", count: indent)
    let left = row.cells.indices.dropLast()
    let place = left.reduce(indent) { $0 + widths[$1] + 2 }
    var painted = false
    var length = indent
    let start = left.reduce(margin) { line, column in
      let cell = row.cells[column]
      let fill = String(repeating: " ", count: max(0, widths[column] - cell.count))
      length += cell.count + fill.count + 2
      let isFirst = !painted && !cell.isEmpty
      painted = painted || isFirst
      let text = isFirst ? style.painted(cell, row.tint) : cell
      return line + (numbers.contains(column) ? fill + text : text + fill) + "  "
    }
    let tint = painted ? .plain : row.tint
    let (last, room) = (row.cells.last ?? "", max(20, width - place))
    let broken =
      row.whole > 0 ? last.wrapped(to: room, behind: row.whole) : last.wrapped(to: room)
    let texts = broken.map { style.painted($0, tint) }
    let hang = String(repeating: " ", count: place)
    guard length <= place else { return ([start] + texts.map { hang + $0 }).map(\.trimmedEnd) }
    return ([start + (texts.first ?? "")] + texts.dropFirst().map { hang + $0 }).map(\.trimmedEnd)
  }
}

extension Style {
  func painted(_ text: String, _ tint: TextTable.Tint) -> String {
    guard !text.isEmpty else { return text }
    return switch tint {
    case .plain: text
    case .good: green(text)
    case .bad: red(text)
    case .attention: yellow(text)
    case .faint: faint(text)
    }
  }
}

extension String {
  /// The text without the spaces at its end.
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
