/// Finds what computes a derived attribute, and makes its triggers.
///
/// "Each trigger first updates, then calls" a function that tells Core Data of the new value. Where
/// the attribute's entity has a parent, every condition looks at Z_ENT as well.
struct DerivedTriggers {
  private let attribute: PropertyReference
  private let storage: DerivedAttribute.Place
  private let layout: EntityLayout
  /// The layout of what a relationship of the entity leads to.
  private let destination: (String) -> EntityLayout?

  private var table: String { storage.table }
  private var column: String { storage.column }

  init(
    _ attribute: PropertyReference, column: String, of layout: EntityLayout,
    destination: @escaping (String) -> EntityLayout?
  ) {
    self.attribute = attribute
    self.layout = layout
    self.destination = destination
    storage = DerivedAttribute.Place(
      table: layout.table, column: column, rows: layout.parentNumber == 0 ? nil : layout.family)
  }

  /// The attribute; nil where its expression is not understood.
  func derived(_ derivation: Derivation) -> DerivedAttribute? {
    guard derivation.filter == nil else { return nil }
    switch derivation.expression {
    case .keyPath(let path): return related(path, nil)
    case .function("now", _): return stamped(.now, "NSCoreDataNow()")
    case .function("random", _): return stamped(.random, "NSCoreDataRandom()")
    case .function(let name, let arguments):
      guard case .keyPath(let path)? = arguments.first, arguments.count == 1 else { return nil }
      if let form = DerivedAttribute.TextForm(rawValue: name) {
        return own(path, form) ?? related(path, form)
      }
      return Aggregate(rawValue: name).flatMap { aggregated($0, path) }
    default: return nil
    }
  }

  private func made(
    _ value: DerivedAttribute.Value, from source: DerivedAttribute.Column? = nil,
    _ triggers: [StoreTrigger]
  ) -> DerivedAttribute {
    DerivedAttribute(attribute, storage, value, from: source, triggers)
  }

  private func columnName(_ name: String, _ layout: EntityLayout?) -> String? {
    layout?.column(named: name)?.name
  }

  /// A path through one relationship.
  private static func parts(_ path: String) -> (first: String, last: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}

// Values of the object itself.
extension DerivedTriggers {
  private func own(_ path: String, _ form: DerivedAttribute.TextForm) -> DerivedAttribute? {
    guard let source = columnName(path, layout) else { return nil }
    return made(
      .text(form, of: "t.\(source)"), from: DerivedAttribute.Column(source, of: table),
      kept("\(form.function)(\(source))", whenChanged: source))
  }

  private func stamped(_ value: DerivedAttribute.Value, _ function: String) -> DerivedAttribute {
    made(value, kept(function, whenChanged: "Z_OPT"))
  }

  private func kept(_ value: String, whenChanged source: String) -> [StoreTrigger] {
    let name = name(of: table)
    return [
      StoreTrigger(
        "\(name)_INSERT", after: "INSERT", on: table, when: isOwn("NEW") ?? "",
        set(value, where: "Z_PK = NEW.Z_PK", isInsertion: true)),
      StoreTrigger(
        "\(name)_UPDATE", after: "UPDATE OF \(source)", on: table, when: isOwn("NEW") ?? "",
        set(value, where: "Z_PK = NEW.Z_PK")),
    ]
  }
}

// A value of one other object.
extension DerivedTriggers {
  private func related(
    _ path: String, _ form: DerivedAttribute.TextForm?
  ) -> DerivedAttribute? {
    guard let parts = Self.parts(path), case .toOne(let toOne) = layout[parts.first],
      let far = destination(parts.first), let source = columnName(parts.last, far)
    else { return nil }
    func formed(_ sql: String) -> String { form.map { "\($0.function)(\(sql))" } ?? sql }
    let key = toOne.key.name
    let found = formed("(SELECT \(source) FROM \(far.table) WHERE Z_PK = NEW.\(key))")
    let (near, other) = (name(of: table) + "_SOURCE", name(of: far.table) + "_PARAMETER")
    let leads = "\(key) = NEW.Z_PK"
    let sql = "(SELECT d.\(source) FROM \(far.table) AS d WHERE d.Z_PK = t.\(key))"
    return made(
      form.map { .text($0, of: sql) } ?? .sql(sql),
      from: DerivedAttribute.Column(source, of: far.table),
      [
        StoreTrigger(
          "\(near)_INSERT", after: "INSERT", on: table, when: isOwn("NEW") ?? "",
          set(found, where: "Z_PK = NEW.Z_PK", isInsertion: true)),
        StoreTrigger(
          "\(near)_UPDATE", after: "UPDATE OF \(key)", on: table, when: isOwn("NEW") ?? "",
          set(found, where: "Z_PK = NEW.Z_PK")),
        StoreTrigger(
          "\(other)_INSERT", after: "INSERT", on: far.table,
          set(formed("NEW.\(source)"), where: leads)),
        StoreTrigger(
          "\(other)_UPDATE", after: "UPDATE OF \(source)", on: far.table,
          set(formed("NEW.\(source)"), where: leads)),
      ])
  }
}

// Values of many other objects.
extension DerivedTriggers {
  private enum Aggregate: String {
    case count = "count:"
    case sum = "sum:"
    case least = "min:"
    case most = "max:"
    case average = "average:"
  }

  private func aggregated(_ aggregate: Aggregate, _ path: String) -> DerivedAttribute? {
    let parts = Self.parts(path)
    let name = parts?.first ?? path
    guard let far = destination(name) else { return nil }
    let source = parts.flatMap { columnName($0.last, far) }
    guard (source == nil) == (parts == nil) else { return nil }
    switch layout[name] {
    case .toMany(let storage):
      return aggregated(aggregate, storage, source)
    case .manyToMany(let storage): return aggregated(aggregate, storage, far, source)
    default: return nil
    }
  }

  private func aggregated(
    _ aggregate: Aggregate, _ many: ToManyStorage, _ source: String?
  ) -> DerivedAttribute? {
    let key = many.key.name
    let column = source.map { DerivedAttribute.Column($0, of: many.table) }
    func all(_ value: String, _ owner: String) -> String {
      "(SELECT \(value) FROM \(many.table) WHERE \(key) = \(owner))"
    }
    switch (aggregate, source) {
    case (.count, nil):
      let value = "IFNULL(COUNT(\(key)), 0)"
      return made(.sql(all(value, "t.Z_PK")), summed(many, "1", "1", all(value, "NEW.Z_PK"), nil))
    // "Count of a Boolean attribute = its sum."
    case (.count, let source?), (.sum, let source?):
      let value = "IFNULL(SUM(\(source)), 0)"
      return made(
        .sql(all(value, "t.Z_PK")), from: column,
        summed(
          many, "IFNULL(NEW.\(source), 0)", "IFNULL(OLD.\(source), 0)", all(value, "NEW.Z_PK"),
          source))
    case (.least, let source?):
      return made(
        .sql(all("MIN(\(source))", "t.Z_PK")), from: column,
        extreme(many, "MIN(\(source))", source, all))
    case (.most, let source?):
      return made(
        .sql(all("MAX(\(source))", "t.Z_PK")), from: column,
        extreme(many, "MAX(\(source))", source, all))
    case (.average, let source?):
      return made(.sql(all("AVG(\(source))", "t.Z_PK")), from: column, [])
    case (.sum, nil), (.least, nil), (.most, nil), (.average, nil): return nil
    }
  }

  /// The triggers that add and take away: `more` is what a new row adds, `less` what an old one
  /// took.
  private func summed(
    _ many: ToManyStorage, _ more: String, _ less: String, _ all: String, _ source: String?
  ) -> [StoreTrigger] {
    let (key, rows) = (many.key.name, many.table)
    let parameter = name(of: rows) + "_PARAMETER"
    let changed = "UPDATE OF \([key, source].compactMap(\.self).joined(separator: ", "))"
    let (new, old) = ("NEW.\(key) NOT NULL", "OLD.\(key) NOT NULL")
    return [
      StoreTrigger(
        "\(parameter)_INSERT", after: "INSERT", on: rows, when: new,
        set("IFNULL(\(column), 0) + \(more)", where: "Z_PK = NEW.\(key)")),
      StoreTrigger(
        "\(parameter)_UPDATE_INCREMENT", after: changed, on: rows, when: new,
        set("\(column) + \(more)", where: "Z_PK = NEW.\(key)")),
      StoreTrigger(
        "\(parameter)_UPDATE_DECREMENT", after: changed, on: rows, when: old,
        set("\(column) - \(less)", where: "Z_PK = OLD.\(key)")),
      StoreTrigger(
        "\(parameter)_DELETE", after: "DELETE", on: rows, when: old,
        set("\(column) - \(less)", where: "Z_PK = OLD.\(key)")),
      StoreTrigger(
        "\(name(of: table))_SOURCE_INSERT", after: "INSERT", on: table, when: isOwn("NEW") ?? "",
        set(all, where: "Z_PK = NEW.Z_PK", isInsertion: true)),
    ]
  }

  /// The triggers that look again at all rows.
  private func extreme(
    _ many: ToManyStorage, _ value: String, _ source: String, _ all: (String, String) -> String
  ) -> [StoreTrigger] {
    let (key, rows) = (many.key.name, many.table)
    let (name, changed) = (name(of: rows), "UPDATE OF \(key), \(source)")
    let (new, old) = ("NEW.\(key) NOT NULL", "OLD.\(key) NOT NULL")
    func again(_ row: String) -> [String] {
      set(all(value, "\(row).\(key)"), where: "Z_PK = \(row).\(key)")
    }
    let triggers = [
      StoreTrigger("\(name)_INSERT", after: "INSERT", on: rows, when: new, again("NEW")),
      StoreTrigger("\(name)_UPDATE_SET", after: changed, on: rows, when: new, again("NEW")),
      StoreTrigger("\(name)_UPDATE_UNSET", after: changed, on: rows, when: old, again("OLD")),
      StoreTrigger("\(name)_DELETE", after: "DELETE", on: rows, when: old, again("OLD")),
      StoreTrigger(
        "\(self.name(of: table))_INSERT", after: "INSERT", on: table, when: isOwn("NEW") ?? "",
        set(all(value, "NEW.Z_PK"), where: "Z_PK = NEW.Z_PK", isInsertion: true)),
    ]
    // Objects that lead to others of their table would have two triggers of one name.
    return rows == table ? triggers.dropLast() : triggers
  }

  private func aggregated(
    _ aggregate: Aggregate, _ join: JoinStorage, _ far: EntityLayout, _ source: String?
  ) -> DerivedAttribute? {
    func all(_ owner: String) -> String {
      "(SELECT IFNULL(COUNT(\(join.source)), 0) FROM \(join.table) "
        + "WHERE \(join.source) = \(owner))"
    }
    guard aggregate == .count, source == nil else {
      return source.flatMap { source in
        joined(aggregate, join, far, source).map {
          made(.sql($0), from: DerivedAttribute.Column(source, of: far.table), [])
        }
      }
    }
    let parameter = name(of: join.table) + "_PARAMETER"
    return made(
      .sql(all("t.Z_PK")),
      [
        StoreTrigger(
          "\(parameter)_INSERT", after: "INSERT", on: join.table,
          set("IFNULL(\(column), 0) + 1", where: "Z_PK = NEW.\(join.source)")),
        StoreTrigger(
          "\(parameter)_DELETE", after: "DELETE", on: join.table,
          set("\(column) - 1", where: "Z_PK = OLD.\(join.source)")),
        StoreTrigger(
          "\(name(of: table))_SOURCE_INSERT", after: "INSERT", on: table,
          when: isOwn("NEW") ?? "",
          set(all("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK", isInsertion: true)),
      ])
  }

  private func joined(
    _ aggregate: Aggregate, _ join: JoinStorage, _ far: EntityLayout, _ source: String
  ) -> String? {
    let value =
      switch aggregate {
      case .count, .sum: "ifnull(sum(d.\(source)), 0)"
      case .least: "min(d.\(source))"
      case .most: "max(d.\(source))"
      case .average: "avg(d.\(source))"
      }
    return "(SELECT \(value) FROM \(join.table) AS j JOIN \(far.table) AS d "
      + "ON d.Z_PK = j.\(join.destination) WHERE j.\(join.source) = t.Z_PK)"
  }
}

// Statements.
extension DerivedTriggers {
  /// What the names of the triggers on a table begin with.
  private func name(of table: String) -> String {
    "Z_DA_\(table)_\(attribute.entity)_\(attribute.property)"
  }

  /// That a row is of an entity that has the attribute; nil where every row of the table is.
  private func isOwn(_ row: String?) -> String? {
    storage.rows.map { rows in
      let number = row.map { "\($0).Z_ENT" } ?? "Z_ENT"
      return rows.count == 1
        ? "\(number) = \(rows.lowerBound)"
        : "\(number) >= \(rows.lowerBound) AND \(number) <= \(rows.upperBound)"
    }
  }

  /// A change of the attribute, reported to Core Data at once.
  private func set(
    _ value: String, where condition: String, isInsertion: Bool = false
  ) -> [String] {
    let condition = [condition, isOwn(nil)].compactMap(\.self).joined(separator: " AND ")
    let kind = isInsertion ? "InsertUpdated" : "Updated"
    return [
      "UPDATE \(table) SET \(column) = \(value) WHERE \(condition)",
      "SELECT NSCoreDataDATrigger\(kind)AffectedObjectValue"
        + "('\(table)', Z_ENT, Z_PK, '\(attribute.property)', \(column)) "
        + "FROM \(table) WHERE \(condition)",
    ]
  }
}
