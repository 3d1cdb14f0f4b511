package import CoreDataStore

/// What `inspect MODEL` says: where a model came from and what is in it.
package struct ModelReport: Sendable {
  package struct Origin: Equatable, Sendable {
    /// The path as it was given.
    package let path: String
    /// The form: `xcdatamodeld`, `mom`, `store` and so on.
    package let kind: String
    /// The versions there are, in natural order.
    package let versions: [String]
    /// The name of the current version, if anything says.
    package let current: String?

    /// An origin with all its parts.
    package init(path: String, kind: String, versions: [String], current: String?) {
      self.path = path
      self.kind = kind
      self.versions = versions
      self.current = current
    }
  }

  /// Where it came from.
  package let origin: Origin
  package let model: Model
  package let hashes: ModelHashReport
  /// The entities in the order of their numbers.
  package let entities: [Entity]
  /// The number that Core Data gives each entity; none when the model cannot have a store.
  package let numbers: [String: Int]
  private let hashesByName: [String: String]

  package init(_ model: Model, from origin: Origin) {
    self.origin = origin
    self.model = model
    hashes = ModelHashReport(model)
    let pairs = hashes.entities.compactMap { name, hash in hash.map { (name, $0) } }
    hashesByName = Dictionary(pairs) { first, _ in first }
    let layouts = (try? StoreSchema(of: model))?.entities ?? []
    numbers = Dictionary(layouts.map { ($0.name, $0.number) }) { first, _ in first }
    let numbered = layouts.compactMap { model.entity(named: $0.name) }
    entities = numbered.isEmpty ? model.entities : numbered
  }

  /// The hash of an entity in base64, nil when it is not known.
  package func hash(of entity: Entity) -> String? {
    hashesByName[entity.name]
  }
}
