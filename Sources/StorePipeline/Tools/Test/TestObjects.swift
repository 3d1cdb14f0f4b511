internal import CoreDataStore
internal import Lua
internal import StoreMigration

/// The objects that a test describes with tables, to be put into a store.
///
/// A value of a relationship is a table for an object that is made with it, or the label of one in
/// the same fixture table.
struct TestObjects {
  /// An object that is to be made.
  struct Object {
    let id: ObjectID
    var values: [String: AttributeValue] = [:]
    var links: [String: [ObjectID]] = [:]
  }

  private typealias Misfit = ScriptValue.Misfit

  /// The objects, in the order of their making.
  private(set) var objects: [Object] = []
  private let model: Model
  private var keys: [String: Int64] = [:]
  private var labels: [String: ObjectID] = [:]

  init(_ model: Model) { self.model = model }

  /// Adds one object, or a list of them; gives back which they are.
  mutating func add(_ entity: String, _ value: LuaValue, at path: String) throws -> [ObjectID] {
    guard let table = value.table else { throw Misfit("\(path): an object is a table") }
    if !table.list.isEmpty {
      return try table.list.enumerated().flatMap { place, value in
        try add(entity, value, at: "\(path)[\(place + 1)]")
      }
    }
    let id = try reserve(entity, value)
    try fill(id, value, at: path)
    return [id]
  }

  /// Adds a whole table of entities, each with its objects by label.
  mutating func add(store value: LuaValue) throws {
    var waiting: [(id: ObjectID, value: LuaValue, path: String)] = []
    for (key, objects) in value.table?.pairs ?? [] {
      guard let entity = key.name, let table = objects.table else {
        throw Misfit("store: it has entities' names with tables of objects")
      }
      for (label, object) in table.pairs {
        let text = Self.text(label)
        let id = try reserve(entity, object)
        // A label is good for the whole family: a link says no more than that.
        labels["\(root(id.entity)) \(text)"] = id
        waiting.append((id, object, "store.\(entity).\(text)"))
      }
    }
    for (id, object, path) in waiting { try fill(id, object, at: path) }
  }

  private static func text(_ key: LuaTable.Key) -> String {
    if case .integer(let number) = key { return "\(number)" }
    return key.name ?? "?"
  }

  private func root(_ entity: String) -> String {
    model.entity(named: entity).map { model.root(of: $0).name } ?? entity
  }

  /// Gives an object its key.
  private mutating func reserve(_ entity: String, _ value: LuaValue) throws -> ObjectID {
    let name = value.table?[TestPrelude.entity]?.text ?? entity
    guard let found = model.entity(named: name) else {
      throw Misfit(
        "\(model.name) has no entity '\(name)'"
          + NearestName.suggestion(for: name, among: model.entities.map(\.name)))
    }
    guard !found.isAbstract else {
      throw Misfit("\(name) is abstract; say which it is: object \"...\" { ... }")
    }
    let key = keys[root(name), default: 0] + 1
    keys[root(name)] = key
    return ObjectID(entity: name, key: key)
  }

  private mutating func fill(_ id: ObjectID, _ value: LuaValue, at path: String) throws {
    guard let table = value.table, let entity = model.entity(named: id.entity) else {
      throw Misfit("\(path): an object is a table")
    }
    var object = Object(id: id)
    let fields = Self.flattened(table[TestPrelude.values]?.table ?? table, entity, model)
    for (name, value) in fields {
      guard let name else { throw Misfit("\(path): an object has values with names") }
      if let attribute = model.attribute(named: name, of: entity)?.attribute {
        object.values[name] = try Self.value(value, of: attribute, at: "\(path).\(name)")
      } else if let link = model.relationship(named: name, of: entity)?.relationship {
        object.links[name] = try others(value, link, at: "\(path).\(name)")
      } else {
        let names =
          model.allAttributes(of: entity).map(\.name)
          + model.allRelationships(of: entity).map(\.name)
        throw Misfit(
          "\(path): \(id.entity) has no '\(name)'"
            + NearestName.suggestion(for: name, among: names))
      }
    }
    objects.append(object)
  }

  /// The fields of an object's table, in their order; the parts of composites by their paths.
  static func flattened(
    _ table: LuaTable, _ entity: Entity, _ model: Model, below path: String = ""
  ) -> [(name: String?, value: LuaValue)] {
    table.pairs.flatMap { key, value -> [(name: String?, value: LuaValue)] in
      guard let name = key.name.map({ path + $0 }) else { return [(nil, value)] }
      let parts = model.parts(of: name, in: entity)
      if !parts.isEmpty, value.isTestNull {
        return parts.flatMap { part in
          flattened(
            LuaTable(fields: [LuaTable.Key(part): value]), entity, model, below: "\(name).")
        }
      }
      guard !parts.isEmpty, let inner = value.table else { return [(name, value)] }
      return flattened(inner, entity, model, below: "\(name).")
    }
  }

  private mutating func others(
    _ value: LuaValue, _ link: Relationship, at path: String
  ) throws -> [ObjectID] {
    if value.isTestNull { return [] }
    if let table = value.table, !table.list.isEmpty || (link.isToMany && table.fields.isEmpty) {
      return try table.list.enumerated().flatMap { place, value in
        try others(value, link, at: "\(path)[\(place + 1)]")
      }
    }
    if value.table != nil { return try add(link.destination, value, at: path) }
    guard let label = value.text ?? value.integer.map({ "\($0)" }) else {
      throw Misfit("\(path): a relationship takes an object's table or label")
    }
    guard let id = labels["\(root(link.destination)) \(label)"] else {
      let prefix = "\(root(link.destination)) "
      let names = labels.keys.filter { $0.hasPrefix(prefix) }.map {
        String($0.dropFirst(prefix.count))
      }
      throw Misfit(
        "\(path): no \(link.destination) is labelled '\(label)'"
          + NearestName.suggestion(for: label, among: names.sorted()))
    }
    return [id]
  }

  /// The value of an attribute that a test writes down; NULL may stand in mandatory ones.
  static func value(
    _ value: LuaValue, of attribute: Attribute, at path: String
  ) throws -> AttributeValue {
    if value.isTestNull { return .null }
    var open = attribute
    (open.isOptional, open.isTransient, open.derivation) = (true, false, nil)
    do {
      return try ScriptValue.write(value, to: open)
    } catch {
      throw Misfit("\(path): \(error)")
    }
  }

  /// Puts them into a new store.
  func make(at path: String, schema: StoreSchema) throws {
    try StoreFixture.make(at: path, schema: schema) { fixture in
      for object in objects {
        try fixture.add(
          object.id.entity, key: object.id.key, object.values, links: object.links)
      }
    }
  }

  /// Adds an object whose values are known.
  mutating func add(_ entity: String, _ values: [String: AttributeValue]) throws -> ObjectID {
    let id = try reserve(entity, .null)
    objects.append(Object(id: id, values: values))
    return id
  }
}

extension LuaValue {
  /// Whether a test wrote `null`.
  var isTestNull: Bool { self == .null || table?[TestPrelude.null] != nil }
}
