internal import CoreDataStore

/// The difference of two models as text: entity by entity, then what stands in the way.
package struct TextModelDifferenceReport {
  /// The lines.
  package private(set) var text = ""
  private let report: ModelDifferenceReport
  private let style: Style
  private let width: Int

  /// The text of a report, for a terminal of this width.
  package init(_ report: ModelDifferenceReport, width: Int, style: Style) {
    self.report = report
    self.style = style
    self.width = width
    let entities = report.difference.entities
    var blocks = [head]
    blocks += entities.filter { $0.change != .same }.map(block)
    blocks.append(same(entities.filter { $0.change == .same }.map(\.name)))
    blocks.append(remarks("What Core Data cannot infer", report.obstacles, .bad))
    blocks.append(remarks("What CloudKit does not support", report.cloudKitRules ?? [], .bad))
    blocks.append(
      remarks(
        "Changes that a production schema does not allow", report.cloudKitProduction ?? [], .bad))
    if report.cloudKitRules == [], report.cloudKitProduction == [] {
      blocks.append(["CloudKit supports all of it."])
    }
    blocks.append(remarks("What does not change a version hash", report.unhashed, .faint))
    text = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private var head: [String] {
    let names = "\(report.source.name.oneLine) -> \(report.target.name.oneLine)"
    return [style.bold(names)] + report.verdict.wrapped(to: width)
  }

  private func block(_ entity: EntityDifference) -> [String] {
    var title = TextTable()
    let mark = (entity.obstacle == nil ? " " : "!") + entity.change.symbol
    title.add(mark, entity.name, report.words(for: entity), tint: Self.tint(of: entity.change))
    var table = TextTable(indent: 2)
    for property in entity.properties {
      let mark = (property.isInferable ? " " : "!") + property.change.symbol
      table.add(
        mark, property.name, report.words(for: property, of: entity),
        tint: Self.tint(of: property.change))
    }
    return title.lines(width: width, style) + table.lines(width: width, style)
  }

  private static func tint(of change: Change) -> TextTable.Tint {
    switch change {
    case .added: .good
    case .removed: .bad
    case .renamed, .changed: .attention
    case .same: .faint
    }
  }

  private func same(_ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    var table = TextTable()
    table.add(" =", "same: \(names.joined(separator: ", "))", tint: .faint)
    return table.lines(width: width, style)
  }

  private func remarks(
    _ title: String, _ remarks: [ModelDifferenceReport.Remark], _ tint: TextTable.Tint
  ) -> [String] {
    guard !remarks.isEmpty else { return [] }
    var table = TextTable(indent: 2)
    for remark in remarks { table.add(remark.subject, remark.words, tint: tint) }
    return [style.bold(title)] + table.lines(width: width, style)
  }
}
