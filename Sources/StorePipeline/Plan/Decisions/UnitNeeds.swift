internal import CoreDataStore
internal import StoreMigration

// Numbers whose names say that they are in another unit from now on.
extension StepNeeds {
  /// The functions that give the numbers of an attribute without a place to new ones of its type.
  mutating func unitChanges(from parts: [String]) -> [StepNeeds.Answer] {
    guard parts.count == 2, UnitChange.has(likely.name(parts[1])),
      let object = mapping.objects(from: parts[0]),
      let entity = target.entity(named: object.target),
      let old = source.attribute(parts[1], of: parts[0])
    else { return [] }
    let places = target.allAttributes(of: entity).filter {
      $0.type == old.type && source.attribute($0.name, of: object.source) == nil
        && object.attribute(named: $0.name)?.source == nil
    }
    return places.compactMap { place in
      guard let owner = target.attribute(named: place.name, of: entity)?.declaredBy.name else {
        return nil
      }
      let objects = objects(without: place.name, of: owner).objects
      return unitChange(place, owner, from: old, objects)
    }
  }

  /// The functions that give a new attribute the numbers of one of its type that has no place.
  mutating func unitChanges(
    of place: Attribute, _ owner: String, _ objects: [ObjectMapping]
  ) -> [StepNeeds.Answer] {
    guard UnitChange.has(likely.name(place.name)), let object = objects.first,
      let entity = source.entity(named: object.source),
      source.attribute(place.name, of: object.source) == nil
    else { return [] }
    return source.allAttributes(of: entity).compactMap { old in
      old.type == place.type ? unitChange(place, owner, from: old, objects) : nil
    }
  }

  private mutating func unitChange(
    _ place: Attribute, _ owner: String, from old: Attribute, _ objects: [ObjectMapping]
  ) -> StepNeeds.Answer? {
    guard place.isStored, place.derivation == nil, Self.parameter(old.name) == old.name,
      let body = Self.changed(old, place),
      objects.allSatisfy({ $0.fate(of: old.name) == .dropped(isDeclared: false) })
    else { return nil }
    let value = Value(
      attribute: place, parameters: [old.name],
      why: "It may take the values of \(old.name), which have no other place.", body: body.body,
      isOffered: true, kept: old.name)
    let isChosen = isChosen(value, owner, from: old.name, objects)
    for object in objects {
      var value = value
      value.isOffered = !isChosen
      add(value, to: object.source)
    }
    let entities = objects.map(\.source).joined(separator: ", ")
    return .init(.script, value.function, "in the script of \(entities)\(body.note)")
  }

  /// What makes a number of another unit, where the names of the attributes say that it is one.
  static func changed(_ old: Attribute, _ place: Attribute) -> Body? {
    guard old.type.isLuaNumber, place.type.isLuaNumber, let rest = place.rest,
      let change = UnitChange(from: PlainName(old.name), to: PlainName(place.name)),
      // Whole numbers of 64 bits would begin again at the least one.
      let formula = change.formula(old.type == .integer64 ? "1.0 * \(old.name)" : old.name)
    else { return nil }
    let end = place.isOptional ? "" : " or \(rest)"
    let whole =
      "if \(old.name) == nil then return \(rest) end "
      + "return math.tointeger(math.floor(\(formula) + 0.5)) or \(refusal)"
    return Body(
      body: place.type.isInteger ? whole : "return \(old.name) and \(formula)\(end)", text: nil,
      isSpecial: true, comesFirst: true,
      note: "; from \(change.old) to \(change.new)"
        + (place.type.isInteger ? ", rounded to a whole number" : ""),
      changesUnit: true)
  }
}
