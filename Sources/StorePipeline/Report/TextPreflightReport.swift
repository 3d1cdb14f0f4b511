package import CoreDataStore

/// What a preflight found, as text: the objects, then what would settle each kind of failure.
package struct TextPreflightReport {
  private let result: PreflightResult
  private let plan: Plan
  private let width: Int
  private let style: Style

  /// The text of what was found before a plan is carried out, for a terminal of this width.
  package init(_ result: PreflightResult, _ plan: Plan, width: Int, style: Style) {
    self.result = result
    self.plan = plan
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    let blocks = [[headline] + objects, remedies, remarks]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private var target: String { (plan.steps.first?.to ?? plan.target).name.oneLine }

  private var headline: String {
    let count = Quantity.count(result.errors)
    let old = result.warnings > 0 ? "; in the store now: \(Quantity.count(result.warnings))" : ""
    return result.errors == 0
      ? style.green("No object will newly break a rule of \(target)") + old
      : style.red("Failures under the rules of \(target): \(count)") + old
  }

  private var objects: [String] {
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

  private var remedies: [String] {
    let kinds = result.kinds.filter { $0.count.errors > 0 }
    guard !kinds.isEmpty else { return [] }
    let title = style.bold("What would settle it, each line by itself")
    return [title]
      + kinds.flatMap { kind in
        let count = kind.count
        let objects = Plural.text(count.errors, "object")
        let name = "\(count.entity) \(count.property), \(count.rule): \(objects)"
        return ["  \(name.oneLine)"] + kind.remedies.map { "    \($0.oneLine)" }
      }
  }

  private var remarks: [String] {
    var table = TextTable(indent: 2)
    for reason in result.unchecked { table.add(reason) }
    if plan.steps.count > 1 {
      table.add("the steps after \(target): their objects are not there yet")
    }
    guard !table.rows.isEmpty else { return [] }
    return [style.bold("Not looked at")] + table.lines(width: width, style)
  }
}
