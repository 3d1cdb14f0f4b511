import CoreDataStore
internal import StoreMigration

/// The two stores of a run, as a script reaches them.
final class CopyStores: ScriptStores {
  private let copy: ScriptedCopy
  private let sourceModel: Model
  private let targetModel: Model
  let mapping: Mapping?
  /// The current object, whose values need no search.
  var current: SourceObject?

  init(_ copy: ScriptedCopy, source: Model, target: Model, _ mapping: Mapping) {
    self.copy = copy
    self.mapping = mapping
    (sourceModel, targetModel) = (source, target)
  }

  func model(of side: ScriptSide) -> Model { side == .source ? sourceModel : targetModel }

  func value(_ attribute: String, of object: ScriptObject) throws -> AttributeValue {
    guard object.side == .source else { return try copy.value(attribute, ofTarget: object.id) }
    return try source(object.id).value(attribute)
  }

  func destinations(_ relationship: String, of object: ScriptObject) throws -> [ObjectID] {
    guard object.side == .source else {
      return try copy.destinations(relationship, ofTarget: object.id)
    }
    let isToMany = sourceModel.entity(named: object.id.entity)
      .flatMap { sourceModel.relationship(named: relationship, of: $0) }?.relationship.isToMany
    let source = try source(object.id)
    if isToMany == true { return try source.destinations(relationship) }
    return try source.destination(relationship).map { [$0] } ?? []
  }

  func bytes(of reference: ExternalReference, side: ScriptSide) throws -> [UInt8] {
    try copy.bytes(of: reference)
  }

  func makeDefault(_ source: ObjectID, as target: String) throws -> ObjectID {
    try copy.makeDefault(try self.source(source), as: target)
  }

  func make(_ target: String, for source: ObjectID?) throws -> ObjectID {
    try copy.make(target, for: try source.map { try self.source($0) })
  }

  func set(_ object: ObjectID, _ values: [String: AttributeValue]) throws {
    try copy.set(object, values)
  }

  func connect(_ object: ObjectID, _ relationship: String, _ others: [ObjectID]) throws {
    try copy.connect(object, relationship, others)
  }

  func associate(_ object: ObjectID, with source: ObjectID) throws {
    try copy.associate(object, with: source)
  }

  func made(from source: ObjectID) throws -> [ObjectID] { try copy.destinations(of: source) }

  func sources(of object: ObjectID) throws -> [ObjectID] { try copy.sources(of: object) }

  func find(_ entity: String, where condition: ModelPredicate?, limit: Int) throws -> [ObjectID] {
    try copy.find(entity, where: condition, limit: limit)
  }

  func count(_ entity: String, where condition: ModelPredicate?) throws -> Int {
    try copy.count(entity, where: condition)
  }

  private func source(_ id: ObjectID) throws -> SourceObject {
    if let current, current.id == id { return current }
    if let found = try copy.source(id) { return found }
    throw ScriptValue.Misfit("the source has no \(id.entity) Z_PK \(id.key)")
  }
}
