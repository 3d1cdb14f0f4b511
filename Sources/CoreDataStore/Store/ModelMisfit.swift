/// One reason why a model does not fit a store.
package struct ModelMisfit: Hashable, Sendable, CustomStringConvertible {
  package var entity: String
  /// The property, nil when the entity itself differs.
  package var property: String?
  /// What differs, "type" or "value"; nil when one side does not have it at all.
  package var aspect: String?
  /// How it is in the model, nil when it is not there.
  package var inModel: String?
  /// How it is in the store, nil when it is not there.
  package var inStore: String?

  /// A reason in all its parts.
  package init(
    entity: String, property: String? = nil, aspect: String? = nil, inModel: String?,
    inStore: String?
  ) {
    self.entity = entity
    self.property = property
    self.aspect = aspect
    self.inModel = inModel
    self.inStore = inStore
  }

  /// The reason in a sentence: "Item.note is optional in your model, mandatory in the store".
  package var description: String {
    let name = property.map { "\(entity).\($0)" } ?? entity
    switch (aspect, inModel, inStore) {
    case (nil, nil, _): return "\(name) is in the store, not in your model"
    case (nil, _, nil): return "\(name) is in your model, not in the store"
    case (nil, _, _): return "\(name) is not the same in your model and in the store"
    case ("name", let model?, let store?): return "\(model) of your model is \(store) in the store"
    case ("value", let model?, let store?), ("storage", let model?, let store?):
      return "\(name) is \(model) in your model, \(store) in the store"
    case ("leads to", let model?, let store?):
      return "\(name) leads to \(model) in your model, to \(store) in the store"
    case (let aspect?, let model, let store):
      let (model, store) = (model ?? "none", store ?? "none")
      return "\(name): \(aspect) is \(model) in your model, \(store) in the store"
    }
  }
}

extension Store {
  /// Why a model does not fit the store; empty when it does.
  ///
  /// The store's own model says which properties differ; without one only the entities are known.
  package func misfits(of model: Model) throws -> [ModelMisfit] {
    Misfits(model: model, metadata: metadata, cached: try cachedModel().model).found
  }
}

/// Compares a model with what a store says of its own.
struct Misfits {
  let model: Model
  let metadata: Metadata
  let cached: Model?

  /// What a version hash does not depend on: no reason for a model not to fit.
  private static let harmless: Set = [
    "default", "validation", "transformer", "class of values", "indexed", "user info",
    "delete rule", "class", "indexes", "compound indexes", "declared by",
  ]

  /// The reasons, by entity.
  var found: [ModelMisfit] {
    let differing = differingEntities
    guard !differing.isEmpty else { return [] }
    guard let cached else { return differing.map(misfit) }
    let entities = ModelDifference(from: model, to: cached).entities.filter(\.changesHash)
    let reasons = entities.flatMap(misfits)
    return reasons.isEmpty ? differing.map(misfit) : reasons
  }

  /// Entities that are missing on one side or have another hash there.
  private var differingEntities: [String] {
    let own = VersionHashes(of: model).entities
    let names = Set(model.entities.map(\.name)).union(metadata.hashes.keys)
    return names.filter { name in
      guard let entity = model.entity(named: name), let hash = metadata.hashes[name] else {
        return true
      }
      return own[entity.name].map { $0 != hash } ?? false
    }.sortedByName()
  }

  private func misfit(_ name: String) -> ModelMisfit {
    ModelMisfit(
      entity: name, inModel: model.entity(named: name) == nil ? nil : name,
      inStore: metadata.hashes[name] == nil ? nil : name)
  }

  private func misfits(_ entity: EntityDifference) -> [ModelMisfit] {
    switch entity.change {
    case .added, .removed: return [misfit(entity.name)]
    case .renamed, .changed, .same: break
    }
    let renamed = entity.from.map {
      ModelMisfit(entity: entity.name, aspect: "name", inModel: $0, inStore: entity.name)
    }
    let own = relevant(entity.aspects).map {
      ModelMisfit(entity: entity.name, aspect: $0.name, inModel: $0.from, inStore: $0.to)
    }
    let properties = entity.properties.filter(\.changesHash).flatMap { misfits($0, entity.name) }
    return [renamed].compactMap(\.self) + own + properties
  }

  private func misfits(_ property: PropertyDifference, _ entity: String) -> [ModelMisfit] {
    switch property.change {
    case .added:
      return [ModelMisfit(entity: entity, property: property.name, inModel: nil, inStore: "")]
    case .removed:
      return [ModelMisfit(entity: entity, property: property.name, inModel: "", inStore: nil)]
    case .renamed, .changed, .same: break
    }
    let renamed = property.from.map {
      ModelMisfit(
        entity: entity, property: property.name, aspect: "name", inModel: "\(entity).\($0)",
        inStore: property.name)
    }
    let aspects = relevant(property.aspects).map {
      ModelMisfit(
        entity: entity, property: property.name, aspect: $0.name, inModel: $0.from, inStore: $0.to)
    }
    return [renamed].compactMap(\.self) + aspects
  }

  private func relevant(_ aspects: [Aspect]) -> [Aspect] {
    aspects.filter { !Self.harmless.contains($0.name) }
  }
}
