internal import CoreDataStore
internal import StoreMigration

// Values that have no place but where all objects must have one.
extension StepNeeds {
  /// The functions that give the values of an optional attribute to one that may take them, where
  /// all of these must have one.
  mutating func fillings(from parts: [String]) -> [StepNeeds.Answer] {
    guard parts.count == 2, let object = mapping.objects(from: parts[0]),
      let entity = target.entity(named: object.target)
    else { return [] }
    return likely.mandatoryPlaces(of: parts[1], object).compactMap { place in
      guard let owner = target.attribute(named: place.name, of: entity)?.declaredBy.name else {
        return nil
      }
      let objects = objects(without: place.name, of: owner).objects
      return filling(place, owner, from: parts[1], objects)
    }
  }

  /// The functions that give an attribute the values of those without a place.
  mutating func fillings(
    of attribute: Attribute, _ owner: String, _ objects: [ObjectMapping]
  ) -> [StepNeeds.Answer] {
    let found = objects.first.map { likely.optional(for: attribute, $0) } ?? []
    return found.compactMap { filling(attribute, owner, from: $0.name, objects) }
  }

  private mutating func filling(
    _ place: Attribute, _ owner: String, from old: String, _ objects: [ObjectMapping]
  ) -> StepNeeds.Answer? {
    let own = isUnique(place.name, of: owner) ? identity(of: place, owner) : nil
    let rest = own ?? place.example(later: versions(of: place, owner))
    // A value that is false is one.
    guard Self.parameter(old) == old, rest != "nil", rest != "true",
      objects.allSatisfy({ $0.fate(of: old) == .dropped(isDeclared: false) })
    else { return nil }
    let value = Value(
      attribute: place, parameters: [old] + (own == nil ? [] : ["ctx"]),
      why: "It must have a value, and \(old) has no other place.",
      body: "return \(old) or \(rest)", isOffered: true, kept: old)
    let isChosen = isChosen(value, owner, from: old, objects)
    for object in objects {
      var value = value
      value.isOffered = !isChosen
      add(value, to: object.source)
    }
    let entities = objects.map(\.source).joined(separator: ", ")
    return .init(
      .script, value.function, "in the script of \(entities); \(rest) where there is none")
  }
}
