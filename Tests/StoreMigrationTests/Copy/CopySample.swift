import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport

/// A source made of XML and SQL, and the store that is built from it.
struct CopySample {
  let source: StoreSchema
  let target: StoreSchema
  let mapping: Mapping
  let sourcePath: String
  let path: String
  let externalFolder: String

  /// Two models with these insides; the rows are put in before the source's indexes.
  ///
  /// A source that is there already is taken as it is.
  init(
    _ before: String, _ after: String, rows: String,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws {
    let old = try MappingModels.model(before, name: "1")
    let new = try MappingModels.model(after, name: "2")
    var instructions = MappingInstructions()
    instruct(&instructions)
    source = try StoreSchema(of: old)
    target = try StoreSchema(of: new)
    mapping = Mapping(from: old, to: new, instructions: instructions)
    let folder = TemporaryFolder.url
    sourcePath = folder.appending(path: "source.sqlite").path
    path = folder.appending(path: "next.sqlite").path
    externalFolder = folder.appending(path: "external").path
    guard !FileManager.default.fileExists(atPath: sourcePath) else { return }
    let store = try NewStore(at: sourcePath, schema: source)
    try store.make(.tables)
    try store.connection.execute(rows)
    try store.make(.indexes)
    try store.close()
  }

  /// Two versions of one entity, `A`.
  static func entity(
    _ before: String, _ after: String, rows: String,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> CopySample {
    try CopySample(
      "<entity name=\"A\">\(before)</entity>", "<entity name=\"A\">\(after)</entity>", rows: rows,
      instruct)
  }

  func builder(newExternals: String? = nil, start: StoreStart = .empty) throws -> StoreBuilder {
    try StoreBuilder(
      at: path, source: sourcePath, sourceSchema: source, mapping: mapping, targetSchema: target,
      contents: NewStoreContents(), externalFolder: externalFolder,
      newExternals: newExternals, start: start)
  }

  /// Copies all objects of all mappings.
  @discardableResult
  static func copyAll(
    _ builder: StoreBuilder, limits: ChunkLimits = ChunkLimits()
  ) throws -> [any EntityCopy] {
    try builder.mapping.objects.filter { !$0.isAbstract }.map { object in
      let copy = try builder.copy(of: object, limits: limits)
      while try copy.chunk() {}
      return copy
    }
  }

  /// The target's rows after copying everything.
  func rows(_ sql: String) throws -> [[Value]] {
    let builder = try builder()
    try Self.copyAll(builder)
    return try builder.connection.rows(sql)
  }
}
