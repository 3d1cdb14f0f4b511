internal import CoreDataStore

// The picture as one page that needs nothing from elsewhere; without scripts only the filter and
// the sorting of its list are missing.
extension FleetPicture {
  /// The page.
  ///
  /// It looks as the report of a run does; colours come with words.
  package var html: String {
    let title = "A fleet of \(Plural.text(members.count, "store"))"
    let css = DiagramStyle.css + DifferenceStyle.css + HTMLPage.css
    let scripts = [HTMLPage.javascript, String(resource: PackageResources.FleetPicture_js)]
    return """
      \(HTMLPage.head(title, scripts: scripts, css: css))
      \(Self.mark)
      <body>
      <header class="page">
      <h1>\(title)</h1>
      <p class="verdict">\(total.html)</p>
      \(tiles)
      </header>
      <main>
      \(nextSteps)\(notices)
      \(tables.filter { !$0.rows.isEmpty }.map(section).joined(separator: "\n"))
      \(list)
      </main>
      \(scripts.map(HTMLScripts.element).joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private static let mark = "<!-- pipeline fleet -->"

  /// Whether a file is a picture of a fleet, as a page or as JSON: a new one may replace it.
  package static func isPicture(_ file: some Sequence<UInt8>) -> Bool {
    let text = String(decoding: Array(file), as: UTF8.self)
    let isPage = text.hasPrefix("<!DOCTYPE html>") && text.contains("\n\(mark)\n")
    let keys = ["versions", "statuses", "causes", "unread"]
    return isPage
      || text.hasPrefix("{\n  \"format\": 1,\n  \"status\": ")
        && keys.allSatisfy { text.contains("\n  \"\($0)\": ") }
  }

  private static let needs: [(need: Need, tone: String, words: String)] = [
    (.nothing, "added", "done"), (.person, "removed", "failed"),
    (.repetition, "changed", "to be resumed"), (.time, "renamed", "running"),
    (.run, "same", "to be run"),
  ]

  /// The numbers that matter, large, and the same as one bar.
  private var tiles: String {
    let counts = Self.needs.map { (tone: $0.tone, words: $0.words, count: count($0.need)) }
      .filter { $0.count > 0 }
    let items = counts.map { tone, words, count in
      "<li class=\"\(tone)\"><strong>\(Quantity.count(count))</strong> \(words)</li>"
    }
    let parts = counts.map { tone, _, count in
      "<i class=\"\(tone)\" style=\"flex-grow:\(count)\"></i>"
    }
    return """
      <ul class="tiles" aria-label="Stores">\(items.joined())</ul>
      <div class="bar" aria-hidden="true">\(parts.joined())</div>
      """
  }

  private var nextSteps: String {
    let items = advice.map { advice in
      let command = advice.command.map { "<br><code>\($0.html)</code>" } ?? ""
      return "<li>\(advice.words.html)\(command)</li>"
    }
    return """
      <section id="next"><h2>What to do next</h2>
      <ul>
      \(items.joined(separator: "\n"))
      </ul></section>
      """
  }

  private var notices: String {
    leftOut.map { "\n<p class=\"notice\">\($0.oneLine.html)</p>" }.joined()
  }

  private func section(_ table: Table) -> String {
    section(table.title, table.columns, table.numbers, table.rows.map { ($0.cells, Self.tone($0)) })
  }

  private static func tone(_ row: TextTable.Row) -> String {
    switch row.tint {
    case .bad: "removed"
    case .good: "added"
    case .attention: "changed"
    case .plain, .faint: "same"
    }
  }

  /// How many stores the page lists one by one.
  static let mostListed = 10_000

  /// The stores that need something come first.
  private var list: String {
    let order: [Need: Int] = [.person: 0, .repetition: 1, .time: 2, .run: 3, .nothing: 4]
    let sorted = members.enumerated().sorted { one, other in
      let ranks = (order[one.element.need] ?? 0, order[other.element.need] ?? 0)
      return ranks.0 == ranks.1 ? one.offset < other.offset : ranks.0 < ranks.1
    }.map(\.element)
    let rows = sorted.prefix(Self.mostListed).map { member in
      (
        [
          member.shown, member.version ?? "-", member.outcome,
          member.last?.status.map(String.init) ?? "-",
          member.bytes.map { Quantity.bytes(Int($0)) } ?? "-",
          member.last?.error?.split(separator: "\n").dropFirst().first.map(String.init)
            ?? member.last?.error ?? "",
        ], Self.needs.first { $0.need == member.need }?.tone ?? "same"
      )
    }
    let rest = members.count - rows.count
    let note =
      rest > 0
      ? "<p class=\"notice\">\(Quantity.count(rest)) more stores are counted but not listed here; "
        + "--json lists all, --list those of one status or cause.</p>" : ""
    let columns = ["store", "version", "last run", "status", "bytes", "why"]
    return section("Store by store", columns, [4], rows, filters: Self.filters) + note
  }

  private static let filters = """

    <form class="filters" role="search" aria-label="Filter the stores" hidden>
    <label>A word of the row <input type="search" name="search"></label>
    <output></output>
    </form>
    """

  private func section(
    _ title: String, _ columns: [String], _ numbers: Set<Int>,
    _ rows: [(cells: [String], tone: String)], filters: String = ""
  ) -> String {
    func kind(_ column: Int) -> String { numbers.contains(column) ? " class=\"number\"" : "" }
    // Sizes have units: the table of the largest stores has their order.
    let head = columns.enumerated().map { column, name in
      let kind = filters.isEmpty || name != "bytes" ? kind(column) : " class=\"number unsorted\""
      return "<th scope=\"col\"\(kind)>\(name.html)</th>"
    }
    let lines = rows.map { cells, tone in
      let cells = cells.enumerated().map { "<td\(kind($0))>\($1.html)</td>" }
      return "<tr class=\"\(tone)\">\(cells.joined())</tr>"
    }
    return """
      <section\(filters.isEmpty ? "" : " id=\"stores\"")>
      <h2>\(title.html)</h2>\(filters)
      <div class="scroll" tabindex="0" role="group" aria-label="\(title.html)">
      <table class="fleet\(filters.isEmpty ? "" : " sortable")">
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(lines.joined(separator: "\n"))
      </tbody></table></div>
      </section>
      """
  }
}
