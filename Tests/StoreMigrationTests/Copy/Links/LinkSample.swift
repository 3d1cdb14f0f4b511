import CoreDataStore
import Formats
import SQLite
import StoreMigration
import StoreTestSupport
import TestSupport

/// A migration of a small store, as far as a test wants it to go.
struct LinkSample {
  let mapping: Mapping
  let source: StoreSchema
  let target: StoreSchema

  /// A store of one model, filled by `fill`, that is to become one of another.
  init(
    _ before: String, _ after: String, _ instruct: (inout MappingInstructions) -> Void = { _ in },
    metadata: [String: PropertyList] = [:], keepsHistory: Bool = false,
    fill: (Connection, StoreSchema) throws -> Void
  ) throws {
    var instructions = MappingInstructions()
    instruct(&instructions)
    let (old, new) = (try Self.model(before, "1"), try Self.model(after, "2"))
    mapping = Mapping(from: old, to: new, instructions: instructions)
    source = try StoreSchema(of: old)
    target = try StoreSchema(of: new)
    let store = try NewStore(
      at: samplePath("source.sqlite"), schema: source,
      contents: NewStoreContents(
        uuid: StoreSample.uuid, keepsHistory: keepsHistory, metadata: metadata))
    try store.make(.tables)
    try fill(store.connection, source)
    try store.close()
  }

  /// A model; hashes that cannot be computed are recorded, as they are next to compiled models.
  private static func model(_ xml: String, _ name: String) throws -> Model {
    let model = try MappingModels.model(xml, name: name)
    guard let hash = VersionHash(bytes: Array(repeating: 7, count: 32)) else { return model }
    return try model.with(
      recordedHashes: VersionHashes(of: model).uncertain.mapValues { _ in hash })
  }

  /// The new store, begun.
  func builder(
    keepsHistory: Bool = false, start: StoreStart = .empty
  ) throws -> StoreBuilder {
    try StoreBuilder(
      at: samplePath("next.sqlite"), source: samplePath("source.sqlite"), sourceSchema: source,
      mapping: mapping, targetSchema: target,
      contents: NewStoreContents(keepsHistory: keepsHistory),
      externalFolder: samplePath("external"), start: start)
  }

  /// The new store with all objects.
  func copied(keepsHistory: Bool = false) throws -> StoreBuilder {
    let builder = try builder(keepsHistory: keepsHistory)
    for object in mapping.objects where !object.isAbstract {
      let copy = try builder.copy(of: object)
      while try copy.chunk() {}
    }
    return builder
  }

  /// Adds an object with these columns.
  static func insert(
    _ store: Connection, _ schema: StoreSchema, _ entity: String, _ key: Int64,
    _ columns: [String: Value] = [:]
  ) throws {
    guard let layout = schema.entity(named: entity) else { return }
    let sorted = columns.sorted { $0.key < $1.key }
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + sorted.map(\.key)
    let values = [.integer(key), .integer(Int64(layout.number)), .integer(1)] + sorted.map(\.value)
    try store.run(
      """
      INSERT INTO \(layout.table) (\(names.joined(separator: ", ")))
      VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
      """, values)
  }
}
