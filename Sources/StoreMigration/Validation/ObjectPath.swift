internal import CoreDataStore

/// How objects of one entity of the first store came to one of the last, step by step.
struct ObjectPath {
  /// The mappings that they went through, in the order of the steps; there is one at least.
  let steps: [ObjectMapping]

  /// All ways into an entity of the last mapping's target.
  static func all(into entity: String, _ mappings: ArraySlice<Mapping>) -> [ObjectPath] {
    guard let last = mappings.last else { return [] }
    let objects = last.objects(into: entity).filter { !$0.isAbstract }
    guard mappings.count > 1 else { return objects.map { ObjectPath(steps: [$0]) } }
    return objects.flatMap { object in
      all(into: object.source, mappings.dropLast()).map { ObjectPath(steps: $0.steps + [object]) }
    }
  }

  /// The relationships of the first source that one of the last target came from.
  static func links(
    of reference: PropertyReference, _ mappings: ArraySlice<Mapping>
  ) -> [PropertyReference] {
    guard let last = mappings.last else { return [reference] }
    let sources = last.links(of: reference).compactMap { link in
      link.forward.target == reference ? link.forward.source : link.backward.source
    }
    return sources.flatMap { links(of: $0, mappings.dropLast()) }
  }

  /// The entity of the first source.
  var source: String { steps.first?.source ?? "" }

  /// Whether objects have kept their keys all the way.
  var keepsKeys: Bool { steps.allSatisfy { $0.keys == .kept } }

  /// Whether a script makes the objects, in some step.
  var isScripted: Bool { steps.contains(where: \.isScripted) }

  /// What an object of the first source must meet; nil where a later step asks for more.
  var conditions: [String]? {
    steps.dropFirst().allSatisfy(\.conditions.isEmpty) ? steps.first?.conditions : nil
  }

  /// The attribute of the first source that one of the last target has its values from; where a
  /// script makes them, that of the same name.
  func attribute(_ name: String) -> String? {
    var name: String? = name
    for object in steps.reversed() {
      name = name.flatMap { name in
        guard let attribute = object.attribute(named: name) else { return nil }
        return attribute.origin == .script ? name : attribute.source
      }
    }
    return name
  }
}
