package import CoreDataStore
package import Foundation
import SQLite
package import StoreMigration

/// A source made of models as XML and rows as SQL, and the store that is built from it.
package struct BuildSample: Sendable {
  /// The old version and the new one.
  package let source: Model
  package let target: Model
  package let mapping: Mapping
  private let folder: URL

  /// Two models with these insides; the rows are put into the source's tables.
  package init(
    _ before: String, _ after: String, rows: String, in folder: URL,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws {
    source = try Self.model(before, "1")
    target = try Self.model(after, "2")
    var instructions = MappingInstructions()
    instruct(&instructions)
    mapping = Mapping(from: source, to: target, instructions: instructions)
    self.folder = folder
    let store = try NewStore(at: path("source.sqlite"), schema: try StoreSchema(of: source))
    try store.make(.tables)
    try store.connection.execute(rows)
    try store.close()
  }

  private static func model(_ body: String, _ name: String) throws -> Model {
    let xml = "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>"
    return try SourceModelReader.read(Array(xml.utf8), name: name)
  }

  /// A file of the sample.
  package func path(_ name: String) -> String { folder.appending(path: name).path }

  /// The store as it is being built: begun, or resumed.
  package func builder(_ ways: [String: CopyWay] = [:]) throws -> StoreBuilder {
    try StoreBuilder(
      at: path("next.sqlite"), source: path("source.sqlite"),
      sourceSchema: try StoreSchema(of: source), mapping: mapping,
      targetSchema: try StoreSchema(of: target), contents: NewStoreContents(),
      externalFolder: path("external"), ways: ways)
  }

  /// Rows of the store that is being built, each as its values with `|` between them.
  package static func rows(_ sql: String, _ builder: StoreBuilder) throws -> [String] {
    try builder.connection.rows(sql).map { row in
      row.map(StoreRows.text).joined(separator: "|")
    }
  }
}
