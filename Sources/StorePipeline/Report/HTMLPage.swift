/// What all pages with tables share: columns that sort, rows that become cards on a narrow screen,
/// hints where something is wider than its frame, and print.
enum HTMLPage {
  /// The sheet, behind that of the diagrams.
  static let css = String(resource: PackageResources.HTMLPage_css)

  /// The script: without it the tables are as complete, in the order of the report.
  static let javascript = String(resource: PackageResources.HTMLPage_js)

  /// The beginning of a page that loads nothing from elsewhere, up to the end of its head.
  ///
  /// - Parameters:
  ///   - title: Its title, as markup.
  ///   - scripts: The scripts that it may run, and no others.
  ///   - css: Its sheet.
  ///   - extra: What else is in the head, with its line end.
  /// - Returns: The markup.
  static func head(
    _ title: String, scripts: [String], css: String, adding extra: String = ""
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(HTMLScripts.policy(scripts))">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    \(extra)<title>\(title)</title>
    <style>
    \(css)
    </style>
    </head>
    """
  }

  /// A table; of one column, a list.
  ///
  /// - Parameters:
  ///   - columns: The headings; a column whose cells are all counts is one of numbers.
  ///   - rows: The cells, as texts. A first column "Property", "Object" or "Entity" says what a
  ///     row is about, for the filters.
  /// - Returns: The markup.
  static func table(_ columns: [String], _ rows: [[String]]) -> String {
    guard columns.count > 1 else {
      return "<ul class=\"lines-of\">\(rows.map { "<li>\($0[0].html)</li>" }.joined())</ul>"
    }
    let isNumber = columns.indices.map { column in
      column > 0
        && rows.allSatisfy { $0[column].allSatisfy { $0.isNumber || $0 == "," || $0 == "." } }
    }
    let heads = columns.indices.map { column in
      "<th scope=\"col\"\(isNumber[column] ? " class=\"number\"" : "")>\(columns[column].html)</th>"
    }
    let lines = rows.map { row in
      let cells = columns.indices.map { column in
        let kind = isNumber[column] ? " class=\"number\"" : ""
        return "<td\(kind) data-label=\"\(columns[column].html)\">\(row[column].html)</td>"
      }
      return "<tr\(subject(columns[0], row[0]))>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="group" aria-label="\(columns[0].html)">
      <table class="plain-table sortable stack">
      <thead><tr>\(heads.joined())</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  /// What a row is about, as attributes of its element.
  private static func subject(_ column: String, _ cell: String) -> String {
    let separators: [String: Character] = ["Property": ".", "Object": " ", "Entity": " "]
    guard let separator = separators[column] else { return "" }
    let parts = cell.split(separator: separator, maxSplits: 1)
    let entity = " data-entity=\"\((parts.first.map(String.init) ?? "").html)\""
    guard column == "Property", parts.count > 1 else { return entity }
    return entity + " data-property=\"\(String(parts[1]).html)\""
  }
}
