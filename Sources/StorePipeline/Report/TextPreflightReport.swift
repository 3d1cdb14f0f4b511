internal import CoreDataStore
internal import StoreMigration

/// What a preflight found, as text: the objects, then what would settle each kind of failure.
package struct TextPreflightReport {
  private let found: [VersionPreflight]
  private let plan: Plan
  private let width: Int
  private let style: Style

  /// The text of what was found before a plan is carried out, for a terminal of this width.
  package init(_ found: [VersionPreflight], _ plan: Plan, width: Int, style: Style) {
    self.found = found
    self.plan = plan
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    let blocks = found.flatMap { [[headline($0)] + objects($0.result), remedies($0)] } + [remarks]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private func headline(_ part: VersionPreflight) -> String {
    let result = part.result
    let through = part.steps > 1 ? ", seen through \(Plural.text(part.steps, "step"))" : ""
    let target = part.version.oneLine + (part.isLast ? through : ", on the way")
    let count = Quantity.count(result.errors)
    let old = result.warnings > 0 ? "; in the store now: \(Quantity.count(result.warnings))" : ""
    guard result.errors == 0 else {
      return style.red("Failures under the rules of \(target): \(count)") + old
    }
    let isWhole = JSONPreflightReport.unchecked(found).isEmpty
    let objects = isWhole ? "No object" : "No object that was looked at"
    let words = "\(objects) will newly break a rule of \(target)"
    return (isWhole ? style.green(words) : words) + old
  }

  private func objects(_ result: PreflightResult) -> [String] {
    var table = TextTable(indent: 2)
    for failure in result.failures {
      table.add(
        "\(failure.entity) \(failure.key)", failure.property,
        failure.rule + (failure.inSource ? "; so it is in the store now" : ""),
        tint: failure.inSource ? .attention : .bad)
    }
    let hidden = result.errors + result.warnings - result.failures.count
    return table.lines(width: width, style)
      + (hidden > 0 ? ["  and \(Quantity.count(hidden)) more"] : [])
  }

  private func remedies(_ part: VersionPreflight) -> [String] {
    let kinds = part.result.kinds.filter { $0.count.errors > 0 }
    guard !kinds.isEmpty else { return [] }
    let step = plan.steps.count > 1 ? " in the step \(part.version.oneLine)" : ""
    let title = style.bold("What would settle it\(step), each line by itself")
    return [title]
      + kinds.flatMap { kind in
        let count = kind.count
        let objects = Plural.text(count.errors, "object")
        let name = "\(count.entity) \(count.property), \(count.rule): \(objects)"
        let refusal = kind.refusal.map { ["    Core Data ends the migration with \($0)"] } ?? []
        return ["  \(name.oneLine)"] + refusal + kind.remedies.map { "    \($0.oneLine)" }
      }
  }

  private var remarks: [String] {
    var table = TextTable(indent: 2)
    for reason in JSONPreflightReport.unchecked(found) { table.add(reason) }
    let looked = Set(found.filter { $0.steps == 1 || $0.isLast }.map(\.version))
    let between = plan.steps.map(\.to.name).filter { !looked.contains($0) }.map(\.oneLine)
    if !between.isEmpty {
      table.add("the rules of \(between.joined(separator: ", ")), which no object has to obey")
    }
    guard !table.rows.isEmpty else { return [] }
    return [style.bold("Not looked at")] + table.lines(width: width, style)
  }
}
