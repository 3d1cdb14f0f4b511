internal import CoreDataStore

/// A key path of a mapping model, `$source.country.continent`, as a script follows it.
struct MappingPath {
  private let names: [String]
  /// Whether the last relationship leads to many objects.
  private let endsAtMany: Bool

  /// The path from an entity of the source; nil for one that goes through many objects, or whose
  /// names Lua cannot write.
  init?(_ path: String, of entity: String, in source: Model) {
    names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, names.allSatisfy({ LuaText.key($0) == $0 }) else { return nil }
    var current = source.entity(named: entity)
    var isMany = false
    for name in names {
      guard let entity = current, !isMany else { return nil }
      let link = source.relationship(named: name, of: entity)?.relationship
      current = link.flatMap { source.entity(named: $0.destination) }
      isMany = link?.isToMany ?? false
    }
    endsAtMany = isMany
  }

  /// A value at its end: the parameter of a function, and what that gives back.
  var value: (parameter: String, text: String) {
    (parameter: names[0], text: "return \(steps(from: names[0], names.dropFirst()))")
  }

  /// The lines that lead a relationship to what the objects at its end became; nil where one object
  /// would have to be chosen of many.
  func lines(for link: Relationship) -> [String]? {
    guard !endsAtMany || link.isToMany else { return nil }
    let name = link.name
    let found = "local found = source and \(steps(from: "source", names[...]))"
    guard link.isToMany else {
      return [found, "object.\(name) = found and ctx.destinations(found)[1]"]
    }
    let list = endsAtMany ? "found or {}" : "{ found }"
    return [
      found, "local made = {}", "for _, one in ipairs(\(list)) do",
      "  for _, other in ipairs(ctx.destinations(one)) do made[#made + 1] = other end", "end",
      "object.\(name) = made",
    ]
  }

  /// `country and country.continent`: each step may lead to no object.
  private func steps(from start: String, _ names: ArraySlice<String>) -> String {
    var path = start
    var parts = start == "source" ? [] : [start]
    for name in names {
      path += ".\(name)"
      parts.append(path)
    }
    return parts.joined(separator: " and ")
  }
}
