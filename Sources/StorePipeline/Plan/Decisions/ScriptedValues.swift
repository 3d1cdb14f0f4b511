internal import CoreDataStore
internal import StoreMigration

// Attributes that scripts make because nothing gives them a value.
extension StepNeeds {
  /// Has scripts make an attribute, for every entity whose objects come to have it.
  mutating func add(
    _ attribute: Attribute, of owner: String, _ why: String,
    _ known: [StepNeeds.Answer] = [], last: [StepNeeds.Answer] = []
  ) {
    let name = "\(owner).\(attribute.name)"
    guard answers[name].map({ $0.kind == .script }) != false else { return }
    let isUnique = isUnique(attribute.name, of: owner)
    let (objects, areAll) = objects(without: attribute.name, of: owner)
    let changed = unitChanges(of: attribute, owner, objects)
    var found = changed + likely.origins(of: attribute, in: owner) + known
    if let object = objects.first, objects.count == 1, found.isEmpty, !isUnique {
      found = likely.givers(of: attribute, object)
    }
    let fillings = found.isEmpty ? fillings(of: attribute, owner, objects) : []
    found += fillings
    if known.isEmpty, !isUnique { found += conversions(of: attribute, owner, objects) }
    var end = last
    if let example = attribute.plainExample(later: versions(of: attribute, owner)),
      known.isEmpty, last.isEmpty, !isUnique
    {
      let map = (areAll ? [owner] : objects.map(\.target))
        .map { SnippetText.map($0, attribute.name, example) }.joined(separator: ", ")
      let lost = (areAll ? mapping.objects(into: owner) : objects).lazy.compactMap { object in
        object.attribute(named: attribute.name)?.source.map { "\(object.source).\($0)" }
      }.first
      if let lost {
        let text = "\(map), \(SnippetText.drop(lost))"
        end.append(.init(.rule, text, "the same for all; \(lost) goes"))
      } else {
        found.append(.init(.rule, map, "the same for all objects"))
      }
    }
    if fillings.isEmpty { found += functions(making: attribute, of: owner, objects, why) }
    add(decision: name, why, found + end)
  }

  /// The functions that make an attribute, each in the scripts of its objects.
  private mutating func functions(
    making attribute: Attribute, of owner: String, _ objects: [ObjectMapping], _ why: String
  ) -> [StepNeeds.Answer] {
    let answer = answers["\(owner).\(attribute.name)"]
    var functions: [(value: Value, entity: String)] = []
    for object in objects {
      let values = values(
        of: attribute, object, why, isUnique: isUnique(attribute.name, of: owner),
        isOffered: answer == nil)
      let chosen = values.first { $0.function == answer?.text } ?? values[0]
      for value in answer == nil ? values : [chosen] {
        add(value, to: object.source)
        functions.append((value, object.source))
      }
    }
    let entities = objects.map(\.source).joined(separator: ", ")
    return Self.alternatives(functions.map(\.value)).map { value in
      let isEmpty = !attribute.isOptional && value.function.hasSuffix(" return nil end")
      let note =
        isEmpty
        ? "no value is known that obeys its rules: write one in place of nil"
        : "make it yours\(value.note)"
      return .init(.script, value.function, "in the script of \(entities); \(note)")
    }
  }

  /// The values among which the user chooses: the first, and those that read the same otherwise.
  private static func alternatives(_ values: [Value]) -> [Value] {
    guard let first = values.first else { return [] }
    return values.filter { $0.parameters == first.parameters }.reduce(into: []) { found, value in
      if !found.contains(where: { $0.function == value.function }) { found.append(value) }
    }
  }

  /// What an attribute is in later versions, as far as it keeps its name.
  func versions(of attribute: Attribute, _ owner: String) -> [Attribute] {
    later.compactMap { $0.attribute(attribute.name, of: owner) }
  }

  /// The objects that would have no value of an attribute, or one that does not fit; all objects of
  /// its entity where none has a value that may stay.
  func objects(
    without attribute: String, of owner: String
  ) -> (objects: [ObjectMapping], areAll: Bool) {
    guard let ancestor = target.entity(named: owner) else { return ([], true) }
    let all = target.descendants(of: ancestor).flatMap { mapping.objects(into: $0.name) }
      .filter { !$0.isAbstract }
    let open = all.filter { object in
      guard case .source(_, nil)? = object.attribute(named: attribute)?.origin else { return true }
      return false
    }
    return open.isEmpty ? (all, true) : (open, open.count == all.count)
  }

  /// A value to be replaced by a better one: for a unique attribute, another one for each object.
  ///
  /// There are several where the store does not say how a text is to be read.
  private func values(
    of attribute: Attribute, _ object: ObjectMapping, _ why: String, isUnique: Bool,
    isOffered: Bool
  ) -> [Value] {
    if isUnique, let own = identity(of: attribute, object.source) {
      return [
        Value(
          attribute: attribute, parameters: ["ctx"], why: why, body: "return \(own)",
          isOffered: isOffered)
      ]
    }
    let old = object.attribute(named: attribute.name)?.source
    let own = source.attribute(attribute.name, of: object.source)?.name
    let before = old ?? own
    let parameter = before.flatMap(Self.parameter)
    let found = before.map { functions(attribute, from: $0, of: object) } ?? []
    let bodies: [Body?] =
      found.isEmpty ? [before.flatMap { kept(attribute, from: $0, of: object) }] : found
    return bodies.map { made in
      Value(
        attribute: attribute, parameters: [parameter].compactMap(\.self), why: why,
        body: made?.body, isOffered: isOffered,
        later: later.compactMap { $0.attribute(attribute.name, of: object.target) },
        text: made?.text, note: made?.note ?? "")
    }
  }
}
