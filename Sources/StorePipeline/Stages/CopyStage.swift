internal import CoreDataStore
package import StoreMigration

/// `stage "copy"`: every entity that no script claims.
package struct CopyStage: Stage {
  private var chunk = ChunkLimits()
  private var start = StageDeclarations.Start.auto
  private var acceptedLosses: [String] = []

  private var renames: [WrittenRule<Rename>] = []
  private var maps: [WrittenRule<Map>] = []
  private var drops: [WrittenRule<Drop>] = []
  private var conditions: [WrittenRule<Where>] = []
  private var choices: [WrittenRule<One>] = []
  private var undecided: [WrittenRule<Undecided>] = []

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "copy",
    summary: "Copies every entity that no script claims.",
    details: """
      Pairs the entities and properties of both versions by the rules of Core Data's lightweight \
      migration; the rules in the list settle what these leave open. The work is SQL in chunks. \
      Each chunk commits together with its progress, so that a killed run resumes after the last \
      one. Objects keep their keys wherever their entity has a table of its own in both versions.
      """,
    consumes: [.stores], produces: [.objects], touches: [.destination, .files], place: .inStep,
    example: #"""
      stage "copy" {
        chunk = { rows = 10000, bytes = "8 MiB", time = "500 ms" },
        start = "auto",
        rename { entity = "Bookmark", to = "Link", attributes = { href = "url" } },
        drop   { "Link.legacyCode", "Visit" },
        accept_loss = { "Photo.exif" },
      }
      """#)

  package static let options: [StageOption<Self>] = [
    .option(
      "chunk", \.chunk,
      help: "How much is written in one transaction; a number alone means rows."),
    .option(
      "start", \.start,
      help: """
        How the new store begins. With "auto" it begins on top of the source's pages if at least \
        a third of them stays as it is, so that only what changes is written; otherwise it begins \
        empty. "clone" copies the pages first, "empty" copies every table. The plan says which, \
        and why. The result is the same.
        """),
    .option(
      "accept_loss", \.acceptedLosses, .oneOrMore(.name(.loss)),
      help: "Data that the new model has no place for and that may go."),
  ]

  /// The words of its list.
  package static let rules: [StageRule<Self>] = [
    .rule(
      "rename", \.renames, "An entity or its properties have another name in the new version."),
    .rule("map", \.maps, "Says where the attributes of an entity of the new version come from."),
    .rule(
      "drop", \.drops,
      "Entities and properties of the old version that are left behind with their data."),
    .rule(
      "where", \.conditions,
      "Leaves behind the objects that do not meet a condition, and counts them."),
    .rule(
      "one", \.choices, "Says which link stays when a to-many relationship becomes to-one."),
    .rule(
      "undecided", \.undecided,
      "Lists what waits for your decision; `check`, `plan` and `run` end with status 2 until the "
        + "list is empty. `pipeline new` writes it."),
  ]
}

extension CopyStage {
  /// Declares what the rules say of the mapping, and how the new store begins.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.mappingLine = declarations.mappingLine ?? written.line
    declarations.start = start
    declarations.copiesRest = true
    declarations.conditions += conditions.map { rule in
      StageDeclarations.Condition(
        entity: rule.options.entity, text: rule.options.condition,
        line: rule.written.line(of: "condition"))
    }
    let line = written.line(of: "accept_loss")
    declarations.instructions.renames += renames.map { $0.options.rename($0.written.line) }
    declarations.instructions.maps += maps.flatMap { $0.options.maps($0.written.line) }
    declarations.instructions.drops += drops.flatMap { $0.options.drops($0.written.line) }
    declarations.instructions.filters += conditions.map { $0.options.filter($0.written.line) }
    declarations.instructions.choices += choices.map { $0.options.choice($0.written.line) }
    declarations.instructions.undecided += undecided.flatMap { rule in
      rule.options.names.enumerated().map { place, name in
        NamedInstruction(name, line: rule.written.line(of: "names", item: place))
      }
    }
    declarations.instructions.acceptedLosses += acceptedLosses.map {
      NamedInstruction($0, line: line)
    }
  }

  /// Copies every entity that no script claims, in chunks.
  package func run(_ context: RunContext) async throws {
    try context.session.builder().copyUnclaimed(chunk, context.session.log)
  }
}

// The words of its list.
extension CopyStage {
  private struct Rename: OptionRecord {
    var entity = ""
    var to: String?
    var attributes: [String: String] = [:]
    var relationships: [String: String] = [:]

    static let options: [StageOption<Self>] = [
      .required("entity", \.entity, .name(.entity), help: "The entity, by its old name."),
      .option(
        "to", \.to, .name(.entity), help: "Its new name; without it the entity keeps its own."),
      .option("attributes", \.attributes, help: "New names of attributes by their old ones."),
      .option(
        "relationships", \.relationships, help: "New names of relationships by their old ones."),
    ]

    func rename(_ line: Int) -> EntityRename {
      EntityRename(
        entity: entity, to: to, properties: attributes.merging(relationships) { first, _ in first },
        line: line)
    }
  }

  private struct Map: OptionRecord {
    var entity = ""
    var sources: [String]?
    var attributes: [String: OptionValue] = [:]

    static let options: [StageOption<Self>] = [
      .required("entity", \.entity, .name(.entity), help: "The entity, by its new name."),
      .option(
        "from", \.sources, .oneOrMore(.name(.entity)),
        help: "The old entities whose objects it gets; without it, the one that is inferred."),
      .option(
        "attributes", \.attributes, .fields(.expression),
        help: """
          By attribute of the new version: `from "name"`, `convert("name", "Type")` or a constant.
          """),
    ]

    /// A map for each source entity that it names.
    func maps(_ line: Int) -> [EntityMap] {
      let values = attributes.compactMapValues(EntityMap.Value.init)
      let sources = sources ?? []
      return (sources.isEmpty ? [nil] : sources.map(Optional.some)).map { source in
        EntityMap(entity: entity, from: source, attributes: values, line: line)
      }
    }
  }

  private struct Drop: OptionRecord {
    var names: [String] = []

    static let options: [StageOption<Self>] = [
      .required(
        "names", \.names, .list(.name(.entityOrProperty)), isUnnamed: true,
        help: "`Entity` or `Entity.property`, by the old names.")
    ]

    func drops(_ line: Int) -> [NamedInstruction] { names.map { NamedInstruction($0, line: line) } }
  }

  private struct Undecided: OptionRecord {
    var names: [String] = []

    static let options: [StageOption<Self>] = [
      .option(
        "names", \.names, .list(.name(.entityOrProperty)), isUnnamed: true,
        help: "`Entity` or `Entity.property`, by the old names or the new ones; none when all is "
          + "decided.")
    ]
  }

  private struct Where: OptionRecord {
    var entity = ""
    var condition = ""

    static let options: [StageOption<Self>] = [
      .required("entity", \.entity, .name(.entity), help: "The entity, by its old name."),
      .required(
        "condition", \.condition, isUnnamed: true,
        help: """
          A condition over its attributes and relationships to one object, as for NSPredicate.
          """),
    ]

    func filter(_ line: Int) -> ObjectFilter {
      ObjectFilter(entity: entity, condition: condition, line: line)
    }
  }

  private struct One: OptionRecord {
    var relationship = ""
    var keep = Keep.first

    enum Keep: String, OptionChoice { case first, last }

    static let options: [StageOption<Self>] = [
      .required(
        "relationship", \.relationship, .name(.property), isUnnamed: true,
        help: "`Entity.relationship`, by the old names."),
      .required(
        "keep", \.keep,
        help: "The first or the last, by the relationship's order or by the objects' keys."),
    ]

    func choice(_ line: Int) -> LinkChoice {
      LinkChoice(relationship, keep: keep == .last ? .last : .first, line: line)
    }
  }
}

extension ChunkLimits: OptionRecord {
  /// The limits; what is left out is as usual.
  package static let options: [StageOption<Self>] = [
    .option("rows", \.rows, .integer(1...1_000_000), help: "Rows at most."),
    .option("bytes", \.bytes, .size, help: "Bytes of their cells at most."),
    .option("time", \.time, help: "A chunk that takes longer makes the next ones smaller."),
  ]
  /// A number alone means rows.
  package static var shorthand: String? { "rows" }

  package init() { self.init(rows: Self.usualRows) }
}

extension StepBuilder {
  /// Copies every entity that no script claims, in chunks.
  func copyUnclaimed(_ limits: ChunkLimits, _ log: RunLog) throws {
    try sharingCommits(limits) {
      for object in plan.mapping.objects where !object.isAbstract && !plan.claims(object.source) {
        try copy(object, limits, log)
      }
    }
  }
}

extension PlannedStep {
  /// Whether a script is given an entity's objects.
  func claims(_ entity: String) -> Bool { claimed.contains(entity) }
}
