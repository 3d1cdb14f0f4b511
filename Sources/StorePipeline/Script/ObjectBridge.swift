import CoreDataStore
import Lua
internal import StoreMigration

/// Reads and writes objects by the names a script uses, as the models want it.
///
/// Values for objects of the target wait here until the object is done, so that each is written
/// once.
final class ObjectBridge {
  private typealias Misfit = ScriptValue.Misfit

  let stores: any ScriptStores
  private var waiting: [ObjectID: [String: AttributeValue]] = [:]
  private var order: [ObjectID] = []
  /// The attributes that were read or written before, by entity: the models are asked once.
  private var known: [ScriptSide: [PropertyReference: Attribute]] = [:]
  /// The names of the parts of composite attributes that were used before, by entity.
  private var knownParts: [ScriptSide: [PropertyReference: [String]]] = [:]
  /// How many decimals lost digits on their way into the store.
  private(set) var rounded = 0

  init(_ stores: any ScriptStores) { self.stores = stores }

  /// The value of a property; objects are references, and then `isObject` is true.
  func read(_ name: String, of object: ScriptObject) throws -> (value: LuaValue, isObject: Bool) {
    if let attribute = attribute(name, of: object.id.entity, object.side) {
      return (try value(of: attribute, of: object), false)
    }
    if let parts = knownParts[object.side]?[PropertyReference(object.id.entity, name)] {
      return (ScriptReferences.composite(parts), true)
    }
    let model = stores.model(of: object.side)
    let entity = try self.entity(object.id.entity, in: model)
    guard let relationship = model.relationship(named: name, of: entity)?.relationship else {
      return (ScriptReferences.composite(try parts(of: name, in: entity, object.side)), true)
    }
    if object.side == .target { try flush() }
    let found = try stores.destinations(name, of: object)
    guard !relationship.isToMany else {
      return (ScriptReferences.values(found, object.side), true)
    }
    let one = found.first.map { ScriptReferences.value(ScriptObject(object.side, $0)) }
    return (one ?? .null, true)
  }

  /// The attribute of this name, inherited or the entity's own.
  func attribute(_ name: String, of entity: String, _ side: ScriptSide) -> Attribute? {
    let reference = PropertyReference(entity, name)
    if let attribute = known[side]?[reference] { return attribute }
    let model = stores.model(of: side)
    let found = model.entity(named: entity).flatMap {
      model.attribute(named: name, of: $0)?.attribute
    }
    if let found { known[side, default: [:]][reference] = found }
    return found
  }

  /// The names of the parts of a composite attribute; the models are asked once.
  private func parts(of name: String, in entity: Entity, _ side: ScriptSide) throws -> [String] {
    let reference = PropertyReference(entity.name, name)
    if let parts = knownParts[side]?[reference] { return parts }
    let model = stores.model(of: side)
    let parts = model.parts(of: name, in: entity)
    guard !parts.isEmpty else { throw unknown(name, entity, model) }
    knownParts[side, default: [:]][reference] = parts
    return parts
  }

  private func value(of attribute: Attribute, of object: ScriptObject) throws -> LuaValue {
    let place = "\(object.id.entity).\(attribute.name)"
    if attribute.isTransient { throw Misfit("\(place) is transient: nothing of it is stored") }
    do {
      let value =
        try waiting(attribute.name, of: object) ?? stores.value(attribute.name, of: object)
      return try ScriptValue.read(value) { try stores.bytes(of: $0, side: object.side) }
    } catch let misfit as Misfit {
      throw Misfit("cannot read \(place): \(misfit)")
    }
  }

  private func waiting(_ attribute: String, of object: ScriptObject) -> AttributeValue? {
    object.side == .target ? waiting[object.id]?[attribute] : nil
  }

  /// Gives a property of an object of the target a value.
  func write(_ name: String, of object: ObjectID, _ value: LuaValue) throws {
    if let attribute = attribute(name, of: object.entity, .target) {
      return try write(value, to: attribute, of: object)
    }
    let model = stores.model(of: .target)
    let entity = try self.entity(object.entity, in: model)
    guard let relationship = model.relationship(named: name, of: entity)?.relationship else {
      let parts = try parts(of: name, in: entity, .target)
      return try write(value, to: parts, of: name, of: object)
    }
    try connect(relationship, of: object, to: value, model)
  }

  private func write(_ value: LuaValue, to attribute: Attribute, of object: ObjectID) throws {
    let place = "\(object.entity).\(attribute.name)"
    if ScriptReferences.object(value) != nil {
      throw Misfit(
        "cannot set \(place): it is an attribute and was given an object; write a value of it, "
          + "as in x.name")
    }
    do {
      let stored = try ScriptValue.write(value, to: attribute)
      note(stored)
      wait(object, [attribute.name: stored])
    } catch {
      throw Misfit("cannot set \(place): \(error)")
    }
  }

  /// Sets all parts of a composite from a table, or empties them for nil.
  private func write(
    _ value: LuaValue, to parts: [String], of name: String, of object: ObjectID
  ) throws {
    let place = "\(object.entity).\(name)"
    guard value == .null || value.table != nil && ScriptReferences.object(value) == nil else {
      throw Misfit("cannot set \(place): it needs a table and was given a \(value.typeName)")
    }
    let table = value.table ?? LuaTable()
    for (key, _) in table.pairs where !parts.contains(key.name ?? "") {
      throw Misfit("cannot set \(place): it has no part '\(key.name ?? "...")'")
    }
    for part in parts { try write("\(name).\(part)", of: object, table[part] ?? .null) }
  }

  private func connect(
    _ relationship: Relationship, of object: ObjectID, to value: LuaValue, _ model: Model
  ) throws {
    let place = "\(object.entity).\(relationship.name)"
    let found = try objects(value, for: relationship, place)
    guard let destination = model.entity(named: relationship.destination) else { return }
    for other in found {
      let entity = try entity(other.entity, in: model)
      guard model.entity(entity, inheritsFrom: destination) else {
        throw Misfit(
          "cannot set \(place): it leads to \(destination.name) and was given \(entity.name)")
      }
    }
    try flush()
    try stores.connect(object, relationship.name, found)
  }

  private func objects(
    _ value: LuaValue, for relationship: Relationship, _ place: String
  ) throws -> [ObjectID] {
    let values: [LuaValue]
    if ScriptReferences.object(value) != nil {
      values = [value]
    } else if value == .null, !relationship.isToMany {
      values = []
    } else if let table = value.table, relationship.isToMany, table.fields.isEmpty {
      values = table.list
    } else {
      let wants = relationship.isToMany ? "a list of objects" : "an object or nil"
      let form = "new.\(relationship.destination) { ... }"
      let hint = relationship.isToMany ? "; write { \(form) }" : "; write \(form)"
      let isList = !relationship.isToMany && value.table?.list.isEmpty == false
      let given = isList ? "list; [1] is its first object" : value.typeName
      throw Misfit(
        "cannot set \(place): it needs \(wants) and was given a \(given)\(isList ? "" : hint)")
    }
    return try values.map { value in
      guard let object = ScriptReferences.object(value) else {
        throw Misfit(
          "cannot set \(place): its list has a \(value.typeName) in it; write objects, as in "
            + "{ new.\(relationship.destination) { ... } }")
      }
      guard object.side == .target else {
        throw Misfit(
          "cannot set \(place): it was given an object of the source; "
            + "ctx.destinations(x) gives those made from it")
      }
      return object.id
    }
  }

  /// Counts a value that its column cannot hold exactly.
  func note(_ value: AttributeValue) {
    if DecimalForm.losesDigits(value) { rounded += 1 }
  }

  /// Counts values that were noted elsewhere.
  func add(rounded count: Int) { rounded += count }

  /// Keeps values for an object until it is done.
  func wait(_ object: ObjectID, _ values: [String: AttributeValue]) {
    if waiting[object] == nil { order.append(object) }
    waiting[object, default: [:]].merge(values) { $1 }
  }

  /// Writes the values that wait.
  func flush() throws {
    let objects = order
    order = []
    for object in objects {
      if let values = waiting.removeValue(forKey: object) { try stores.set(object, values) }
    }
  }

  /// Forgets the values that wait: the object they are for is not made.
  func discard() {
    waiting = [:]
    order = []
  }

  /// An entity of a model, or what was meant.
  func entity(_ name: String, in model: Model) throws -> Entity {
    if let entity = model.entity(named: name) { return entity }
    let near = NearestName.of(name, among: model.entities.map(\.name))
    throw Misfit("there is no entity '\(name)'" + Self.suggestion(near))
  }

  /// Refuses a property that an entity has not.
  func checkProperty(_ name: String, of entity: String, in model: Model) throws {
    let entity = try self.entity(entity, in: model)
    if !Self.properties(of: entity, in: model).contains(name) {
      throw unknown(name, entity, model)
    }
  }

  private static func properties(of entity: Entity, in model: Model) -> [String] {
    model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
  }

  private func unknown(_ name: String, _ entity: Entity, _ model: Model) -> Misfit {
    let near = NearestName.of(name, among: Self.properties(of: entity, in: model))
    let isNew = model.name == stores.model(of: .target).name
    let other = stores.model(of: isNew ? .source : .target)
    let isOther = other.entity(named: entity.name).map {
      Self.properties(of: $0, in: other).contains(name)
    }
    let elsewhere = "; it is a name of the \(isNew ? "old" : "new") version"
    return Misfit(
      "\(entity.name) has no '\(name)'" + (isOther == true ? elsewhere : Self.suggestion(near)))
  }

  private static func suggestion(_ near: String?) -> String {
    near.map { "; did you mean '\($0)'?" } ?? ""
  }
}
