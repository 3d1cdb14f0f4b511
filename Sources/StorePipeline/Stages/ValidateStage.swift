internal import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// `stage "validate"`: the rules of the new model, over every object.
package struct ValidateStage: Stage {
  private var strict = false
  private var expect: [Expected] = []

  private struct Expected: OptionRecord {
    var name = ""
    var source: OptionValue?
    var destination = ""
    var equals: Int?

    static let options: [StageOption<Self>] = [
      .required("name", \.name, isUnnamed: true, help: "What is expected, in words."),
      .option(
        "source", \.source, .either([.text, .fields(.text)]),
        help: """
          A count in the old store, by the old names; of a file that takes several versions, a \
          table of one for each, by the version's name.
          """),
      .required(
        "destination", \.destination, help: "A count in the new store, by the new names."),
      .option(
        "equals", \.equals, .atLeast(0), help: "What the count must be, in place of `source`."),
    ]
    static let alternatives = ["source", "equals"]
  }

  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = StageDescription(
    name: "validate",
    summary: "Checks every object and link of the new store against the new model.",
    details: """
      Checks mandatory values, bounds, lengths, patterns, counts of links, uniqueness, links that \
      lead nowhere, and the number of objects that the mapping promises. It lists all failures, \
      and any of them ends the run with status 1. What was just as wrong in the source, with the \
      same value, is a warning. Without this stage, a run with scripts only checks that mandatory \
      values and links are there.
      """,
    consumes: [.objects],
    example: #"""
      stage "validate" {
        strict = false,
        expect = {
          { "every picture arrived", source = "count(Item where image != nil)",
            destination = "count(Photo)" },
          { "no item without its box", destination = "count(Item where box = nil)", equals = 0 },
          { "every folder", destination = "count(Notebook)",
            source = { ["App"] = "count(Folder)", ["App 2"] = "count(Notebook)" } },
        },
      }
      """#)

  package static let options: [StageOption<Self>] = [
    .option(
      "strict", \.strict,
      help: "Whether what was already wrong in the source is a failure, too."),
    .option(
      "expect", \.expect, .list(Expected.optionType),
      help: "Checks of your own, each a count and what it must be."),
  ]
}

extension ValidateStage {
  /// Declares the expectations, whose names the planner looks at.
  package func declare(_ written: PipelineStage, in declarations: inout StageDeclarations) {
    declarations.validates = true
    declarations.expectations += expectations(written)
  }

  private func expectations(_ written: PipelineStage) -> [Expectation] {
    expect.map { expected in
      var expectation = Expectation(
        name: expected.name, source: expected.source?.text, destination: expected.destination,
        equals: expected.equals.map(Int64.init), line: written.line(of: "expect"))
      expectation.sources = expected.source?.table?.compactMapValues(\.text) ?? [:]
      return expectation
    }
  }

  /// Checks the new store; ends the run when it breaks a rule that the source did not break.
  package func run(_ context: RunContext) async throws {
    let (session, options) = (context.session, context.options)
    let choices = Validation.Choices(
      limit: options.failureLimit, isStrict: strict,
      showsValues: options.showsValues, expectations: expectations(context.written))
    let result = try session.validate(choices) { entity, done, total in
      try context.progress(of: entity, rows: done, total: total)
    }
    for rule in result.unchecked { context.warn("not checked: \(rule)") }
    result.warningTexts.forEach(context.warn)
    guard !result.isPassed else { return }
    try session.refuse(result)
  }
}

extension ValidationResult {
  /// The rules that objects break as they did in the source already.
  var warningTexts: [String] {
    countsByRule.filter { $0.warnings > 0 }.map { rule in
      let count = Plural.text(rule.warnings, "object")
      return "\(rule.entity).\(rule.property): \(count) against the rule \"\(rule.rule)\", as in "
        + "the source already"
    }
  }
}

extension [PlannedStep] {
  /// What is said of a pipeline that does not look at what its scripts do.
  func unvalidatedScripts(_ declarations: StageDeclarations, file: String) -> [Problem] {
    guard !declarations.validates, let step = first(where: \.isChangedByCode) else { return [] }
    let script = step.scripts.first(where: \.outline.needsLua)
    let revision = step.revisions.first
    let advice =
      declarations.swap == nil
      ? #"; write stage "validate" {} at the end"#
      : ", and a run only checks that mandatory values and links are there; "
        + #"write stage "validate" {} above stage "swap""#
    return [
      Problem(
        file: file, line: script?.stage.line ?? revision?.line ?? 0,
        message: "no stage checks what "
          + (script == nil ? "'\(revision?.stage ?? "")' changes" : "the script makes")
          + " against the rules of the new model\(advice)")
    ]
  }
}
