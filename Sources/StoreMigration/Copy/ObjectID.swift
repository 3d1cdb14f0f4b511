/// One object of the source or of the target: its very entity, and its Z_PK.
package struct ObjectID: Hashable, Sendable {
  /// The entity's name.
  package var entity: String
  /// Its Z_PK.
  package var key: Int64

  /// An object by entity and key.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}
