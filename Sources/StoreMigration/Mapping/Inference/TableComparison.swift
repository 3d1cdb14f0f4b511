internal import CoreDataStore

/// Finds the tables whose rows mean the same under both models: ``ObjectMapping/tableIsSame``.
///
/// It is what models show; whether a store's table is as its model says, the plan finds out.
struct TableComparison {
  private let source: StoreSchema
  private let target: StoreSchema
  private let objects: [String: ObjectMapping]
  private let links: [PropertyReference: [LinkMapping]]

  /// Nil when a schema cannot be predicted.
  init?(from source: Model, to target: Model, _ objects: [ObjectMapping], _ links: [LinkMapping]) {
    guard let old = try? StoreSchema(of: source), let new = try? StoreSchema(of: target) else {
      return nil
    }
    (self.source, self.target) = (old, new)
    self.objects = Dictionary(objects.map { ($0.source, $0) }) { first, _ in first }
    var ends: [PropertyReference: [LinkMapping]] = [:]
    for link in links {
      for name in Set([link.forward.source, link.backward.source].compactMap(\.self)) {
        ends[name, default: []].append(link)
      }
    }
    self.links = ends
  }

  /// The source entities whose tables are the same.
  var entities: Set<String> {
    Set(source.tables.filter(isSame).flatMap(\.entities))
  }

  private func isSame(_ table: EntityTable) -> Bool {
    guard let new = target.table(named: table.name), new.columns.count == table.columns.count,
      new.entities.count == table.entities.count,
      table.entities.allSatisfy(isUntouched)
    else { return false }
    return zip(table.columns, new.columns).allSatisfy(isSame)
  }

  /// Whether an entity keeps its number, its objects, their keys and their values.
  private func isUntouched(_ entity: String) -> Bool {
    guard let objects = objects[entity], let old = source.entity(named: entity),
      let new = target.entity(named: objects.target), old.isAbstract || !new.isAbstract
    else { return false }
    return old.number == new.number && isWhole(objects) && !loses(objects)
      && objects.attributes.allSatisfy { isUntouched($0, old, new) }
  }

  /// Whether an entity loses a property whose column may stay for others.
  ///
  /// Of a derived attribute that ends nothing else speaks.
  private func loses(_ objects: ObjectMapping) -> Bool {
    guard let entity = source.model.entity(named: objects.source), !entity.isAbstract,
      let layout = source.entity(named: objects.source)
    else { return false }
    let lost = objects.properties.contains { property in
      guard case .dropped = property.fate else { return false }
      return switch layout[property.name] {
      case .attribute, .toOne: true
      case .toMany, .manyToMany, .notStored, nil: false
      }
    }
    return lost
      || source.model.allAttributes(of: entity).contains { attribute in
        attribute.isStored && attribute.derivation != nil
          && objects.attribute(named: attribute.name) == nil
      }
  }

  private func isWhole(_ objects: ObjectMapping) -> Bool {
    objects.keys == .kept && objects.conditions.isEmpty && !objects.isScripted
  }

  private func isUntouched(
    _ attribute: AttributeMapping, _ old: EntityLayout, _ new: EntityLayout
  ) -> Bool {
    guard case .source(let name, let conversion) = attribute.origin, conversion?.isCarried != false,
      attribute.replacement == nil, attribute.storage == .none,
      case .attribute(let before) = old[name],
      case .attribute(let after) = new[attribute.name]
    else { return false }
    return before.name == after.name
  }

  private func isSame(_ old: StoreColumn, _ new: StoreColumn) -> Bool {
    guard old.name == new.name, old.type == new.type else { return false }
    switch (old.role, new.role) {
    case (.primaryKey, .primaryKey), (.entityNumber, .entityNumber), (.saveCounter, .saveCounter),
      (.attribute, .attribute):
      return true
    case (.toOne(let before), .toOne(let after)),
      (.destinationEntity(let before), .destinationEntity(let after)),
      (.position(let before), .position(let after)), (.owner(let before), .owner(let after)),
      (.ownerPosition(let before), .ownerPosition(let after)):
      return isSame(before, after)
    default: return false
    }
  }

  /// Whether a relationship's links stay as they are, and so does everything they lead to.
  private func isSame(_ old: PropertyReference, _ new: PropertyReference) -> Bool {
    links[old, default: []].contains { link in
      let directions = [link.forward, link.backward]
      return directions.contains { $0.source == old && $0.target == new }
        && link.sourceStorage == link.targetStorage && !link.mayDiscard
        && directions.allSatisfy { $0.order == .kept || $0.order == .none }
        && directions.allSatisfy { isWhole($0.source) }
    }
  }

  /// Whether the objects that a relationship leads to keep their numbers and keys.
  private func isWhole(_ reference: PropertyReference?) -> Bool {
    guard let reference else { return true }
    guard let owner = source.model.entity(named: reference.entity),
      let name = source.model.relationship(named: reference.property, of: owner)?.relationship
        .destination,
      let destination = source.model.entity(named: name)
    else { return false }
    return source.model.descendants(of: destination).allSatisfy { entity in
      guard let objects = objects[entity.name] else { return false }
      return isWhole(objects)
        && source.entity(named: entity.name)?.number == target.entity(named: objects.target)?.number
    }
  }
}
