internal import CoreDataStore
internal import StoreMigration

/// Objects of a store, and what a script makes of them.
package struct TryReport: Sendable, Hashable {
  /// One property of an object, as Lua would write it.
  package struct Property: Sendable, Hashable {
    /// The property's name.
    package let name: String
    package let text: String
    /// The property of the source that it comes of, by the mapping or by its name; nil for none.
    package let origin: String?
  }

  /// One object.
  package struct Record: Sendable, Hashable {
    package let entity: String
    /// Its key, Z_PK.
    package let key: Int64
    /// Its properties: attributes by name, then relationships.
    package let properties: [Property]
  }

  /// One object of the source, and what was made from it.
  package struct Object: Sendable, Hashable {
    /// The object.
    package let source: Record
    /// What was made from it, in the order in which it was made.
    package let made: [Record]
    /// Why nothing was made from it; nil when no script failed.
    package let failure: ScriptFailure?
    /// The version of the script's objects, where an earlier step made none of them from this one;
    /// nil for an object that the script was given.
    package var endsBefore: String?
  }

  /// The script's file.
  package let script: String
  /// The entity whose objects it was given.
  package let entity: String
  /// The versions between which it stands.
  package let source: String
  /// The version it leads to.
  package let target: String
  /// The versions that the objects had before, from the store's on; none where the script is given
  /// what the store has.
  package var through: [String] = []
  package let objects: [Object]
  package let warnings: [String]
  /// What its `print` said, each with the line.
  package let printed: [String]
  /// Why the script stopped outside any object, in `begin` or `relate` or another hook.
  package let failure: ScriptFailure?

  /// How many objects the script failed on.
  package var failed: Int { objects.count { $0.failure != nil } + (failure == nil ? 0 : 1) }
}

extension TryReport.Record {
  init(_ record: ObjectRecord) {
    (entity, key) = (record.id.entity, record.id.key)
    properties = record.lines().map { .init(name: $0.name, text: $0.text, origin: nil) }
  }

  /// An object that was made, each property next to the one of the source that it comes from.
  init(_ record: ObjectRecord, from mapping: ObjectMapping?, _ step: PlannedStep) {
    (entity, key) = (record.id.entity, record.id.key)
    let links = step.mapping.links.flatMap { [$0.forward, $0.backward] }
    let model = step.to
    let owner = model.entity(named: record.id.entity)
    properties = record.lines().map { name, text in
      let declared = owner.flatMap { model.relationship(named: name, of: $0)?.declaredBy.name }
      let link = declared.flatMap { owner in
        links.first { $0.target == PropertyReference(owner, name) }?.source?.property
      }
      let origin = mapping?.attribute(named: name)?.source ?? link
      let isNamed = mapping?.properties.contains { $0.name == name } ?? false
      return .init(
        name: name, text: text, origin: mapping == nil ? nil : origin ?? (isNamed ? name : nil))
    }
  }
}
