internal import CoreDataStore
internal import StoreMigration

/// `stage "validate"`: the rules of the new model, over every object.
public enum ValidateStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "validate",
    summary: "Holds every object and link of the new store against the new model.",
    details: """
      Mandatory values, bounds, lengths, patterns, counts of links, uniqueness, links that lead \
      nowhere, and the number of objects that the mapping promises. All failures are listed, and \
      any of them ends the run with status 1. What was as wrong in the source already, its value \
      unchanged, is a warning.
      """,
    options: [
      OptionDescription(
        "strict", .boolean, default: .boolean(false),
        help: "Whether what was wrong in the source already is a failure too."),
      OptionDescription(
        "expect", .list(.table(expectation)), default: .list([]),
        help: "Checks of your own, each a count that must be as said."),
    ],
    consumes: [.objects],
    example: #"""
      stage "validate" {
        strict = false,
        expect = {
          { "every picture arrived", source = "count(Item where image != nil)",
            destination = "count(Photo)" },
          { "no item without its box", destination = "count(Item where box = nil)", equals = 0 },
        },
      }
      """#)

  private static let expectation = OptionTable(
    [
      OptionDescription(
        "name", .text, isRequired: true, isUnnamed: true, help: "What is expected, in words."),
      OptionDescription("source", .text, help: "A count in the old store, by the old names."),
      OptionDescription(
        "destination", .text, isRequired: true,
        help: "A count in the new store, by the new names."),
      OptionDescription(
        "equals", .atLeast(0), help: "What the count must be, in place of `source`."),
    ], alternatives: ["source", "equals"])
}

extension ValidateStage {
  /// Checks the new store; ends the run when it breaks a rule that the source did not break.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    let work = context.work
    let (path, schema) = try work.finishedStore()
    let choices = Validation.Choices(
      limit: work.options.failureLimit, isStrict: stage["strict"]?.boolean == true,
      showsValues: work.options.showsValues, expectations: expectations(stage))
    let validation = try Validation(
      store: path, schema: schema, source: work.validationSource, choices: choices)
    let result = try validation.run { entity, done, total in
      try context.progress(of: entity, rows: done, total: total)
    }
    for rule in result.unchecked { context.warn("not checked: \(rule)") }
    for rule in result.countsByRule where rule.warnings > 0 {
      let count = Plural.text(rule.warnings, "object")
      context.warn(
        "\(rule.entity).\(rule.property): \(count) against the rule \"\(rule.rule)\", as in the "
          + "source already")
    }
    guard !result.isPassed else { return }
    try work.refuse(result)
  }

  private static func expectations(_ stage: PipelineStage) -> [Expectation] {
    (stage["expect"]?.list ?? []).map { value in
      Expectation(
        name: value["name"]?.text ?? "", source: value["source"]?.text,
        destination: value["destination"]?.text, equals: value["equals"]?.integer,
        line: stage.line(of: "expect"))
    }
  }
}
