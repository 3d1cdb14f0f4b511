import CoreDataStore
internal import StoreMigration

// What a worker has noted for an object, done when its turn has come.

extension ScriptRun {
  /// Does what was noted for an object; false, with nothing done, where something of it cannot be:
  /// then the script says itself what is wrong, and on which line.
  func replay(_ record: CreateRecord, _ source: SourceObject) throws -> Bool {
    var made: [ObjectID] = []
    do {
      try copy.savepoint {
        for step in record.steps { try replay(step, source, &made) }
      }
    } catch let error as Failure where error.kind == .unusable {
      return false
    } catch is ScriptValue.Misfit {
      return false
    }
    for object in made { counts.made[object.entity, default: 0] += 1 }
    host.add(record.warnings)
    host.objects.add(rounded: record.rounded)
    return true
  }

  private func replay(
    _ step: CreateRecord.Step, _ source: SourceObject, _ made: inout [ObjectID]
  ) throws {
    switch step {
    case .makeDefault(let old, let target):
      made.append(try stores.makeDefault(old, as: target))
    case .make(let target): made.append(try stores.make(target, for: source.id))
    case .set(let object, let values):
      try stores.set(made[object], try values.mapValues { try value($0, source) })
    case .connect(let object, let relationship, let others):
      try stores.connect(made[object], relationship, others.map { [made] in made[$0] })
    }
  }

  private func value(
    _ given: CreateRecord.Given, _ source: SourceObject
  ) throws -> AttributeValue {
    switch given {
    case .value(let value): return value
    case .source(let attribute, let isTransformable):
      let bytes = try bytes(attribute, source)
      return isTransformable ? .transformable(bytes) : .binary(bytes)
    }
  }

  private func bytes(_ attribute: String, _ source: SourceObject) throws -> [UInt8] {
    switch try source.value(attribute) {
    case .binary(let bytes), .transformable(let bytes): return bytes
    case .external(let reference): return try stores.bytes(of: reference, side: .source)
    default: throw ScriptValue.Misfit("\(attribute) of the source has no bytes any more")
    }
  }
}
