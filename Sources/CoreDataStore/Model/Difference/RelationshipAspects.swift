/// What is not the same about two versions of a relationship.
enum RelationshipAspects {
  /// The differences; a destination that was only renamed is none.
  static func between(
    _ old: Relationship, _ new: Relationship, entities: RenamingMatch
  ) -> [Aspect] {
    let aspects: [Aspect?] = [
      destination(old, new, entities),
      Aspect("inverse", old.inverseName, new.inverseName),
      Aspect("leads to", old.isToMany, new.isToMany, yes: "many", no: "one"),
      Aspect("value", old.isOptional, new.isOptional, yes: "optional", no: "mandatory"),
      Aspect("ordered", old.isOrdered, new.isOrdered),
      Aspect("fewest", old.minCount, new.minCount, words: String.init),
      Aspect("most", old.maxCount, new.maxCount) { $0 == 0 ? "any number" : String($0) },
      Aspect("storage", old.isTransient, new.isTransient, yes: "transient", no: "stored"),
      Aspect("read-only", old.isReadOnly, new.isReadOnly),
      Aspect("hash modifier", old.hashModifier, new.hashModifier),
      Aspect("delete rule", old.deleteRule, new.deleteRule, words: \.name),
      Aspect("indexed", old.isIndexed, new.isIndexed),
      Aspect("user info", old.userInfo, new.userInfo) {
        $0.isEmpty ? "none" : $0.keys.sortedByName().joined(separator: ", ")
      },
    ]
    return aspects.compactMap(\.self)
  }

  private static func destination(
    _ old: Relationship, _ new: Relationship, _ entities: RenamingMatch
  ) -> Aspect? {
    let name = old.destination
    guard !entities.joins(name, new.destination) else { return nil }
    return Aspect(
      name: "destination", from: "\(name)\(entities.fate(of: name))", to: new.destination)
  }
}
