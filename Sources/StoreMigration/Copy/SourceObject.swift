package import CoreDataStore
internal import SQLite

/// One object of the source, its values read when they are asked for.
package struct SourceObject {
  package let id: ObjectID

  private let reader: SourceReader

  init(_ id: ObjectID, _ reader: SourceReader) {
    self.id = id
    self.reader = reader
  }

  /// The value of an attribute, inherited ones included.
  ///
  /// - Throws: ``Failure`` with the nearest name when there is no such stored attribute.
  package func value(_ attribute: String) throws -> AttributeValue {
    try reader.value(attribute, of: id)
  }

  /// The object that a relationship leads to; nil for none, and for one that is not there.
  package func destination(_ toOne: String) throws -> ObjectID? {
    try reader.destinations(toOne, of: id, toMany: false).first
  }

  /// The objects that a relationship leads to, in its order, or else in that of their keys.
  package func destinations(_ toMany: String) throws -> [ObjectID] {
    try reader.destinations(toMany, of: id, toMany: true)
  }
}
