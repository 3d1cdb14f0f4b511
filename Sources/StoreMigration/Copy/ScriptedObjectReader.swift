package import CoreDataStore
internal import SQLite

/// How a second connection reads the objects of a scripted entity, by ranges of keys.
package struct ScriptedObjectSelection: Sendable {
  /// The source's file.
  let path: String
  let schema: StoreSchema
  let entity: String
  let external: ExternalValues
  let sql: String
  /// The place of each column among those of a row.
  let columns: [String: Int]
}

extension ScriptedCopy {
  /// How a second connection reads its objects; nil where it cannot, or should not.
  package func objectSelection() throws -> ScriptedObjectSelection? {
    guard try builder.isReadBeside(entity) else { return nil }
    let (sql, columns) = try selection(ofKeys: "BETWEEN ?1 AND ?2")
    return ScriptedObjectSelection(
      path: builder.sourcePath, schema: builder.sourceSchema, entity: entity,
      external: builder.external, sql: sql, columns: columns)
  }
}

extension StoreBuilder {
  /// Whether another connection may read the objects of a source entity in addition to this one.
  ///
  /// A log may be read by one connection of a process alone; and a retry has few objects.
  func isReadBeside(_ entity: String) throws -> Bool {
    let isLogged = try telling("cannot read the source", sourcePath) {
      try connection.string("PRAGMA source.journal_mode") == "wal"
    }
    return try !isLogged && narrowing(entity, key: "Z_PK").isEmpty
  }
}

/// Reads objects of the source on a connection of its own, which belongs to one thread.
package final class ScriptedObjectReader {
  private let selection: ScriptedObjectSelection
  private let reader: SourceReader
  private let statement: Statement

  /// Opens the source a second time, for reading.
  package init(_ selection: ScriptedObjectSelection) throws {
    self.selection = selection
    do {
      let connection = try Connection(inMemory: .own)
      try connection.attach(selection.path, as: "source", .readOnlyAgain)
      reader = SourceReader(connection, selection.schema, in: "source")
      statement = try connection.prepare(selection.sql)
    } catch {
      throw Self.error(error, selection)
    }
  }

  /// Hands over the objects of these keys, in their order; no lock on the file is left.
  package func objects(
    of keys: ClosedRange<Int64>, _ body: (SourceObject) throws -> Void
  ) throws {
    defer {
      reader.leave()
      statement.reset()
    }
    do {
      try statement.bind([.integer(keys.lowerBound), .integer(keys.upperBound)])
      while try statement.step() {
        let id = ObjectID(entity: selection.entity, key: statement.row.integer(0) ?? 0)
        reader.stand(on: id, of: statement, selection.columns)
        try body(SourceObject(id, reader))
      }
    } catch let error as SQLiteError {
      throw Self.error(error, selection)
    }
  }

  /// An object of the source, by which a link leads to it; nil when it is not there.
  package func source(_ id: ObjectID) throws -> SourceObject? {
    try reader.has(id) ? SourceObject(id, reader) : nil
  }

  /// The bytes of a value that lies in a file.
  package func bytes(of reference: ExternalReference) throws -> [UInt8] {
    do {
      return try selection.external.content(of: reference)
    } catch {
      throw Failure(
        external: error, what: "cannot read an external value", subject: reference.name)
    }
  }

  private static func error(
    _ error: SQLiteError, _ selection: ScriptedObjectSelection
  ) -> Failure {
    Failure(error, what: "cannot read the objects", subject: "entity \(selection.entity)")
  }
}
