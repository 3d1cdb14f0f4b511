internal import CoreDataStore
internal import SQLite

/// The tables, indexes, views and triggers that a new store of a schema has.
///
/// It is read from such a store, made in memory, so that nothing has to be said twice. The history
/// is left out: its tables have the columns that the version of Core Data knew which made them.
struct FreshSchema {
  private let objects: [Text: SchemaObject]
  /// Indexes of uniqueness constraints, which are missing where objects share values.
  private let mayBeMissing: Set<String>

  /// The schema of a store that is being built.
  init(_ store: NewStore) throws {
    let new = try NewStore(
      resuming: try Connection(inMemory: .own), schema: store.schema, contents: store.contents)
    for part in NewStore.Part.allCases { try new.make(part) }
    objects = Self.named(try Schema(of: new.connection))
    mayBeMissing = Set(store.schema.indexes.filter(\.isUnique).map(\.name))
    try new.close()
  }

  private static func named(_ schema: Schema) -> [Text: SchemaObject] {
    let history = Set(HistoryCopy.tables)
    let own = schema.objects.filter { !history.contains($0.table) }
    return Dictionary(own.map { (Text("\($0.kind) \($0.name)"), $0) }) { first, _ in first }
  }

  /// The first object that one has and the other has not, or has otherwise; nil when there is none.
  func difference(from schema: Schema) -> String? {
    let found = Self.named(schema)
    let missing = objects.values.filter {
      !mayBeMissing.contains($0.name) && found[Text("\($0.kind) \($0.name)")] == nil
    }
    if let missing = missing.min(by: { $0.name < $1.name }) {
      return "the \(missing.kind) \(missing.name) is missing"
    }
    for (name, object) in found.sorted(by: { $0.value.name < $1.value.name }) {
      guard let new = objects[name] else { return "the \(object.kind) \(object.name) is too many" }
      let isSame =
        object.table == new.table && object.sql.map { Text($0) } == new.sql.map { Text($0) }
      if !isSame { return "the \(object.kind) \(object.name) was made by another statement" }
    }
    return nil
  }
}
