package import CoreDataStore

/// What happens to the objects of one entity through all steps of a migration.
package struct EntityCourse: Sendable {
  /// The entity's name in the source.
  package let source: String
  /// Its name at the end; nil when its objects end on the way, or a script alone decides.
  package private(set) var target: String?
  /// What the last step that had the entity says of it.
  package private(set) var fate: MappingFate?
  /// Where the values of each attribute are at the end, by its name in the source; those without a
  /// place are missing.
  package private(set) var attributes: [String: [String]] = [:]
  /// The conversions that the values of each attribute went through.
  package private(set) var conversions: [String: [Conversion]] = [:]
  /// What the step says of an attribute in which it lost its place.
  package private(set) var ends: [String: MappingFate] = [:]
  /// The name of the entity in each step that has it.
  package private(set) var names: [String] = []

  package init(of entity: String, through steps: [Mapping]) {
    source = entity
    target = entity
    for (number, step) in steps.enumerated() {
      guard let name = target else { return }
      names.append(name)
      fate = step.fate(of: name)
      let objects = step.objects(from: name)
      if let objects { follow(objects, isFirst: number == 0) }
      target = objects?.target
    }
  }

  private mutating func follow(_ objects: ObjectMapping, isFirst: Bool) {
    let names = objects.properties.filter { !$0.isRelationship }.map(\.name)
    let before =
      isFirst ? Dictionary(names.map { ($0, [$0]) }) { first, _ in first } : attributes
    attributes = [:]
    let places = Dictionary(grouping: objects.attributes.indices) { objects.attributes[$0].source }
    for (name, current) in before {
      for place in current.flatMap({ places[$0] ?? [] }).sorted() {
        guard case .source(_, let conversion) = objects.attributes[place].origin else { continue }
        attributes[name, default: []].append(objects.attributes[place].name)
        if let conversion { conversions[name, default: []].append(conversion) }
      }
      guard attributes[name] == nil else { continue }
      ends[name] = current.lazy.compactMap(objects.fate).first
    }
  }

  /// The name of an entity in each step that has it.
  package static func names(of entity: String, through steps: [Mapping]) -> [String] {
    var names: [String] = []
    var next: String? = entity
    for step in steps {
      guard let name = next else { break }
      names.append(name)
      next = step.objects(from: name)?.target
    }
    return names
  }

  /// What happens to a relationship: the one that its links are of at the end, or what the step
  /// says in which they end.
  package static func end(
    of relationship: PropertyReference, through steps: [Mapping]
  ) -> (target: PropertyReference?, fate: MappingFate?) {
    var current = relationship
    for step in steps {
      guard let next = step.relationship(from: current) else {
        let fate = step.objects(from: current.entity)?.fate(of: current.property)
        return (nil, fate ?? step.fate(of: current.entity))
      }
      current = next
    }
    return (current, nil)
  }
}
