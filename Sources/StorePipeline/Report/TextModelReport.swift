internal import CoreDataStore

/// A model as text: its versions, then entity by entity.
package struct TextModelReport {
  /// The lines.
  package private(set) var text = ""
  private let style: Style
  private let width: Int

  /// The text of a report, for a terminal of this width.
  package init(_ report: ModelReport, width: Int, style: Style) {
    self.style = style
    self.width = width
    let blocks = [head(report)] + report.entities.map { block($0, report) }
    text = blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func head(_ report: ModelReport) -> [String] {
    var table = TextTable()
    table.add("model", report.model.name)
    table.add("from", "\(report.origin.path) (\(report.origin.kind))")
    if report.origin.versions.count > 1 {
      let names = report.origin.versions.map {
        $0 == report.origin.current ? "\($0) (current)" : $0
      }
      table.add("versions", names.joined(separator: ", "))
    }
    let identifiers = report.model.versionIdentifiers.joined(separator: ", ")
    if !identifiers.isEmpty {
      table.add("identifiers", identifiers)
    }
    let configurations = report.model.configurations
    for name in configurations.keys.sorted() {
      table.add("configuration", "\(name): \((configurations[name] ?? []).joined(separator: ", "))")
    }
    let requests = report.model.fetchRequests.map(\.name)
    if !requests.isEmpty { table.add("fetch requests", requests.joined(separator: ", ")) }
    table.add("entities", Quantity.count(report.entities.count))
    table.add("checksum", report.hashes.checksum ?? "unknown")
    return table.lines(width: width, style)
  }

  private func block(_ entity: Entity, _ report: ModelReport) -> [String] {
    let traits: [String?] = [
      entity.isAbstract ? "abstract" : nil,
      entity.parent.map { "inherits from \($0)" },
      entity.renamingIdentifier.map { "was \($0)" },
    ]
    let words = traits.compactMap(\.self).joined(separator: ", ")
    var table = TextTable(indent: 3)
    for property in PropertyText.declared(by: entity) {
      table.add(property.name, PropertyText.summary(of: property))
    }
    for constraint in entity.uniquenessConstraints {
      table.add("unique", constraint.joined(separator: ", "), tint: .faint)
    }
    for index in entity.fetchIndexes {
      let names = index.elements.map { $0.propertyName ?? "an expression" }
      table.add("index", "\(index.name): \(names.joined(separator: ", "))", tint: .faint)
    }
    table.add("hash", report.hash(of: entity) ?? "unknown", tint: .faint)
    let name = style.bold(entity.name.oneLine)
    let title =
      (report.numbers[entity.name].map(String.init) ?? "-").padded(to: 3) + name
      + (words.isEmpty ? "" : "  \(words)")
    return [title] + table.lines(width: width, style)
  }
}
