internal import CoreDataStore
internal import StoreMigration

/// A plan as text: what it leads to, then step by step how each entity travels.
package struct TextPlanReport {
  /// The lines.
  package private(set) var text = ""
  private let plan: Plan
  private let style: Style
  private let width: Int

  /// The text of a plan, for a terminal of this width.
  package init(_ plan: Plan, store: String?, width: Int, style: Style) {
    self.plan = plan
    self.style = style
    self.width = width
    let blocks =
      [head(store)] + plan.steps.map(block) + [links, uris, remarks]
    text = blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private func head(_ store: String?) -> [String] {
    var table = TextTable()
    table.add("pipeline", "\(plan.pipeline.name) (\(plan.pipeline.file))")
    if let source = plan.source {
      table.add("store", "\(store ?? "") of version \(source.name)")
    } else {
      let names = plan.steps.map(\.from.name).joined(separator: ", ")
      table.add("from", names)
    }
    table.add("to", plan.target.name)
    let stages = plan.pipeline.stages.map { $0.stage.name }
    table.add("stages", stages.joined(separator: ", "))
    if let space = plan.space {
      let free = space.free.map { ", \(Quantity.bytes(Int($0))) free" } ?? ""
      table.add(
        "space", "\(Quantity.bytes(Int(space.needed))) needed\(free)",
        tint: space.isEnough ? .plain : .bad)
    }
    if plan.isCurrent { table.add("", "nothing to do: the store is of this version already") }
    return table.lines(width: width, style)
  }

  private func block(_ step: PlannedStep) -> [String] {
    let title = style.bold("\(step.from.name) -> \(step.to.name)".oneLine)
    var start = TextTable(indent: 2)
    start.add("begins".padded(to: 8), step.start.words, tint: .faint)
    return [title] + start.lines(width: width, style) + step.entities.flatMap { lines($0, step) }
  }

  private func lines(_ entity: PlannedEntity, _ step: PlannedStep) -> [String] {
    var head = TextTable(indent: 2)
    head.add(entity.how.rawValue.padded(to: 8), title(of: entity), tint: tint(entity.how))
    var table = TextTable(indent: 12)
    if let way = entity.way, way.rawValue != entity.how.rawValue { table.add("way", way.words) }
    for script in step.scripts where script.entity == entity.source {
      table.add("script", script.path)
    }
    let same = entity.attributes.filter(\.isSame)
    if !same.isEmpty { table.add("same", same.map(\.name).joined(separator: ", "), tint: .faint) }
    for attribute in entity.attributes where !attribute.isSame {
      table.add(attribute.name, attribute.words)
    }
    for loss in entity.lost {
      let count = loss.values.map { Plural.text(Int($0), "value") } ?? "whatever it holds"
      table.add(
        "lost", "\(loss.name): \(count)\(loss.isDeclared ? "" : ", not given up")",
        tint: loss.isDeclared ? .attention : .bad)
    }
    return head.lines(width: width, style) + table.lines(width: width, style)
  }

  private func title(of entity: PlannedEntity) -> String {
    let names = [entity.source, entity.target].compactMap(\.self)
    let name = names.count == 2 && names[0] == names[1] ? names[0] : names.joined(separator: " -> ")
    guard entity.how != .added else { return name }
    let counts = [
      entity.rows.map { Plural.text(Int($0), "object") },
      entity.bytes.map { Quantity.bytes(Int($0)) },
    ].compactMap(\.self)
    return ([name] + counts).joined(separator: ", ")
  }

  private func tint(_ how: PlannedEntity.Way) -> TextTable.Tint {
    switch how {
    case .kept: .faint
    case .copied: .plain
    case .scripted: .attention
    case .added: .good
    case .dropped: .bad
    }
  }

  private func titled(_ title: String, _ table: TextTable) -> [String] {
    table.rows.isEmpty ? [] : [style.bold(title)] + table.lines(width: width, style)
  }

  private var links: [String] {
    var table = TextTable(indent: 2)
    for link in plan.steps.flatMap(\.mapping.links) where ![.same, .empty].contains(link.move) {
      guard let name = link.relationship else { continue }
      let from = link.forward.source.map { "from \($0), " } ?? ""
      let discards = link.mayDiscard ? "; links may be discarded, which are counted" : ""
      table.add(name.description, from + link.move.rawValue + discards)
    }
    return titled("Links that do not stay in their place", table)
  }

  private var uris: [String] {
    var table = TextTable(indent: 2)
    for reason in plan.uris.reasons { table.add(reason, tint: .attention) }
    for mention in plan.uris.mentions {
      table.add("\(mention.place) holds \(Plural.text(Int(mention.count), "URI"))")
    }
    let title = plan.uris.breaks ? "Object URIs that break" : "Object URIs in the store"
    return titled(title, table)
  }

  private var remarks: [String] {
    var table = TextTable(indent: 2)
    for warning in plan.warnings { table.add(warning, tint: .attention) }
    return titled("What is strange", table)
  }
}

extension PlannedStart {
  /// What the new store begins as, and why.
  var words: String {
    switch how {
    case .overlay: "on top of the source: \(why)"
    case .clone: "as a copy of the source: \(why)"
    case .empty: "empty: \(why)"
    case nil: "on top of the source or empty: \(why)"
    }
  }
}

extension PlannedAttribute {
  /// Whether nothing happens to the values.
  fileprivate var isSame: Bool {
    rule == MappingRule.same.rawValue && detail == nil && from == name
  }

  /// Where the values come from, in words.
  var words: String {
    let origin =
      switch rule {
      case MappingRule.default.rawValue, MappingRule.constant.rawValue: "\(from ?? "NULL"), \(rule)"
      case MappingRule.scripted.rawValue: "script"
      default: from.map { "from \($0), \(rule)" } ?? rule
      }
    return origin + (detail.map { ": \($0)" } ?? "")
  }
}
