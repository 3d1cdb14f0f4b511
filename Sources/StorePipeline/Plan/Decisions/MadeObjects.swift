internal import CoreDataStore
internal import StoreMigration

// The new objects that a script links, with all that they must have.
extension StepNeeds {
  /// A new object as Lua writes it.
  struct MadeObject {
    /// What looks for an object that is there already, if it may be shared.
    var found: String?
    /// Its values, as a table.
    var table = "{}"
    /// The entities of all objects that are made, its own first.
    var entities: [String]
    /// Whether one object of the source makes several.
    var isOneOfSeveral = false
    /// The mandatory properties that the user has to write: nothing is known that they can have.
    var unwritten: [PropertyReference] = []
  }

  /// What stands for the object of a link, in a `create` that calls the object of the source
  /// `parameter`.
  func made(for link: Link, of entity: String, parameter: String = "source") -> MadeObject {
    var made = MadeObject(
      entities: [link.destination.name], isOneOfSeveral: link.each != nil)
    let isGuarded =
      link.old == nil && link.relationship.isOptional && link.values.count == 1
      && link.carried.isEmpty
    var fields: [String] = []
    for attribute in filled(link.destination) {
      let moved = link.values[attribute.name].map { LuaText.member(parameter, $0) }
      let isNeeded =
        attribute.isNeeded && !(isGuarded && moved != nil)
        || moved == nil && wouldBeShared(attribute, link.destination)
      let other = isNeeded ? value(of: attribute, in: link.destination, entity, made) : nil
      if isNeeded, other == nil, moved == nil {
        made.unwritten.append(PropertyReference(link.destination.name, attribute.name))
      }
      let missing = isNeeded ? other ?? Self.stub(link.destination, attribute.name) : nil
      let values = [moved, missing].compactMap(\.self)
      guard !values.isEmpty else { continue }
      let field = "\(LuaText.key(attribute.name)) = \(values.joined(separator: " or "))"
      fields.append(field)
      if attribute.name == link.key, let moved {
        let find = "ctx.find(\(LuaText.quoted(link.destination.name)), { \(field) })[1]"
        // To ask for no value would be to ask for any object.
        let isThere = attribute.type == .boolean ? "\(moved) ~= nil" : moved
        made.found = isGuarded || isNeeded ? find : "\(isThere) and \(find)"
      }
    }
    let owner = mapping.objects(from: entity)?.target ?? entity
    fields += links(
      of: link.destination, by: link.relationship, [owner, link.destination.name], entity, &made,
      carried(by: link, of: entity, parameter), areSure: link.each != nil)
    made.table = Self.table(fields)
    return made
  }

  /// What gives a new object the links that move to it, by its own names.
  private func carried(
    by link: Link, of entity: String, _ parameter: String
  ) -> [String: String] {
    link.carried.mapValues { old in
      let far = source.relationship(old, ofEntity: entity)?.destination ?? old
      let why = LuaText.quoted("no \(far) yet: its stage has to stand above")
      guard link.each == nil else { return "ctx.destinations(one)[1] or error(\(why))" }
      let field = LuaText.member(parameter, old)
      return "\(field) and (ctx.destinations(\(field))[1] or error(\(why)))"
    }
  }

  /// The entities of the objects that a script makes for links, as often as it does.
  func entitiesMade(
    for entity: String, _ isMeant: (Link) -> Bool = { _ in true }
  ) -> [String] {
    (links[entity] ?? []).filter(isMeant).flatMap { made(for: $0, of: entity).entities }
  }

  private static func table(_ fields: [String]) -> String {
    fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
  }

  /// What ends the run until it is replaced.
  private static func stub(_ entity: Entity, _ property: String) -> String {
    LuaText.stub("\(entity.name).\(property)")
  }

  private func filled(_ entity: Entity) -> [Attribute] {
    target.allAttributes(of: entity).filter { $0.isStored && $0.derivation == nil }
  }

  /// Whether all new objects would have the same default of an attribute that is unique by itself.
  private func wouldBeShared(_ attribute: Attribute, _ entity: Entity) -> Bool {
    guard attribute.defaultValue != nil else { return false }
    return target.descendants(of: entity).flatMap(target.lineage).contains {
      $0.uniquenessConstraints.contains([attribute.name])
    }
  }

  /// A value that a new object can have; nil where none is known.
  private func value(
    of attribute: Attribute, in owner: Entity, _ entity: String, _ made: MadeObject
  ) -> String? {
    let isUnique = isUnique(attribute.name, of: owner.name)
    if attribute.type == .uuid || isUnique {
      let own = identity(of: attribute, entity, isOneOfSeveral: made.isOneOfSeveral)
      // An example would be that of all of them.
      if own != nil || made.isOneOfSeveral { return own }
    }
    let example = attribute.typeExample()
    return example == "nil" ? nil : example
  }

  /// The links of a new object that move to it, and its mandatory ones, each to another new object
  /// where none moves; its inverse is set with the link that it is made for.
  private func links(
    of owner: Entity, by way: Relationship, _ path: [String], _ entity: String,
    _ made: inout MadeObject, _ carried: [String: String] = [:], areSure: Bool = false
  ) -> [String] {
    target.allRelationships(of: owner).filter {
      (!$0.isOptional || carried[$0.name] != nil) && !$0.isTransient
        && $0.name != way.inverseName
    }.map { link in
      var start = "\(LuaText.key(link.name)) = "
      if let known = carried[link.name] {
        guard !link.isOptional, !areSure else { return start + known }
        start += known + " or "
      }
      let family = target.entity(named: link.destination).map(target.descendants) ?? []
      let far = family.first { !$0.isAbstract }
      // An object of an entity that is made already could have to be the same one; entities that
      // all need each other would make a script without an end.
      guard let far, !path.contains(far.name), !made.entities.contains(far.name) else {
        made.unwritten.append(PropertyReference(owner.name, link.name))
        return start + Self.stub(owner, link.name)
      }
      made.entities.append(far.name)
      let object = object(of: far, by: link, path + [far.name], entity, &made)
      return start + (link.isToMany ? "{ \(object) }" : object)
    }
  }

  private func object(
    of far: Entity, by link: Relationship, _ path: [String], _ entity: String,
    _ made: inout MadeObject
  ) -> String {
    let needed = filled(far).filter { $0.isNeeded || wouldBeShared($0, far) }
    let values = needed.map { attribute in
      let known = value(of: attribute, in: far, entity, made)
      if known == nil { made.unwritten.append(PropertyReference(far.name, attribute.name)) }
      return "\(LuaText.key(attribute.name)) = \(known ?? Self.stub(far, attribute.name))"
    }
    let fields = values + links(of: far, by: link, path, entity, &made)
    return "\(LuaText.member("new", far.name)) \(Self.table(fields))"
  }

  /// Lists what the user has to write for new objects, chosen or not: a run would end there.
  mutating func settleMade() {
    for (entity, links) in links.sorted(by: { $0.key < $1.key }) {
      for link in links {
        for property in made(for: link, of: entity).unwritten {
          let name = "\(property.entity).\(property.property)"
          let start = link.isOffered ? "Where a script makes" : "A script makes"
          add(
            decision: name,
            "\(start) an object of \(property.entity) for \(link.relationship.name), "
              + "\(property.property) is mandatory, and nothing is known that it can have.",
            [.init(.stub, "", "write it into the script of \(entity), in place of error(...)")])
        }
      }
    }
  }
}

extension Attribute {
  /// Whether a new object must be given a value.
  fileprivate var isNeeded: Bool { !isOptional && defaultValue == nil }
}
