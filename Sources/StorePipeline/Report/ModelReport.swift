package import CoreDataStore

/// What `inspect MODEL` says: where a model came from and what is in it.
package struct ModelReport: Sendable {
  /// Where the model came from.
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
  /// The model.
  package let model: Model
  /// Its version hashes.
  package let hashes: ModelHashReport
  /// The entities in the order of their numbers, which begin at 1.
  package let entities: [Entity]

  /// The report of a model.
  package init(_ model: Model, from origin: Origin) {
    self.origin = origin
    self.model = model
    hashes = ModelHashReport(model)
    entities = model.numberedEntities
  }

  /// The hash of an entity in base64, nil when it is not known.
  package func hash(of entity: Entity) -> String? {
    hashes.entities.first { $0.name == entity.name }?.hash
  }
}

extension Model {
  /// The entities in the order in which Core Data numbers them, from 1.
  ///
  /// Seen in 4047 of 4048 stores: roots by name regardless of case, each followed by its children
  /// in the same order with all below them.
  fileprivate var numberedEntities: [Entity] {
    var found: [Entity] = []
    var waiting = Array(Self.byNumber(roots).reversed())
    while let next = waiting.popLast() {
      found.append(next)
      waiting += Self.byNumber(children(of: next)).reversed()
    }
    return found
  }

  private static func byNumber(_ entities: [Entity]) -> [Entity] {
    entities.sorted { ($0.name.lowercased(), $0.name) < ($1.name.lowercased(), $1.name) }
  }
}
