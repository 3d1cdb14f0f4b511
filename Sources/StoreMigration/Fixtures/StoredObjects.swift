package import CoreDataStore
internal import SQLite

/// Reads the objects of a whole store one by one: for tests and comparisons by eye.
///
/// The file is not to be written meanwhile, and no other connection of this process may have it.
package final class StoredObjects {
  /// The store's schema.
  package let schema: StoreSchema
  private let connection: Connection
  private let reader: SourceReader
  private let external: ExternalValues

  /// Opens a store that has this schema.
  ///
  /// - Throws: ``Failure``.
  package init(_ path: String, schema: StoreSchema) throws {
    self.schema = schema
    do {
      connection = try Connection(path: path, mode: .foreign)
    } catch {
      throw Failure(error, what: "cannot open the store", subject: path)
    }
    reader = SourceReader(connection, schema)
    external = ExternalValues(old: [try StoreFiles(path).externalDataFolder], new: nil)
  }

  /// The objects of this very entity, by their keys.
  package func all(of entity: String) throws -> [ObjectID] {
    let layout = try schema.layout(of: entity)
    do {
      return try connection.rows(
        """
        SELECT Z_PK FROM \(Identifier.quoted(layout.table)) WHERE Z_ENT = \(layout.number)
        ORDER BY Z_PK
        """
      ).compactMap { $0[0].integer.map { ObjectID(entity: entity, key: $0) } }
    } catch {
      throw Failure(error, what: "cannot find objects", subject: "entity \(entity)")
    }
  }

  /// The value of an attribute, inherited ones included.
  package func value(_ attribute: String, of object: ObjectID) throws -> AttributeValue {
    try reader.value(attribute, of: object)
  }

  /// The objects that a relationship leads to, in its order, or else in that of their keys.
  package func destinations(_ relationship: String, of object: ObjectID) throws -> [ObjectID] {
    let found = schema.model.relationship(relationship, ofEntity: object.entity)
    return try reader.destinations(
      relationship, of: object, toMany: found?.isToMany ?? false)
  }

  /// The bytes of a value that lies in a file.
  package func bytes(of reference: ExternalReference) throws -> [UInt8] {
    do {
      return try external.content(of: reference)
    } catch {
      throw Failure(error, what: "cannot read an external value", subject: reference.name)
    }
  }
}
