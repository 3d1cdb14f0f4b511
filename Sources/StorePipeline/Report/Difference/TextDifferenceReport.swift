internal import CoreDataStore
internal import StoreMigration

/// The difference of two stores as text: counts, then what happened, most frequent first.
package struct TextDifferenceReport {
  /// The lines.
  package private(set) var text = ""
  private let report: DifferenceReport
  private let limit: Int
  private let width: Int
  private let style: Style

  /// The text of a report with at most `limit` objects, for a terminal of this width.
  ///
  /// - Throws: `Failure` when the objects cannot be read.
  package init(_ report: DifferenceReport, limit: Int, width: Int, style: Style) throws {
    self.report = report
    self.limit = limit
    self.width = width
    self.style = style
    var blocks = [head]
    if let losses = report.losses { blocks.append(section(losses.section(isShort: true))) }
    blocks += report.sections.map(section) + [entities, properties, metadata]
    blocks += try changes()
    blocks.append(report.remark.isEmpty ? [] : report.remark.wrapped(to: width))
    text = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private var head: [String] {
    let names = "\(report.before.path.oneLine) -> \(report.after.path.oneLine)"
    let versions =
      report.models == nil
      ? []
      : "The model has changed: \(report.before.version) -> \(report.after.version).".wrapped(
        to: width)
    let title = report.run == nil ? [style.bold(names)] : []
    return title + report.verdict.wrapped(to: width) + versions
  }

  private func block(_ title: String, _ table: TextTable) -> [String] {
    guard !table.rows.isEmpty else { return [] }
    return [style.bold(title)] + table.lines(width: width, style)
  }

  private var entities: [String] {
    guard report.difference.entities.contains(where: { !$0.isSame }) else { return [] }
    let hasRejects = !report.rejected.isEmpty
    var table = TextTable(indent: 2, numbers: [1, 2, 3, 4, 5])
    let heads =
      ["entity", "same", "changed", "added", "removed"] + (hasRejects ? ["rejected"] : [])
    table.rows.append(.init(cells: heads + [""], tint: .faint))
    for entity in report.difference.entities {
      let aside = report.rejected[entity.name] ?? 0
      let counts = [entity.kept, entity.changed, entity.added, entity.removed]
      let numbers = (counts + (hasRejects ? [aside] : [])).map(Quantity.count)
      table.rows.append(
        .init(
          cells: [entity.title.oneLine] + numbers + [bar(entity, aside)],
          tint: entity.isSame ? .faint : entity.removed > 0 ? .bad : .attention))
    }
    return table.lines(width: width, style)
  }

  /// How many stayed the same, changed, came and went, at a glance.
  private func bar(_ entity: ComparedEntity, _ aside: Int) -> String {
    TextBar([
      ("=", entity.kept), (ChangedObject.Change.changed.mark, entity.changed),
      (ChangedObject.Change.added.mark, entity.added),
      (ChangedObject.Change.removed.mark, entity.removed), ("!", aside),
    ]).text
  }

  private var properties: [String] {
    var table = TextTable(indent: 2)
    for entity in report.difference.entities {
      for (name, words) in entity.properties(report.given) {
        table.add("\(entity.name).\(name)", words)
      }
    }
    return block("Values and links", table)
  }

  private var metadata: [String] {
    var table = TextTable(indent: 2)
    for entry in report.metadata {
      let change = "\(entry.old ?? "none") → \(entry.new ?? "none")"
      table.add("~", entry.key, change, tint: .attention)
    }
    return block("Metadata", table)
  }

  /// The groups, each with its first objects, until the limit is reached.
  private func changes() throws -> [[String]] {
    guard !report.groups.isEmpty else { return [] }
    let share = max(1, limit / report.groups.count)
    let listed = 0..<min(report.groups.count, Self.mostGroups)
    let first =
      limit > 0 ? try report.objects.first(min(limit, max(share, 3)), ofEach: listed) : [:]
    var left = limit
    var lines: [String] = []
    for (number, group) in report.groups.prefix(Self.mostGroups).enumerated() {
      lines += title(group)
      let objects = (first[number] ?? []).prefix(min(left, max(share, 3)))
      left -= objects.count
      lines += self.objects(objects, of: group)
    }
    let rest = report.groups.count - Self.mostGroups
    if rest > 0 { lines.append(style.faint("and \(Plural.text(rest, "kind")) of change more")) }
    return [[style.bold("What happened")] + lines]
  }

  private static let mostGroups = 40

  private func title(_ group: ChangeGroup) -> [String] {
    var table = TextTable(indent: 2)
    let count = Plural.text(group.count, "object")
    let words = group.change == .changed ? ": \(group.words)" : ", \(group.words)"
    table.add(group.change.symbol, "\(group.entity), \(count)\(words)", tint: group.change.tint)
    return table.lines(width: width, style)
  }

  private func objects(_ objects: ArraySlice<ReportedObject>, of group: ChangeGroup) -> [String] {
    var table = TextTable(indent: 6)
    for object in objects {
      for (name, words) in object.lines { table.add(String(object.key), name, words) }
    }
    let rest = group.count - objects.count
    let more = rest > 0 && !objects.isEmpty ? ["      and \(Quantity.count(rest)) more"] : []
    return table.lines(width: width, style) + more.map(style.faint)
  }

  private func section(_ section: DifferenceReport.Section) -> [String] {
    let numbers = section.columns.indices.dropLast().filter { column in
      section.rows.allSatisfy { $0[column].allSatisfy { $0.isNumber || $0 == "," } }
    }
    var table = TextTable(indent: 2, numbers: Set(numbers))
    if !section.rows.isEmpty { table.rows.append(.init(cells: section.columns, tint: .faint)) }
    for row in section.rows { table.rows.append(.init(cells: row.map(\.oneLine))) }
    let note = section.note.isEmpty ? [] : section.note.wrapped(to: width)
    return [style.bold(section.title)] + note + table.lines(width: width, style)
  }
}

// Words that several forms of the report have in common.

extension ComparedEntity {
  /// The name, and the one before where that is another.
  var title: String { from.map { "\($0) → \(name)" } ?? name }
}

extension ComparedAttribute {
  /// "3 changed, 1 emptied"; `given` says what happened to values whose attribute is gone.
  func words(_ given: String? = nil) -> String {
    Self.words([
      (changed, "changed"), (emptied, "emptied"),
      (removed, given ?? "removed with the attribute"), (appeared, "appeared"),
    ])
  }

  fileprivate static func words(_ counts: [(Int, String)]) -> String {
    counts.filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }.joined(separator: ", ")
  }
}

extension ComparedLinks {
  /// "3 links gained, 1 lost"; `given` says what happened to those whose relationship is gone.
  func words(_ given: String? = nil) -> String {
    ComparedAttribute.words([
      (gained, gained == 1 ? "link gained" : "links gained"),
      (lost, lost == 1 ? "link lost" : "links lost"),
      (
        removed,
        "\(removed == 1 ? "link" : "links") \(given ?? "removed with the relationship")"
      ),
      (reordered, "in another order"),
    ])
  }
}

extension ChangedLink {
  /// "Box 1 → Box 2".
  var words: String {
    if isReordered { return "the same objects in another order" }
    return "\(Self.words(lost, lostCount)) → \(Self.words(gained, gainedCount))"
  }

  static func words(_ objects: [ObjectID], _ count: Int) -> String {
    guard count > 0 else { return "none" }
    let names = objects.prefix(3).map { "\($0.entity) \($0.key)" }.joined(separator: ", ")
    return count > 3 ? "\(names) and \(Quantity.count(count - 3)) more" : names
  }
}

extension ReportedObject {
  /// Each property that differs, and how.
  var lines: [(name: String, words: String)] {
    values.map { value in
      let words =
        switch change {
        case .changed: "\(value.old.words) → \(value.new.words)"
        case .added: value.new.words
        case .removed: value.old.words
        }
      return (value.attribute, words)
    }
      + links.map { link in
        switch change {
        case .changed: (link.relationship, link.words)
        case .added: (link.relationship, ChangedLink.words(link.gained, link.gainedCount))
        case .removed: (link.relationship, ChangedLink.words(link.lost, link.lostCount))
        }
      }
  }
}

extension ChangedObject.Change {
  fileprivate var tint: TextTable.Tint {
    switch self {
    case .added: .good
    case .removed: .bad
    case .changed: .attention
    }
  }
}

/// Shares of a whole as a bar of characters: `====~~+-`.
struct TextBar {
  /// The bar; empty when there is nothing.
  let text: String

  /// A bar of so many characters; each part that is not empty has at least one.
  init(_ parts: [(mark: Character, count: Int)], width: Int = 20) {
    let parts = parts.filter { $0.count > 0 }
    let total = parts.reduce(0.0) { $0 + Double($1.count) }
    var lengths = parts.map { max(1, Int((Double($0.count) / total * Double(width)).rounded())) }
    // What the small ones got too much is taken from the longest, and what is missing given to it.
    let excess = lengths.reduce(0, +) - width
    if let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }) {
      lengths[longest] = max(1, lengths[longest] - excess)
    }
    text = zip(parts, lengths).map { String(repeating: $0.mark, count: $1) }.joined()
  }
}
