internal import CoreDataStore

/// The difference of two models as one page that needs nothing from elsewhere.
///
/// It shows both versions as diagrams, and everything they show in words too. Colours come with
/// symbols and words; without scripts only zooming and selecting are missing.
package struct HTMLModelDifferenceReport {
  /// The page.
  package private(set) var text = ""
  private let report: ModelDifferenceReport

  package init(_ report: ModelDifferenceReport) {
    self.report = report
    let title = "\(report.source.name) → \(report.target.name)".html
    let scripts = [DiagramScript.javascript, HTMLPage.javascript]
    let css = DiagramStyle.css + HTMLPage.css
    text = """
      \(HTMLPage.head(title, scripts: scripts, css: css))
      <body>
      <h1>\(title)</h1>
      <p class="verdict">\(report.verdict.html)</p>
      \(Self.legend(report))
      \(remarks("What Core Data cannot infer", "obstacles", report.obstacles))
      \(Self.controls)
      <main class="diagrams">
      \(HTMLDiagram(diagram: Diagram(report)).html)
      </main>
      \(changes)
      \(cloudKit)
      \(remarks("What does not change a version hash", "unhashed", report.unhashed))
      \(HTMLScripts.element(DiagramScript.javascript))
      \(HTMLScripts.element(HTMLPage.javascript))
      </body>
      </html>

      """
  }

  private static let order: [Change] = [.added, .removed, .renamed, .changed, .same]

  /// What the colours, symbols and lines of the diagrams mean.
  static func legend(_ report: ModelDifferenceReport) -> String {
    let entities = report.difference.entities
    let items = order.map { change in
      let count = entities.count { $0.change == change }
      return """
        <li class="\(change.rawValue)"><span class="mark">\(change.symbol.html)</span> \
        \(change.rawValue) \(sample("M4 8H40", change)) \
        <span class="count">\(Plural.text(count, "entity"))</span></li>
        """
    }
    return """
      <section class="legend" aria-label="Legend">
      <ul>
      \(items.joined(separator: "\n"))
      <li><span class="stop">! not inferable</span> needs a mapping of yours</li>
      </ul>
      <ul class="lines">
      <li>\(sample("M4 8H44", mark: "M36 3V13")) to one</li>
      <li>\(sample("M4 8H44", mark: "M44 2L32 8L44 14")) to many</li>
      <li>\(sample("M4 8H32", mark: "M44 8L32 1V15Z")) inherits from</li>
      </ul>
      </section>
      """
  }

  private static func sample(
    _ course: String, _ change: Change = .same, mark: String = ""
  ) -> String {
    """
    <svg width="48" height="16" aria-hidden="true"><g class="line \(change.rawValue)">\
    <path d="\(course)"/><path class="end" d="\(mark)"/></g></svg>
    """
  }

  /// What is shown of the diagrams, and how large.
  static let controls = """
    <form class="controls" hidden>
    <fieldset><legend>Show</legend>
    <label><input type="radio" name="show" value="both" checked> both</label>
    <label><input type="radio" name="show" value="before"> before</label>
    <label><input type="radio" name="show" value="after"> after</label>
    </fieldset>
    <label><input type="checkbox" name="quiet"> fade what stayed the same</label>
    <fieldset><legend>Size</legend>
    <button type="button" data-zoom="out" aria-label="smaller">−</button>
    <output>100 %</output>
    <button type="button" data-zoom="in" aria-label="larger">+</button>
    <button type="button" data-zoom="fit">fit</button>
    </fieldset>
    <span class="hint">Click an entity, or press Enter on it, to see what it is connected with; \
    Escape ends that.</span>
    </form>
    """

  private var changes: String {
    let entities = report.difference.entities.enumerated()
    let listed = entities.filter { $0.element.change != .same }
    guard !listed.isEmpty else { return "" }
    let rows = listed.flatMap { place, entity in
      [row(entity, place)] + entity.properties.map { row($0, of: entity) }
    }
    return """
      <section id="changes">
      <h2>What happened</h2>
      <table>
      <thead><tr><th>Change</th><th>Where</th><th>What</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      </section>
      """
  }

  private func row(_ entity: EntityDifference, _ place: Int) -> String {
    let side: DiagramBoxes.Side = entity.change == .removed ? .before : .after
    let link = "<a href=\"#\(side)-\(place)\">\(entity.name.html)</a>"
    return row(entity.change, link, report.words(for: entity), entity.obstacle, kind: "entity")
  }

  private func row(_ property: PropertyDifference, of entity: EntityDifference) -> String {
    let name = "\(entity.name).\(property.name)".html
    let words = report.words(for: property, of: entity)
    return row(property.change, name, words, property.obstacle, kind: "property")
  }

  private func row(
    _ change: Change, _ place: String, _ words: String, _ obstacle: String?, kind: String
  ) -> String {
    let stop = obstacle.map { "<br><span class=\"stop\">! not inferable</span> \($0.html)" } ?? ""
    return """
      <tr class="\(kind) \(change.rawValue)"><td><span class="mark">\(change.symbol.html)</span> \
      \(change.rawValue)</td><td>\(place)</td><td>\(words.html)\(stop)</td></tr>
      """
  }

  /// What CloudKit says of the newer version and of the change; empty unless asked for.
  private var cloudKit: String {
    guard let rules = report.cloudKitRules, let production = report.cloudKitProduction else {
      return ""
    }
    guard !rules.isEmpty || !production.isEmpty else {
      return """
        <section id="cloudkit">
        <h2>CloudKit</h2>
        <p>CloudKit supports all of it.</p>
        </section>
        """
    }
    return [
      remarks("What CloudKit does not support", "cloudkit-rules", rules),
      remarks(
        "Changes that a production schema does not allow", "cloudkit-production", production),
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func remarks(
    _ title: String, _ id: String, _ remarks: [ModelDifferenceReport.Remark]
  ) -> String {
    guard !remarks.isEmpty else { return "" }
    let items = remarks.map { "<li><b>\($0.subject.html)</b>: \($0.words.html)</li>" }
    return """
      <section id="\(id)">
      <h2>\(title)</h2>
      <ul>
      \(items.joined(separator: "\n"))
      </ul>
      </section>
      """
  }
}
