internal import CoreDataStore
internal import StoreMigration

// Archives without a place: a model does not say what is in them.
extension StepNeeds {
  /// How a script gives what an archive holds to new objects, or to a new attribute; none where no
  /// place is likely.
  func unarchived(from parts: [String]) -> [StepNeeds.Answer] {
    guard parts.count == 2, let old = source.attribute(parts[1], of: parts[0]),
      [.transformable, .codable].contains(old.type), Self.parameter(old.name) == old.name,
      let object = mapping.objects(from: parts[0]), let entity = target.entity(named: object.target)
    else { return [] }
    let start = "write it in a script of \(object.source) (pipeline help hooks): "
    let links = target.allRelationships(of: entity).filter {
      !$0.isTransient && mapping.added.contains($0.destination)
    }
    if let link = place(for: old, among: links) {
      return [.init(.stub, "", start + creation(of: link, from: old, as: object.target))]
    }
    guard let new = place(for: old, among: likely.unlike(of: object)) else { return [] }
    let function =
      "\(LuaText.key(new.name)) = function(\(old.name)) local whole = \(old.name) and "
      + "plist.decode(\(old.name)) return whole and whole.PART end"
    return [.init(.stub, "", start + function)]
  }

  /// The one with a name like that of the archive, or the only one.
  private func place<Item: Property>(for old: Attribute, among all: [Item]) -> Item? {
    all.first { likely.isNear($0.name, old.name) } ?? (all.count == 1 ? all[0] : nil)
  }

  private func creation(
    of link: Relationship, from old: Attribute, as entity: String
  ) -> String {
    let archive = LuaText.member("source", old.name)
    let new = LuaText.member("new", link.destination)
    let inverse = link.inverseName.flatMap { target.relationship($0, ofEntity: link.destination) }
    let back = inverse.map { ", \(LuaText.key($0.name)) = \($0.isToMany ? "{ copy }" : "copy")" }
    let objects =
      link.isToMany
      ? "for _, part in ipairs(plist.decode(\(archive))) do "
        + "\(new) { VALUE = part.PART\(back ?? "") } end"
      : "local part = plist.decode(\(archive)) "
        + "\(LuaText.member("copy", link.name)) = \(new) { VALUE = part.PART }"
    return
      "create = function(source, new, ctx) local copy = \(LuaText.member("new", entity))(source) "
      + "if \(archive) then \(objects) end return copy end"
  }
}
