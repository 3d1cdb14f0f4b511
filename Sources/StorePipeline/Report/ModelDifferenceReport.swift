package import CoreDataStore

/// What `model diff` says: two versions of a model, and what happened between them.
package struct ModelDifferenceReport: Sendable {
  /// One thing that happened, in words.
  package struct Remark: Equatable, Sendable {
    /// The entity, or `Entity.property`.
    package let subject: String
    /// What happened to it, or why it cannot be inferred.
    package let words: String
  }

  /// The older version.
  package let source: Model
  /// The newer version.
  package let target: Model
  /// What happened.
  package let difference: ModelDifference

  /// Whether CloudKit's rules are checked as well.
  private let isForCloudKit: Bool

  /// Compares two versions.
  package init(from source: Model, to target: Model, forCloudKit isForCloudKit: Bool = false) {
    self.source = source
    self.target = target
    self.isForCloudKit = isForCloudKit
    difference = ModelDifference(from: source, to: target)
  }

  /// The whole answer in one or two sentences.
  package var verdict: String {
    guard !difference.isEmpty else { return "The versions are the same." }
    guard difference.hashChanges else {
      return "No version hash changes: a store of one version is a store of the other."
    }
    return difference.isInferable
      ? "Version hashes change, so a migration is due. Core Data can infer all of it."
      : "Version hashes change, so a migration is due. Core Data cannot infer all of it."
  }

  /// What Core Data cannot infer, and why.
  package var obstacles: [Remark] {
    difference.entities.flatMap { entity in
      [entity.obstacle.map { Remark(subject: entity.name, words: $0) }].compactMap(\.self)
        + entity.properties.compactMap { property in
          property.obstacle.map {
            Remark(subject: "\(entity.name).\(property.name)", words: $0)
          }
        }
    }
  }

  /// What CloudKit does not support in the newer version; nil unless asked for.
  package var cloudKitRules: [Remark]? {
    isForCloudKit ? target.cloudKitObjections.map(Remark.init) : nil
  }

  /// The changes that a schema in CloudKit's production does not allow; nil unless asked for.
  package var cloudKitProduction: [Remark]? {
    isForCloudKit ? difference.cloudKitObjections.map(Remark.init) : nil
  }

  /// What happened without a trace in any version hash.
  package var unhashed: [Remark] {
    difference.entities.flatMap { entity in
      let own: [Remark] =
        entity.change == .changed && !entity.changesHash && !entity.aspects.isEmpty
        ? [Remark(subject: entity.name, words: words(for: entity))] : []
      return own
        + entity.properties.filter { !$0.changesHash }.map {
          Remark(subject: "\(entity.name).\($0.name)", words: words(for: $0, of: entity))
        }
    }
  }

  /// What happened to an entity itself.
  package func words(for entity: EntityDifference) -> String {
    let aspects = entity.aspects.map(\.description)
    switch entity.change {
    case .same: return "same"
    case .changed: return aspects.isEmpty ? "changed" : aspects.joined(separator: "; ")
    case .renamed: return (["renamed from \(entity.from ?? "")"] + aspects).joined(separator: "; ")
    case .added, .removed:
      let model = entity.change == .added ? target : source
      let properties = model.entity(named: entity.name).map(PropertyText.declared) ?? []
      return "\(entity.change.rawValue): \(PropertyText.count(of: properties))"
    }
  }

  /// What happened to a property of an entity.
  package func words(for property: PropertyDifference, of entity: EntityDifference) -> String {
    let aspects = property.aspects.map(\.description)
    switch property.change {
    case .same: return "same"
    case .changed: return aspects.joined(separator: "; ")
    case .renamed:
      return (["renamed from \(property.from ?? "")"] + aspects).joined(separator: "; ")
    case .added:
      return "added: \(summary(of: property.name, in: target.entity(named: entity.name)))"
    case .removed:
      let owner = source.entity(named: entity.from ?? entity.name)
      return "removed: \(summary(of: property.name, in: owner))"
    }
  }

  private func summary(of name: String, in entity: Entity?) -> String {
    let property = entity.flatMap { entity -> (any Property)? in
      if let attribute = entity.attribute(named: name) { return attribute }
      if let relationship = entity.relationship(named: name) { return relationship }
      return entity.fetchedProperties.sortedFind(name)
    }
    return property.map(PropertyText.summary) ?? "a property"
  }
}

extension Change {
  /// One character that distinguishes the change without colour.
  package var symbol: String {
    switch self {
    case .added: "+"
    case .removed: "-"
    case .renamed: ">"
    case .changed: "~"
    case .same: "="
    }
  }
}

extension ModelDifferenceReport.Remark {
  init(_ objection: CloudKitObjection) {
    self.init(subject: objection.subject, words: objection.why)
  }
}
