import CoreDataStore
import Foundation
import StoreTestSupport

/// A store that a run has made, and what is wrong with it.
struct MadeStore {
  private let path: String
  private let metadata: Metadata

  /// The store at a path.
  init(_ path: String) throws {
    self.path = path
    metadata = try Store(path).metadata
  }

  /// Where it is not what Core Data would make of this model; empty when it is.
  func faults(of model: Model) throws -> [String] {
    try schemaFaults(model) + entityFaults(model) + rowFaults(model)
  }

  private func schemaFaults(_ model: Model) throws -> [String] {
    let names = try read("SELECT name FROM sqlite_master")
    let masters = try StoreSchema.masters(of: model, among: names)
    let schema = try StoreSchema(
      of: model, framework: FrameworkVersion(metadata.framework ?? 0), masters: masters)
    let history = names.contains("ACHANGE") ? HistoryTables(for: model) : nil
    var expected = Set(schema.tables.map(\.sql) + schema.joinTables.map(\.sql))
    expected.formUnion(schema.indexes.map(\.sql) + schema.spatialIndexes.map(\.sql))
    expected.formUnion(schema.triggers.map(\.sql))
    expected.formUnion((history?.tables ?? []) + (history?.indexes ?? []))
    let found = Set(try StoreRows.schema(at: path)).filter { sql in
      !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains {
        sql.hasPrefix("CREATE TABLE \($0)")
      } && !sql.contains("ANSCK")
    }
    return expected.subtracting(found).sorted().map { "is missing: \($0)" }
      + found.subtracting(expected).sorted().map { "is too much: \($0)" }
  }

  private func entityFaults(_ model: Model) throws -> [String] {
    var faults: [String] = []
    let schema = try StoreSchema(of: model)
    let numbers = schema.entities.map { "\($0.number)|\($0.name)|\($0.parentNumber)" }
    let found = try read(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1")
    if found != numbers { faults.append("Z_PRIMARYKEY: \(found), not \(numbers)") }
    let hashes = VersionHashes(of: model)
    if metadata.hashes != hashes.entities { faults.append("the hashes are another model's") }
    if let digest = metadata.digest, digest != hashes.digest {
      faults.append("the digest is wrong")
    }
    if let sum = metadata.checksum, sum != hashes.checksum {
      faults.append("the checksum is wrong")
    }
    return faults
  }

  private func rowFaults(_ model: Model) throws -> [String] {
    var faults = try read("PRAGMA integrity_check").filter { $0 != "ok" }
    let schema = try StoreSchema(of: model)
    for root in schema.entities where root.parentNumber == 0 {
      let range = "\(root.family.lowerBound) AND \(root.family.upperBound)"
      let strangers = try read(
        "SELECT Z_PK FROM \(root.table) WHERE Z_ENT IS NULL OR Z_ENT NOT BETWEEN \(range)")
      if !strangers.isEmpty { faults.append("\(root.table): objects of other entities") }
      let low = try read(
        """
        SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.number)
        AND Z_MAX < (SELECT max(Z_PK) FROM \(root.table))
        """)
      if !low.isEmpty { faults.append("\(root.name): Z_MAX is below a key") }
    }
    return faults
  }

  private func read(_ sql: String) throws -> [String] { try StoreRows.read(sql, at: path) }
}
