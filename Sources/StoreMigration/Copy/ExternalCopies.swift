internal import CoreDataStore
internal import Foundation
internal import OperatingSystem
internal import SQLite
package import StoreReplacement

extension StoreBuilder {
  /// The files that the new store's values are in, by name, once all objects are there.
  ///
  /// Core Data removes a file with the object whose value it is: so two values that refer to one
  /// file, as when two attributes come from one, get a file each.
  package func externals() throws -> [ExternalCopy] {
    try telling("cannot list the external values", path) {
      try connection.transaction {
        let unit = "externals"
        if try progress(of: unit) == nil {
          for (name, column, attribute) in externalColumns {
            let table = Identifier.quoted(name, in: "main")
            try collect(table, column)
            try countMalformed(table, column, attribute)
          }
          try record(ProgressRow(unit: unit, isDone: true))
        }
      }
      return try connection.rows(
        "SELECT source, name FROM main.\(BuilderTables.externals) ORDER BY name"
      ).compactMap { row in
        guard let source = row[0].string, let target = row[1].string else { return nil }
        return ExternalCopy(source: source, target: target)
      }
    }
  }

  private var externalColumns: [(table: String, column: String, attribute: PropertyReference)] {
    targetSchema.tables.flatMap { table in
      table.columns.compactMap { column in
        guard targetSchema.mayBeExternal(column), let property = column.property else { return nil }
        return (table.name, Identifier.quoted(column.name), property)
      }
    }
  }

  private func collect(_ table: String, _ column: String) throws {
    let found = try connection.prepare(
      "SELECT Z_PK, \(column) FROM \(table) WHERE \(Self.isReference(column)) ORDER BY Z_PK")
    var again: [(key: Int64, reference: ExternalReference)] = []
    while try found.step() {
      guard let bytes = try found.row.blob(1),
        let reference = ExternalReference(stored: bytes)
      else { continue }
      if try !note(reference.name, of: reference.name) {
        again.append((found.row.integer(0) ?? 0, reference))
      }
    }
    for (key, reference) in again { try giveFile(to: reference, table, column, key) }
  }

  /// Length and first byte come without the value, which may be large.
  private static func isReference(_ column: String) -> String {
    "typeof(\(column)) = 'blob' AND length(\(column)) = \(ExternalReference.length) "
      + "AND substr(\(column), 1, 1) = x'02'"
  }

  /// Gives a value that the store has not had a file of another name where an application has
  /// written other bytes under its name since: each keeps what it had.
  ///
  /// - Parameters:
  ///   - earlier: The store as it was.
  ///   - folder: The folder of its files.
  /// - Throws: ``Failure`` when a store cannot be read or written.
  package func renameExternals(since earlier: String, in folder: String) throws {
    try telling("cannot list the external values", path) {
      try connection.attach(earlier, as: "earlier", .readOnly)
      for (name, column, _) in externalColumns {
        let table = Identifier.quoted(name, in: "main")
        let rows = try connection.rows(
          """
          SELECT n.Z_PK, n.\(column) FROM \(table) AS n
          LEFT JOIN \(Identifier.quoted(name, in: "earlier")) AS e ON e.Z_PK = n.Z_PK
          WHERE \(Self.isReference("n.\(column)")) AND n.\(column) IS NOT e.\(column)
          """)
        for row in rows {
          guard let key = row[0].integer,
            let reference = row[1].blob.flatMap(ExternalReference.init(stored:)),
            hasOther(reference.name, folder)
          else { continue }
          try giveFile(to: reference, table, column, key)
        }
      }
      try connection.detach("earlier")
    }
  }

  private func hasOther(_ name: String, _ folder: String) -> Bool {
    guard let there = try? FileDigest(ofFile: "\(folder)/\(name)") else { return false }
    let own = external.old.lazy.compactMap { try? FileDigest(ofFile: "\($0)/\(name)") }.first
    return own != nil && own != there
  }

  /// Counts values that are neither marked as inline nor a reference.
  private func countMalformed(
    _ table: String, _ column: String, _ attribute: PropertyReference
  ) throws {
    let strange = try connection.prepare(
      """
      SELECT CASE WHEN length(\(column)) = \(ExternalReference.length) THEN \(column) END
      FROM \(table) WHERE typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) IS NOT x'01'
      """)
    var count = 0
    while try strange.step() {
      let reference = try strange.row.blob(0).flatMap { ExternalReference(stored: $0) }
      if reference == nil { count += 1 }
    }
    if count > 0 { try NotedValues(self).note(.malformed, attribute, count: count) }
  }

  /// Notes a file; false when another value is in it already.
  private func note(_ name: String, of source: String) throws -> Bool {
    try connection.run(
      "INSERT OR IGNORE INTO main.\(BuilderTables.externals) VALUES (?1, ?2)",
      [.text(name), .text(source)]) == 1
  }

  /// Lets a value refer to a file of its own; where the file is missing both refer to it still, and
  /// have their value again when it is put back.
  private func giveFile(
    to reference: ExternalReference, _ table: String, _ column: String, _ key: Int64
  ) throws {
    let isThere = external.old.contains { folder in
      (try? FileEntry.at("\(folder)/\(reference.name)"))?.isRegular == true
    }
    guard isThere, let new = ExternalReference(UUID().uuidString) else { return }
    try connection.run(
      "UPDATE \(table) SET \(column) = ?1 WHERE Z_PK = ?2", [.blob(new.stored), .integer(key)])
    _ = try note(new.name, of: reference.name)
  }
}

extension StoreSchema {
  /// Whether the values of a column may be in files.
  func mayBeExternal(_ column: StoreColumn) -> Bool {
    guard case .attribute(let property) = column.role else { return false }
    return model.attribute(property.property, ofEntity: property.entity)?.usesExternalStorage
      == true
  }
}
