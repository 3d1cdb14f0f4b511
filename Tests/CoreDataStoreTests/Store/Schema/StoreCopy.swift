import CoreDataStore
import Formats
import Foundation
import SQLite
import StoreTestSupport
import TestSupport

/// A copy of a store of the corpus, and what is in it.
struct StoreCopy {
  /// The copy, opened.
  let connection: Connection
  /// What its schema table says.
  let schema: Schema
  /// The entries of its metadata.
  let metadata: PropertyList

  /// Copies a store with its journal to the test's own folder.
  init(of path: String) throws {
    let store = CorpusModels.file(path)
    let copy = TemporaryFolder.url.appending(path: "\(UUID().uuidString).sqlite").path
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
    }
    connection = try Connection(path: copy, mode: .foreignWritable)
    schema = try Schema(of: connection)
    let list = try connection.scalar("SELECT Z_PLIST FROM Z_METADATA")?.blob ?? []
    metadata = try PropertyList(reading: list)
  }

  /// The version of Core Data that wrote it.
  var framework: FrameworkVersion {
    FrameworkVersion(metadata["NSPersistenceFrameworkVersion"]?.integer ?? 0)
  }

  /// Its own copy of its model, as it is stored; nil without one.
  var modelCache: [UInt8]? {
    get throws {
      guard schema.table("Z_MODELCACHE") != nil else { return nil }
      return try connection.scalar("SELECT Z_CONTENT FROM Z_MODELCACHE")?.blob
    }
  }

  /// The rows of Z_PRIMARYKEY, without the highest keys.
  var entities: [String] {
    get throws {
      try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT").map {
        "\($0[0].integer ?? 0) \($0[1].string ?? "") \($0[2].integer ?? 0)"
      }
    }
  }

  /// The statements that made the objects of a kind.
  func statements(_ kinds: SchemaObject.Kind...) -> Set<String> {
    Set(schema.objects.filter { kinds.contains($0.kind) }.compactMap(\.sql))
  }

  /// The statements that made the tables, without those in which an r-tree keeps its nodes.
  var tables: Set<String> {
    let trees = schema.objects(of: .virtualTable).map(\.name)
    let nodes = Set(trees.flatMap { ["\($0)_node", "\($0)_parent", "\($0)_rowid"] })
    let own = schema.objects.filter {
      $0.kind == .virtualTable || $0.kind == .table && !nodes.contains($0.name)
    }
    return Set(own.compactMap(\.sql))
  }
}
