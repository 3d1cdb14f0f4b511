internal import CoreDataStore
internal import StoreMigration

/// Reads the objects of a trial's two stores, and says which came of which.
struct TrialReader {
  private let copy: ScriptedCopy
  private let stores: CopyStores

  init(_ copy: ScriptedCopy, _ step: PlannedStep) {
    self.copy = copy
    stores = CopyStores(copy, source: step.from, target: step.to, step.mapping)
  }

  /// The objects that came of one of the source.
  func made(from source: ObjectID) throws -> [ObjectID] { try copy.destinations(of: source) }

  /// The objects that one of the target came of.
  func sources(of object: ObjectID) throws -> [ObjectID] { try copy.sources(of: object) }

  /// The target's objects of this very entity.
  func all(of entity: String) throws -> [ObjectID] {
    try copy.find(entity, where: nil, limit: .max).filter { $0.entity == entity }
  }

  /// An object with all it has.
  func record(_ side: ScriptSide, _ id: ObjectID) throws -> ObjectRecord {
    try ObjectRecord(id, of: stores.model(of: side)) { name in
      try stores.value(name, of: ScriptObject(side, id))
    } bytes: {
      try stores.bytes(of: $0, side: side)
    } destinations: { name in
      try stores.destinations(name, of: ScriptObject(side, id))
    }
  }
}
