internal import CoreDataStore
internal import StoreMigration

/// The text of a new script: what the mapping does as comments, and a function for each value that
/// it cannot make.
struct ScaffoldScript {
  private let entity: String
  private let needs: StepNeeds

  init(_ entity: String, _ needs: StepNeeds) { (self.entity, self.needs) = (entity, needs) }

  private var source: Model { needs.source }
  private var target: Model { needs.target }

  private var object: ObjectMapping? { needs.mapping.objects(from: entity) }

  var text: String {
    let new = object?.target ?? entity
    let name = new == entity ? entity : "\(entity) -> \(new)"
    var lines = ["-- \(name), from \(source.name.oneLine) to \(target.name.oneLine)."]
    lines += (needs.notes[entity] ?? []).map { ScaffoldPipeline.comment($0) }
    lines += inferred
    lines.append("return {")
    let values = needs.scripts[entity] ?? []
    let isOpen = needs.links[entity]?.contains(where: \.isOffered) == true
    if !values.isEmpty || isOpen && !needs.makesObjects(entity) {
      lines += ["  attributes = {"] + values.flatMap(function) + ["  },"]
    }
    if needs.makesObjects(entity) {
      lines += create
    } else if isOpen {
      lines += create.map { "  -- " + $0.dropFirst(2) }
    }
    if let relations = needs.relations[entity] { lines += Self.relate(relations) }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private var inferred: [String] {
    guard let object else { return [] }
    let chosen = (needs.scripts[entity] ?? []).filter { !$0.isOffered }
    let made = Set(chosen.map(\.attribute.name))
    let lines = object.attributes.filter { !made.contains($0.name) }.map { attribute in
      let from = attribute.source.flatMap { $0 == attribute.name ? nil : " from \($0)" } ?? ""
      return "--   \(attribute.name)\(from): \(attribute.rule.rawValue)"
    }
    let start =
      needs.makesObjects(entity)
      ? "\(LuaText.member("new", object.target))(\(parameter)) makes what the mapping alone would:"
      : "The mapping makes the rest:"
    return lines.isEmpty ? [] : ["-- \(start)"] + lines
  }

  /// What a policy of one's own begins with: the object as the mapping alone would make it.
  private var create: [String] {
    let new = object?.target ?? entity
    let links = needs.links[entity] ?? []
    var seen: Set<String> = []
    let creates = ([new] + needs.entitiesMade(for: entity)).filter { seen.insert($0).inserted }
    let list = creates.map(LuaText.quoted).joined(separator: ", ")
    var lines = [
      "  creates = { \(list) },", "  ---@param \(parameter) source.\(entity)",
      "  ---@param new pipeline.new", "  ---@param ctx pipeline.ctx",
      "  create = function(\(parameter), new, ctx)",
    ]
    let made = "\(LuaText.member("new", new))(\(parameter))"
    if let policy = needs.policies[entity] {
      lines.append("    \(LuaText.stub("what \(policy) did"))")
      let copy = ["local copy = \(made)"]
      lines += (copy + links.flatMap(code) + ["return copy"]).map { "    -- \($0)" }
    } else if links.isEmpty {
      lines.append("    return \(made)")
    } else {
      lines.append("    local copy = \(made)")
      lines += links.flatMap(self.lines)
      lines.append("    return copy")
    }
    lines.append("  end,")
    return lines
  }

  /// What `create` calls the object of the source.
  private var parameter: String {
    let name = PipelineScaffold.fileName(entity)
    // What its lines call must not be hidden by the object.
    let isHiding = ["new", "ctx", "error", "uuid", "plist"].contains(name)
    return LuaText.key(name) == name && !isHiding ? name : "source"
  }

  /// What is linked when the objects of all entities are there.
  private static func relate(_ relations: [StepNeeds.Relation]) -> [String] {
    let lines = relations.flatMap { relation in
      ["    do -- \(relation.why.oneLine)"] + relation.lines.map { "      \($0)" } + ["    end"]
    }
    return ["  relate = function(object, ctx)", "    local source = ctx.sources(object)[1]"]
      + lines + ["  end,"]
  }

  /// An object for a relationship, below the reason for it.
  private func lines(_ link: StepNeeds.Link) -> [String] {
    // An answer in a `create` that is a comment as a whole needs no sign of its own.
    let start = link.isOffered && needs.makesObjects(entity) ? "    -- " : "    "
    return ScaffoldPipeline.comment(link.why, indent: 4).split(separator: "\n").map(String.init)
      + code(link).map { start + $0 }
  }

  /// An object for a relationship, with the values that it must have.
  private func code(_ link: StepNeeds.Link) -> [String] {
    let made = needs.made(for: link, of: entity, parameter: parameter)
    let isToMany = link.relationship.isToMany
    let start = isToMany ? "" : "\(LuaText.member("copy", link.relationship.name)) = "
    let new = "\(LuaText.member("new", link.destination.name)) \(table(of: made, link))"
    if let each = link.each { return loop(over: each, new) }
    let (before, found) = shared(link, made)
    let parts = found.map { [start + $0, "or \(new)"] } ?? [start + new]
    let assignment = (before + parts).joined(separator: " ")
    let some = (Array(link.values.values) + link.carried.values).sorted().map(presence(of:))
      .joined(separator: " or ")
    let condition =
      link.old.map { "not \(LuaText.member(parameter, $0))" }
      ?? (link.relationship.isOptional && !some.isEmpty ? some : nil)
    let line = condition.map { "if \($0) then \(assignment) end" } ?? assignment
    guard line.count > 88 || !before.isEmpty else { return [line] }
    let inner = condition == nil ? "" : "  "
    let lines =
      before.map { inner + $0 }
      + parts.flatMap { $0.wrappedCode(to: 86) }.enumerated()
      .map { inner + ($0 == 0 ? "" : "  ") + $1 }
    return condition.map { ["if \($0) then"] + lines + ["end"] } ?? lines
  }

  /// An object for each object that a relationship to many leads to.
  private func loop(over old: String, _ new: String) -> [String] {
    let lines = new.wrappedCode(to: 86).enumerated().map { "  " + ($0 == 0 ? "" : "  ") + $1 }
    let place = [".. place", "+ place"].contains { new.contains($0) } ? "place" : "_"
    return ["for \(place), one in ipairs(\(LuaText.member(parameter, old))) do"] + lines + ["end"]
  }

  /// Whether the object of the source has a value, or a link: false is a value.
  private func presence(of name: String) -> String {
    let field = LuaText.member(parameter, name)
    return source.attribute(name, of: entity)?.type == .boolean ? "\(field) ~= nil" : field
  }

  /// The values of a new object, with its link back to the object that has it among many.
  private func table(of made: StepNeeds.MadeObject, _ link: StepNeeds.Link) -> String {
    guard link.relationship.isToMany, let back = link.relationship.inverseName else {
      return made.table
    }
    let values = made.table == "{}" ? "" : "\(made.table.dropFirst(2).dropLast(2)), "
    return "{ \(values)\(LuaText.key(back)) = copy }"
  }

  /// What looks for an object to be shared; where it may have other values, the lines that warn of
  /// them, and the name that it has then.
  private func shared(
    _ link: StepNeeds.Link, _ made: StepNeeds.MadeObject
  ) -> (lines: [String], found: String?) {
    let others = link.values.filter { $0.key != link.key }.sorted { $0.value < $1.value }
    guard let found = made.found, !others.isEmpty else { return ([], made.found) }
    let lines = others.flatMap { new, old in
      let (mine, theirs) = (LuaText.member(parameter, old), LuaText.member("known", new))
      let text = "a shared \(link.destination.name) has another \(new): \(old) is lost"
      return [
        "if known and \(mine) ~= nil and \(theirs) ~= \(mine) then",
        "  ctx.warn(\(LuaText.quoted(text)))", "end",
      ]
    }
    return (["local known = \(found)"] + lines, "known")
  }

  private func function(_ value: StepNeeds.Value) -> [String] {
    let why = value.why.split(separator: "\n").map {
      ScaffoldPipeline.comment(String($0), indent: 4)
    }
    let start = value.isOffered ? "    -- " : "    "
    let code = "\(value.function),".wrappedCode(to: 98 - start.count).enumerated()
      .map { start + ($0 == 0 ? "" : "  ") + $1 }
    return why + code
  }
}
