/// The rules that may stand in the list of `stage "copy"`.
enum CopyRules {
  /// All of them, in the order they are documented.
  static let all = [rename, map, drop, `where`, one]

  private static let rename = RuleDescription(
    name: "rename",
    summary: "An entity or properties of it have another name in the new version.",
    options: [
      OptionDescription(
        "entity", .name(.entity), isRequired: true, help: "The entity, by its old name."),
      OptionDescription(
        "to", .name(.entity), help: "Its new name; without it the entity keeps its own."),
      OptionDescription(
        "attributes", .fields(.text), default: .table([:]),
        help: "New names of attributes by their old ones."),
      OptionDescription(
        "relationships", .fields(.text), default: .table([:]),
        help: "New names of relationships by their old ones."),
    ])

  private static let map = RuleDescription(
    name: "map",
    summary: "Says what the attributes of an entity of the new version are made of.",
    options: [
      OptionDescription(
        "entity", .name(.entity), isRequired: true, help: "The entity, by its new name."),
      OptionDescription(
        "from", .oneOrMore(.name(.entity)),
        help: "The old entities whose objects it gets; without it, the one that is inferred."),
      OptionDescription(
        "attributes", .fields(.expression), default: .table([:]),
        help: """
          By attribute of the new version: `from "name"`, `convert("name", "Type")` or a constant.
          """),
    ])

  private static let drop = RuleDescription(
    name: "drop",
    summary: "Entities and properties of the old version that are left behind with their data.",
    options: [
      OptionDescription(
        "names", .list(.name(.entityOrProperty)), isRequired: true, isUnnamed: true,
        help: "`Entity` or `Entity.property`, by the old names.")
    ])

  private static let `where` = RuleDescription(
    name: "where",
    summary: "Objects for which a condition does not hold are left behind, and counted.",
    options: [
      OptionDescription(
        "entity", .name(.entity), isRequired: true, help: "The entity, by its old name."),
      OptionDescription(
        "condition", .text, isRequired: true, isUnnamed: true,
        help: """
          A condition over its attributes and relationships to one object, as for NSPredicate.
          """),
    ])

  private static let one = RuleDescription(
    name: "one",
    summary: "Says which link stays where a to-many relationship becomes a to-one.",
    options: [
      OptionDescription(
        "relationship", .name(.property), isRequired: true, isUnnamed: true,
        help: "`Entity.relationship`, by the old names."),
      OptionDescription(
        "keep", .choice(["first", "last"]), isRequired: true,
        help: "The first or the last, by the relationship's order or by the objects' keys."),
    ])
}
