internal import CoreDataStore
internal import StoreMigration

// Archives without a place: a model does not say what is in them.
extension StepNeeds {
  /// How a script gives what an archive holds to new objects, or to a new attribute.
  ///
  /// Where no name says to which, the user has to say it; none where there is nothing new.
  func unarchived(from parts: [String]) -> [StepNeeds.Answer] {
    guard parts.count == 2, let old = source.attribute(parts[1], of: parts[0]),
      [.transformable, .codable].contains(old.type), Self.parameter(old.name) == old.name,
      let object = mapping.objects(from: parts[0]), let entity = target.entity(named: object.target)
    else { return [] }
    let start =
      "write it in a script of \(object.source), with your own names for the words in capitals "
      + "(pipeline help hooks): "
    let links = target.allRelationships(of: entity).filter {
      !$0.isTransient && mapping.added.contains($0.destination)
    }
    let new = likely.unlike(of: object).map(\.name)
    let link = links.first { isNear($0.name, old) || isNear($0.destination, old) }
    let attribute = new.first { isNear($0, old) }
    if link == nil, attribute != nil || links.isEmpty {
      guard let name = attribute ?? (new.count == 1 ? "ATTRIBUTE" : nil) else { return [] }
      return [.init(.stub, "", start + Self.value(of: name, from: old))]
    }
    return [.init(.stub, "", start + creation(of: link, from: old, as: object.target))]
  }

  /// Whether a name is like that of an archive, or has a word in common with it.
  ///
  /// A relationship is no likelier for being the only one.
  private func isNear(_ name: String, _ old: Attribute) -> Bool {
    likely.isNear(name, old.name) || likely.name(name).common(with: likely.name(old.name)) > 2
  }

  private static func value(of name: String, from old: Attribute) -> String {
    "\(LuaText.key(name)) = function(\(old.name)) local whole = \(old.name) and "
      + "plist.decode(\(old.name)) return whole and whole.PART end"
  }

  /// What makes objects of an archive, for a relationship or for one that the user has to name.
  private func creation(
    of link: Relationship?, from old: Attribute, as entity: String
  ) -> String {
    let archive = LuaText.member("source", old.name)
    let new = LuaText.member("new", link?.destination ?? "ENTITY")
    let inverse = link.flatMap { link in
      link.inverseName.flatMap { target.relationship($0, ofEntity: link.destination) }
    }
    let back =
      link == nil
      ? ", LINK = copy"
      : inverse.map { ", \(LuaText.key($0.name)) = \($0.isToMany ? "{ copy }" : "copy")" }
    let parts =
      "for _, part in ipairs(plist.decode(\(archive))) do "
      + "\(new) { VALUE = part.PART\(back ?? "") } end"
    let one = link.flatMap { link in
      link.isToMany
        ? nil
        : "local part = plist.decode(\(archive)) "
          + "\(LuaText.member("copy", link.name)) = \(new) { VALUE = part.PART }"
    }
    return
      "create = function(source, new, ctx) local copy = \(LuaText.member("new", entity))(source) "
      + "if \(archive) then \(one ?? parts) end return copy end"
  }
}
