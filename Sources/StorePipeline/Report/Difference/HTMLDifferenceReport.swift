internal import CoreDataStore
internal import Formats
internal import StoreMigration

/// The difference of two stores as one page that needs nothing from elsewhere.
///
/// What there is to say in short is in the page's own text; the changes are data that a script
/// shows a page at a time. No value of a store ever becomes markup: the script makes texts alone.
package struct HTMLDifferenceReport {
  private let report: DifferenceReport
  private let data: HTMLDifferenceData

  /// The page of a report.
  ///
  /// - Throws: `Failure` when the report's objects cannot be read.
  package init(_ report: DifferenceReport) throws {
    try self.init(report, most: HTMLDifferenceData.most)
  }

  /// The same, with another limit to its size.
  ///
  /// - Throws: `Failure` when the report's objects cannot be read.
  package init(_ report: DifferenceReport, most: Int) throws {
    self.report = report
    data = try HTMLDifferenceData(report, most: most)
  }

  /// The page as one text.
  ///
  /// - Throws: `Failure` when the objects cannot be read.
  package var text: String {
    get throws {
      var bytes: [UInt8] = []
      try write { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Hands the page over, a piece at a time: what is in memory does not grow with its objects.
  ///
  /// - Throws: `Failure` when the objects cannot be read, and what `sink` throws.
  package func write(to sink: ([UInt8]) throws -> Void) throws {
    try sink(Array(start.utf8))
    try data.write(to: sink)
    try sink(Array(end.utf8))
  }

  /// What stands before the summary of a run, which programs may read from the page.
  static let summaryStart = "<script type=\"application/json\" id=\"summary\">"

  /// What the run says of itself, at the beginning of the page.
  private var summary: String {
    guard let run = report.run else { return "" }
    let losses = (report.losses?.lines ?? []).map(JSONDifferenceReport.loss)
    let document: JSONValue = ["run": JSONRunSummary(run).value, "losses": .array(losses)]
    return """
      <meta name="run" content="\(run.run.html)">
      \(Self.summaryStart)\(document.text().asScriptData)</script>

      """
  }

  private var start: String {
    let css = DiagramStyle.css + DifferenceStyle.css + HTMLPage.css
    return """
      \(HTMLPage.head(report.title.html, scripts: scripts, css: css, adding: summary))
      <body>
      <a class="skip" href="#changes">Skip to the changes</a>
      \(head)
      <main>
      \(filters)
      \(urgent)
      \(changes)
      \(entities)
      \(models)
      \(metadata)
      \(closing.map { section($0) }.joined(separator: "\n"))
      </main>
      \(foot)
      <script type="application/json" id="data">
      """
  }

  private var end: String {
    let diagram = report.models == nil ? "" : HTMLScripts.element(DiagramScript.javascript)
    return """
      </script>
      \(diagram)
      \(HTMLScripts.element(DifferenceScript.javascript))
      \(HTMLScripts.element(HTMLPage.javascript))
      </body>
      </html>

      """
  }

  private var scripts: [String] {
    [DiagramScript.javascript, DifferenceScript.javascript, HTMLPage.javascript]
  }

  private var head: String {
    let remark = report.remark.isEmpty ? "" : "<p>\(report.remark.html)</p>"
    func side(_ term: String, _ side: DifferenceReport.Side) -> String {
      """
      <div><dt>\(term)</dt><dd><b>\(side.path.html)</b> <span class="count">model \
      \(side.version.html)</span></dd></div>
      """
    }
    return """
      <header class="page">
      <h1>\(report.title.html)</h1>
      <dl class="sides">\(side("Before", report.before))\(side("After", report.after))</dl>
      <p class="verdict">\(report.verdict.html)</p>
      \(remark)
      \(tiles)
      \(hiding)
      </header>
      """
  }

  /// The numbers that matter, large.
  private var tiles: String {
    guard isCompared else { return "" }
    let (kept, changed, added, removed, rejected) = report.totals
    let tiles = [
      (kept, "same", "same, in every value"), (changed, "changed", "with other values or links"),
      (removed, "removed", "gone"), (added, "added", "new"), (rejected, "aside", "rejected"),
    ]
    let items = tiles.filter { $0.0 > 0 || ["same", "changed"].contains($0.1) }.map { tile in
      """
      <li class="\(tile.1)"><strong>\(Quantity.count(tile.0))</strong> \(tile.2)</li>
      """
    }
    return "<ul class=\"tiles\" aria-label=\"Objects\">\(items.joined())</ul>"
  }

  /// Whether there is anything that was compared, or could have been.
  private var isCompared: Bool { !report.difference.entities.isEmpty }

  private var hiding: String {
    switch report.display {
    case .full, .short: ""
    case .hash:
      "<p class=\"hint\">Values are not shown, only digests that show whether they are equal.</p>"
    case .none: "<p class=\"hint\">Values are hidden in this report.</p>"
    }
  }

  private var foot: String {
    """
    <footer><p class="hint">An object is one record, named by its entity and its number in the \
    store (Z_PK). Counters of saves, version numbers of Core Data and the like are no \
    differences.</p></footer>
    """
  }
}

// The parts.
extension HTMLDifferenceReport {
  /// What is lost and what needs an eye: the first thing there is to read.
  private var urgent: String {
    let losses = report.losses.map(\.lostSection) ?? report.gone
    return report.opening(losses).map { table in
      section(table, kind: table.rows.isEmpty ? "urgent" : "urgent bad")
    }.joined(separator: "\n")
  }

  /// The whole account of every value, and what a run says of itself.
  private var closing: [DifferenceReport.Section] {
    (report.losses.map { [$0.section()] } ?? []) + report.closing
  }

  private var entities: String {
    guard isCompared else { return "" }
    let rows = report.difference.entities.map(row).joined(separator: "\n")
    return """
      <section id="entities" aria-labelledby="entities-title">
      <h2 id="entities-title">Entity by entity</h2>
      <div class="scroll" tabindex="0" role="group" aria-label="Table of entities">
      <table class="entities sortable stack">
      <thead><tr><th scope="col">Entity</th><th scope="col" class="bar-head unsorted">Share</th>
      \(Self.counted.map { "<th scope=\"col\" class=\"number\">\($0)</th>" }.joined())
      <th scope="col" class="unsorted">What happened to values and links</th></tr></thead>
      <tbody>
      \(rows)
      </tbody>
      </table></div>
      </section>
      """
  }

  private static let counted = ["Same", "Changed", "Removed", "Added", "Rejected"]

  private func row(_ entity: ComparedEntity) -> String {
    let aside = report.rejected[entity.name] ?? 0
    let counts = [
      ("same", entity.kept), ("changed", entity.changed), ("removed", entity.removed),
      ("added", entity.added), ("aside", aside),
    ]
    let cells = zip(Self.counted, counts).map { label, part in
      """
      <td class="number \(part.1 > 0 ? part.0 : "zero")" data-label="\(label)">\
      \(Quantity.count(part.1))</td>
      """
    }
    let properties = entity.properties(report.given)
      .map { "<li><b>\($0.name.html)</b> \($0.words.html)</li>" }
    let what = properties.isEmpty ? "" : "<ul class=\"plain\">\(properties.joined())</ul>"
    return """
      <tr data-entity="\(entity.name.html)"><th scope="row">\(name(of: entity))</th>\
      <td>\(Self.bar(counts))</td>\(cells.joined())<td>\(what)</td></tr>
      """
  }

  private func name(of entity: ComparedEntity) -> String {
    let from = entity.from.map { "<br><span class=\"count\">was \($0.html)</span>" } ?? ""
    let only =
      switch entity.presence {
      case .both: ""
      case .first: "<br><span class=\"count\">only before</span>"
      case .second: "<br><span class=\"count\">only after</span>"
      }
    return entity.name.html + from + only
  }

  /// The shares as one bar; the numbers next to it say the same in words.
  private static func bar(_ counts: [(String, Int)]) -> String {
    let total = counts.reduce(0) { $0 + $1.1 }
    guard total > 0 else { return "" }
    let parts = counts.filter { $0.1 > 0 }.map { name, count in
      "<i class=\"\(name)\" style=\"flex-grow:\(max(0.02, Double(count) / Double(total)))\"></i>"
    }
    return "<div class=\"bar\" aria-hidden=\"true\">\(parts.joined())</div>"
  }

  private var changes: String {
    let missing = report.changeCount - data.objectCount
    let limit =
      missing > 0
      ? """
      <p class="notice">\(Quantity.count(missing)) of \(Quantity.count(report.changeCount)) \
      changed objects are counted but not listed here, so that this page stays small enough to \
      open. To see others, compare one entity alone (--entity) or some of its objects (--where).</p>
      """ : ""
    let plain = report.groups.prefix(200).map { group in
      """
      <li>\(group.change.symbol.html) \(Quantity.count(group.count)) \(group.entity.html): \
      \(group.words.html)</li>
      """
    }
    guard report.changeCount > 0 else {
      return """
        <section id="changes"><h2>What happened to the objects</h2>
        <p>No object \(isCompared ? "differs" : "was compared").</p></section>
        """
    }
    return """
      <section id="changes" aria-labelledby="changes-title">
      <h2 id="changes-title" tabindex="-1">What happened to the objects</h2>
      \(limit)
      <p class="result" role="status" aria-live="polite"><output id="count"></output></p>
      <div id="groups"></div>
      <nav id="pages" aria-label="Pages of changes" hidden></nav>
      <noscript><p>Without scripts, this page shows the kinds of change alone.</p>
      <ul>\(plain.joined(separator: "\n"))</ul></noscript>
      </section>
      """
  }

  /// The box that filters the tables and the changes.
  private var filters: String {
    guard report.changeCount > 0 else { return "" }
    return """
      <form class="filters" role="search" aria-label="Filter the page" hidden>
      <label>Entity <select name="entity"><option value="">all</option></select></label>
      <label>Property <select name="property"><option value="">all</option></select></label>
      <label>Text <input type="search" name="search" placeholder="word or number">\
      </label>
      <fieldset><legend>Objects</legend>
      <label><input type="checkbox" name="kind" value="changed" checked> changed</label>
      <label><input type="checkbox" name="kind" value="removed" checked> removed</label>
      <label><input type="checkbox" name="kind" value="added" checked> added</label>
      </fieldset>
      <button type="reset">Show all</button>
      </form>
      """
  }

  private var models: String {
    guard let models = report.models else { return "" }
    return """
      <section id="model" aria-labelledby="model-title">
      <h2 id="model-title">How the model changed</h2>
      <p>The model says which entities there are and what they hold. \(models.verdict.html)</p>
      \(HTMLModelDifferenceReport.legend(models))
      \(HTMLModelDifferenceReport.controls)
      <div class="diagrams">
      \(HTMLDiagram(diagram: Diagram(models)).html)
      </div>
      </section>
      """
  }

  private var metadata: String {
    let rows = report.metadata.map { [$0.key, $0.old ?? "none", $0.new ?? "none"] }
    guard !rows.isEmpty else { return "" }
    return section(
      DifferenceReport.Section(
        title: "What the stores say of themselves",
        note: "Entries of the metadata, in addition to the objects.",
        columns: ["Entry", "Before", "After"], rows: rows))
  }

  private func section(_ section: DifferenceReport.Section, kind: String = "") -> String {
    let note = section.note.isEmpty ? "" : "<p>\(section.note.html)</p>"
    let table = section.rows.isEmpty ? "" : HTMLPage.table(section.columns, section.rows)
    return """
      <section\(kind.isEmpty ? "" : " class=\"\(kind)\"")>
      <h2>\(section.title.html)</h2>
      \(note)
      \(table)
      </section>
      """
  }
}
