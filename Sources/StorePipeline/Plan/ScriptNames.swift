import CoreDataStore
internal import StoreMigration

/// Finds names in scripts, and in the stages that call them, that mean nothing in the models.
struct ScriptNames {
  /// The mistakes.
  private(set) var problems: [Problem] = []

  private let file: String
  private let mapping: Mapping
  private let source: Model
  private let target: Model

  /// Compares the scripts of a step with its models.
  ///
  /// - Parameters:
  ///   - scripts: The scripts.
  ///   - mapping: The step's mapping.
  ///   - source: The version the step starts at.
  ///   - target: The version it arrives at.
  ///   - others: Further versions that the step serves; their entities are no mistakes.
  ///   - instructions: What the file says of the mapping.
  ///   - file: The pipeline file.
  init(
    _ scripts: [PlannedScript], _ mapping: Mapping, from source: Model, to target: Model,
    others: [Model], _ instructions: MappingInstructions, file: String
  ) {
    (self.file, self.mapping, self.source, self.target) = (file, mapping, source, target)
    checkRepeats(scripts)
    checkDoubles(scripts, instructions)
    for script in scripts {
      if let entity = source.entity(named: script.entity) {
        check(script, entity)
      } else if !others.contains(where: { $0.entity(named: script.entity) != nil }) {
        let names = source.entities.map(\.name)
        problems.append(
          Problem(
            file: file, line: script.stage.line(of: "entity"),
            message: "'\(source.name)' has no entity '\(script.entity)'"
              + Self.near(script.entity, names)))
      }
    }
  }

  private static func near(_ word: String, _ names: [String]) -> String {
    NearestName.of(word, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Reports all transforms of an entity but the first: its objects are given to one script.
  private mutating func checkRepeats(_ scripts: [PlannedScript]) {
    var first: [String: Int] = [:]
    for script in scripts {
      let stage = script.stage
      if let line = first[script.entity] {
        problems.append(
          Problem(
            file: file, line: stage.line,
            message: "a second transform of '\(script.entity)'; the first is on line \(line), and "
              + "one script is given all of an entity's objects"))
      }
      first[script.entity] = first[script.entity] ?? stage.line
    }
  }

  /// Reports what the file says of attributes that scripts make, too: it would have no effect.
  private mutating func checkDoubles(
    _ scripts: [PlannedScript], _ instructions: MappingInstructions
  ) {
    for map in instructions.maps {
      let reached = mapping.objects.filter { !$0.isAbstract && reaches(map, $0) }
      for name in map.attributes.keys.sorted() {
        checkDouble("map", name, of: reached, scripts, map.line)
      }
    }
    for rename in instructions.renames {
      let reached = mapping.objects.filter { object in
        !object.isAbstract && Self.inherits(object.source, rename.entity, source)
      }
      for (old, name) in rename.properties.sorted(by: { $0.key < $1.key }) {
        checkDouble("rename", name, of: reached, scripts, rename.line, unlessReading: old)
      }
    }
  }

  /// Reports an attribute of all these objects that their scripts make; a function of what was
  /// renamed says how its value changes, and is no mistake.
  private mutating func checkDouble(
    _ word: String, _ name: String, of objects: [ObjectMapping], _ scripts: [PlannedScript],
    _ line: Int?, unlessReading old: String? = nil
  ) {
    let making = objects.compactMap { object in
      scripts.first { script in
        guard script.entity == object.source, let made = script.outline.attributes[name] else {
          return false
        }
        return old.map { !Self.parameters(of: made).contains($0) } ?? true
      }
    }
    guard let script = making.first, making.count == objects.count,
      let target = objects.first?.target
    else { return }
    let place = script.outline.lines["attributes.\(name)"].map { ":\($0)" } ?? ""
    problems.append(
      Problem(
        file: file, line: line ?? 0,
        message: "\(word) and \(script.path)\(place) both say what \(target).\(name) is; "
          + "take one of the two out"))
  }

  private func reaches(_ map: EntityMap, _ object: ObjectMapping) -> Bool {
    Self.inherits(object.target, map.entity, target)
      && map.source.map { Self.inherits(object.source, $0, source) } ?? true
  }

  private static func inherits(_ name: String, _ ancestor: String, _ model: Model) -> Bool {
    guard let entity = model.entity(named: name), let other = model.entity(named: ancestor) else {
      return false
    }
    return model.entity(entity, inheritsFrom: other)
  }

  private mutating func report(_ script: PlannedScript, _ word: String, _ message: String) {
    problems.append(
      Problem(file: script.path, line: script.outline.lines[word] ?? 0, message: message))
  }

  private mutating func check(_ script: PlannedScript, _ entity: Entity) {
    for name in script.outline.creates where target.entity(named: name) == nil {
      let near = Self.near(name, target.entities.map(\.name))
      report(script, "creates", "'\(target.name)' has no entity '\(name)'\(near)")
    }
    // What else is called `new` has other names: only a slip is one, or what is written as entities
    // are.
    let names = target.entities.map(\.name)
    for place in script.outline.constructions
    where place.isOfNew && script.outline.makesObjects && target.entity(named: place.entity) == nil
    {
      let near = NearestName.of(place.entity, among: names)
      guard near != nil || place.entity.first?.isUppercase == true else { continue }
      problems.append(
        Problem(
          file: place.file, line: place.line,
          message: "'\(target.name)' has no entity '\(place.entity)'"
            + (near.map { "; did you mean '\($0)'?" } ?? "")))
    }
    let read = (source.allAttributes(of: entity) + source.allComposites(of: entity))
      .filter { !$0.isTransient }.map(\.name)
    let links = source.allRelationships(of: entity).filter { !$0.isTransient }
    for (name, attribute) in script.outline.attributes.sorted(by: { $0.key < $1.key }) {
      let isFunction = if case .function = attribute { true } else { false }
      let known = read + (isFunction ? links.filter { !$0.isToMany }.map(\.name) : [])
      for parameter in Self.parameters(of: attribute) where !known.contains(parameter) {
        let link = links.first { $0.name == parameter }
        let why =
          link.map { Self.misuse(of: $0, isFunction: isFunction) }
          ?? "and \(entity.name) of '\(source.name)' has no such attribute"
          + meant(parameter, by: name, of: entity, among: known)
        report(script, "attributes.\(name)", "'\(name)' is made from '\(parameter)', \(why)")
      }
    }
    checkTargets(script)
  }

  /// What a parameter was meant to be that is no attribute; that of the object has other names.
  private func meant(
    _ parameter: String, by name: String, of entity: Entity, among known: [String]
  ) -> String {
    let isObject =
      ["source", "object", "item", "row", "self"].contains(parameter)
      || parameter.lowercased() == entity.name.lowercased()
    guard isObject else { return Self.near(parameter, known) }
    let example = known.contains(name) ? name : known.first ?? "name"
    return "; the parameters are names of attributes, as in function(\(example)), and `create` is "
      + "given the object"
  }

  /// Why an attribute cannot be made from a relationship, and what to do.
  private static func misuse(of link: Relationship, isFunction: Bool) -> String {
    isFunction
      ? "which leads to many objects; read them in `create`"
      : "which is a relationship; write a function with the parameter \(link.name)"
  }

  private mutating func checkTargets(_ script: PlannedScript) {
    guard let name = mapping.objects(from: script.entity)?.target,
      let entity = target.entity(named: name)
    else { return }
    let written = target.allAttributes(of: entity).filter { !$0.isTransient }.map(\.name)
    for name in script.outline.attributes.keys.sorted() where !written.contains(name) {
      let isLink = target.relationship(named: name, of: entity) != nil
      let near = Self.near(name, written)
      report(
        script, "attributes.\(name)",
        "\(entity.name) of '\(target.name)' has no attribute '\(name)'"
          + (isLink ? "; it is a relationship: assign it in `create` or `relate`" : near))
    }
  }

  private static func parameters(of attribute: ScriptAttribute) -> [String] {
    switch attribute {
    case .from(let name): [name]
    case .constant: []
    case .function(let parameters):
      parameters.filter { $0 != ScriptOutline.contextParameter }
    }
  }
}
