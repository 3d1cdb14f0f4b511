internal import CoreDataStore
internal import SQLite

/// What the mapping alone would make of one source entity's objects, one object at a time.
struct DefaultObject {
  let target: EntityLayout
  /// Whether the new object may have the old one's key.
  let keepsKey: Bool

  private let rows: RowCopy

  init(
    _ builder: StoreBuilder, from source: String, as target: String?
  ) throws {
    let object = try Self.mapping(builder, source, target)
    let expressions = try RowExpressions(builder, object)
    let parameters = expressions.bindings.count
    self.target = expressions.target
    keepsKey = object.keys == .kept && builder.mapping.objects(from: source) == object
    rows = RowCopy(
      builder, expressions, key: "?\(parameters + 2)", filter: "s.Z_PK = ?\(parameters + 1)")
  }

  /// Makes the object under a key; false when the source has no such row.
  func make(of key: Int64, as new: Int64) throws -> Bool {
    try rows.run([.integer(key), .integer(new)]) == 1
  }

  private static func mapping(
    _ builder: StoreBuilder, _ source: String, _ target: String?
  ) throws -> ObjectMapping {
    let found = builder.mapping.objects(from: source)
    if let found, target == nil || found.target == target { return found }
    guard let target else {
      throw Failure(
        .unusable, what: "cannot make an object", subject: "entity \(source)",
        why: "No entity of the target comes from it, so that there is nothing that the mapping "
          + "alone would make.",
        remedy: "Name the entity to be made, or map one from \(source) in the pipeline file.")
    }
    return try alike(builder, source, target)
  }

  /// What two entities that no rule pairs have in common: attributes of one name, where turning
  /// one into the other loses nothing.
  private static func alike(
    _ builder: StoreBuilder, _ source: String, _ target: String
  ) throws -> ObjectMapping {
    let layout = try builder.targetLayout(target)
    let attributes = layout.properties.compactMap { name -> AttributeMapping? in
      guard layout.column(named: name) != nil,
        let new = builder.targetSchema.model.attribute(name, ofEntity: target)
      else { return nil }
      return alike(new, builder.sourceSchema.model.attribute(name, ofEntity: source))
    }
    return ObjectMapping(
      source: source, target: target, rule: .scripted, isAbstract: false, keys: .renumbered,
      conditions: [], isScripted: true, attributes: attributes, properties: [])
  }

  private static func alike(_ new: Attribute, _ old: Attribute?) -> AttributeMapping {
    let conversion = old.flatMap { Conversion(from: $0.type, to: new.type) }
    let origin: AttributeMapping.Origin =
      if new.derivation != nil {
        .derivation
      } else if let old, old.type == new.type || conversion?.isHarmless == true {
        .source(old.name, conversion)
      } else {
        new.storableDefault.map(AttributeMapping.Origin.value) ?? .null
      }
    let (before, after) = (old?.usesExternalStorage, new.usesExternalStorage)
    return AttributeMapping(
      name: new.name, origin: origin, rule: .same, replacement: nil,
      storage: before == nil || before == after
        ? .none : after ? .gainsExternalStorage : .losesExternalStorage)
  }
}

extension Attribute {
  /// The model's default, where a store can hold it.
  var storableDefault: ModelConstant? {
    switch defaultValue {
    case nil, .null, .object: nil
    case let value?: value.normalized(for: type)
    }
  }
}
