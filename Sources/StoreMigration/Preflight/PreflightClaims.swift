package import CoreDataStore

/// What scripts and stages take upon themselves, so that nothing can be said of it before they run.
package struct PreflightClaims: Sendable {
  /// The source entities whose objects are given to functions that may do anything with them.
  package var entities: Set<String>
  /// The target entities whose objects functions make.
  package var made: Set<String>
  /// Whether functions may make links, of any object.
  package var links: Bool
  /// The properties of target entities that stages may change when the objects are there.
  package var revised: Set<PropertyReference>
  /// What these stages are and change, in words.
  package var remark: String?

  /// Claims in all their parts.
  package init(
    entities: Set<String> = [], made: Set<String> = [], links: Bool = false,
    revised: Set<PropertyReference> = [],
    remark: String? = nil
  ) {
    (self.entities, self.made, self.links) = (entities, made, links)
    (self.revised, self.remark) = (revised, remark)
  }

  /// Whether the mapping alone decides about a mapping's objects.
  func leavesAlone(_ object: ObjectMapping, _ mapping: Mapping) -> Bool {
    !object.isAbstract && !entities.contains(object.source)
      && mapping.fate(of: object.source) != .scripted
  }

  /// What is not looked at because of them, in words.
  func remarks(_ mapping: Mapping) -> [String] {
    let made = made.union(mapping.entities.filter { $0.fate == .scripted }.map(\.entity))
    let names = entities.union(made).sortedByName().map { name in
      "\(name): " + (made.contains(name) ? "not counted, made by a script" : "a script decides")
    }
    return names + (links ? ["relationships: a script may make links"] : [])
      + [remark].compactMap(\.self)
  }
}
