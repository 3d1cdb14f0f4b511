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
    keepsKey = object.keys == .kept
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
    throw Failure(
      .unusable, what: "cannot make an object", subject: "entity \(source)",
      why: "The mapping alone makes \(target.map { "no \($0)" } ?? "nothing") from it.",
      remedy: "Map \(target ?? "an entity") from \(source) in the pipeline file.")
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
