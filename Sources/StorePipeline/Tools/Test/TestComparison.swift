internal import CoreDataStore
internal import Lua
internal import StoreMigration

/// Compares objects with what a test expects, and says line by line where they differ.
struct TestComparison {
  let model: Model
  /// Reads an object that a relationship leads to.
  let look: (ObjectID) throws -> ObjectRecord
  /// Whether objects of entities that the test does not name are too many.
  var isStrict = true

  /// Where the objects differ; empty when they do not.
  func differences(_ expected: LuaTable, _ got: [ObjectRecord]) throws -> [String] {
    guard !isByEntity(expected) else { return try byEntity(expected, got) }
    let unknown = unknownEntities(expected)
    guard unknown.isEmpty else { return unknown }
    guard let one = got.first, got.count == 1 else {
      return ["expected  one object", "got       \(Plural.text(got.count, "object"))"]
        + got.map(Self.line)
    }
    return try differences(expected, one)
  }

  /// Whether all of a table's names are entities: then it lists objects.
  private func isByEntity(_ table: LuaTable) -> Bool {
    table.list.isEmpty
      && table.fields.allSatisfy { key, value in
        key.name.map { model.entity(named: $0) != nil } == true && value.table != nil
      }
  }

  /// The names that are none of an entity: those of properties have no capital first.
  private func unknownEntities(_ table: LuaTable) -> [String] {
    table.fields.keys.compactMap(\.name).sorted()
      .filter { $0.first?.isUppercase == true && model.entity(named: $0) == nil }
      .map { name in
        let near = NearestName.quoted(for: name, among: model.entities.map(\.name))
        return "'\(model.name)' has no entity '\(name)'\(near)"
      }
  }

  private func byEntity(_ expected: LuaTable, _ got: [ObjectRecord]) throws -> [String] {
    var lines: [String] = []
    var left = got
    for (key, value) in expected.pairs {
      let name = key.name ?? ""
      let own = left.filter { $0.id.entity == name }
      left.removeAll { $0.id.entity == name }
      lines += try objects(value.table ?? LuaTable(), own, name)
    }
    guard isStrict else { return lines }
    return lines + (left.isEmpty ? [] : ["made besides"]) + left.map(Self.line)
  }

  private func objects(
    _ table: LuaTable, _ got: [ObjectRecord], _ name: String
  ) throws -> [String] {
    let wanted = table.list.isEmpty && !table.fields.isEmpty ? [.table(table)] : table.list
    guard wanted.count == got.count else {
      return [
        name, "  expected  \(Plural.text(wanted.count, "object"))",
        "  got       \(Plural.text(got.count, "object"))",
      ] + got.map { "  \(Self.line($0))" }
    }
    return try zip(wanted, got).flatMap { value, record in
      try differences(value.table ?? LuaTable(), record)
    }
  }

  private func differences(_ expected: LuaTable, _ record: ObjectRecord) throws -> [String] {
    guard let entity = model.entity(named: record.id.entity) else { return [] }
    if let name = expected[TestPrelude.entity]?.text, name != record.id.entity {
      return Self.difference(record, "entity", name, record.id.entity)
    }
    let fields = expected[TestPrelude.values]?.table ?? expected
    return try TestObjects.flattened(fields, entity, model).flatMap { name, value -> [String] in
      guard let name else { return ["an object has values with names"] }
      if let attribute = model.attribute(named: name, of: entity)?.attribute {
        return try compare(value, attribute, record)
      }
      if let link = record.link(name) { return try compare(value, link, record) }
      let names = record.cells.map(\.name) + record.links.map(\.name)
      return [
        "\(entity.name) has no '\(name)'" + NearestName.suggestion(for: name, among: names)
      ]
    }
  }

  private func compare(
    _ value: LuaValue, _ attribute: Attribute, _ record: ObjectRecord
  ) throws -> [String] {
    guard let got = record.value(attribute.name) else {
      return ["\(record.id.entity).\(attribute.name) is not stored"]
    }
    do {
      let path = "\(record.id.entity).\(attribute.name)"
      let expected = try TestObjects.value(value, of: attribute, at: path)
      guard !expected.isSame(as: got) else { return [] }
      return Self.difference(
        record, attribute.name, ValueText.of(expected), ValueText.of(got))
    } catch let misfit as ScriptValue.Misfit {
      return ["\(misfit)"]
    }
  }

  private func compare(
    _ value: LuaValue, _ link: ObjectRecord.Link, _ record: ObjectRecord
  ) throws -> [String] {
    let table = value.table ?? LuaTable()
    let isList = !table.list.isEmpty || (link.isToMany && table.fields.isEmpty)
    let wanted = value.isTestNull ? [] : isList ? table.list : [value]
    guard wanted.count == link.objects.count else {
      return Self.difference(
        record, link.name, Plural.text(wanted.count, "object"), ValueText.of(link))
    }
    return try zip(wanted, link.objects).flatMap { value, id in
      guard let table = value.table else {
        return ["\(record.id.entity).\(link.name): it is compared with an object's table"]
      }
      return try differences(table, look(id))
    }
  }

  private static func difference(
    _ record: ObjectRecord, _ name: String, _ expected: String, _ got: String
  ) -> [String] {
    [
      "\(record.id.entity) \(record.id.key), \(name)", "  expected  \(expected)",
      "  got       \(got)",
    ]
  }

  /// An object on one line, without what it has not.
  static func line(_ record: ObjectRecord) -> String {
    let values = record.lines(most: 30).filter { $0.text != "nil" && $0.text != "{}" }
      .map { "\($0.name) = \($0.text)" }
    return "\(record.id.entity) \(record.id.key) { \(values.joined(separator: ", ")) }"
  }
}

extension AttributeValue {
  /// Whether a store that holds one holds the other: digits beyond its columns do not count.
  func isSame(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.decimal(let one), .decimal(let two)):
      DecimalForm(one) == DecimalForm(two) || Double(one) == Double(two)
    default: self == other
    }
  }
}
