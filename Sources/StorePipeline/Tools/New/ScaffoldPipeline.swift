internal import CoreDataStore
internal import StoreMigration

/// The text of a new pipeline file.
struct ScaffoldPipeline {
  private let models: [String]
  private let versions: [Model]
  private let steps: [ScaffoldStep]

  init(_ models: [String], _ versions: [Model], _ steps: [ScaffoldStep]) {
    (self.models, self.versions, self.steps) = (models, versions, steps)
  }

  var text: String {
    let list =
      models.count == 1
      ? LuaText.quoted(models[0]) : "{ \(models.map(LuaText.quoted).joined(separator: ", ")) }"
    let accepted = versions.dropLast().map { LuaText.quoted($0.name) }.joined(separator: ", ")
    let (first, last) = (versions.first?.name ?? "", versions.last?.name ?? "")
    return """
      -- \(first.oneLine) to \(last.oneLine). What is inferred:
      \(steps.map(inferred).joined(separator: "\n"))
      pipeline \(LuaText.quoted("\(first) to \(last)")) {
        format = 1,
        models = \(list),
        accept = { \(accepted) },
        target = \(LuaText.quoted(last)),
      }

      stage "detect" {}  -- script = "which.lua": the app keeps the version in rows of its own
      stage "open" {}  -- wait = "1 min"; mirrored to CloudKit: cloudkit = "carry" or "reset"
      \(steps.map(body).joined(separator: "\n"))
      stage "validate" {}
      stage "verify" {}
      stage "swap" {}

      """
  }

  private func body(of step: ScaffoldStep) -> String {
    let stages = [copy(of: step)] + transforms(of: step)
    guard step.isOfChain else {
      return (stages + ["stage \"connect\" {}"]).joined(separator: "\n")
    }
    let needsConnect = step.needs.scripts.isEmpty ? [] : ["stage \"connect\" {}"]
    let inner = (stages + needsConnect).map { stage in
      stage.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + ","
    }
    return
      "step \(LuaText.quoted(step.target.name)) {\n\(inner.joined(separator: "\n"))\n}"
  }

  private func inferred(of step: ScaffoldStep) -> String {
    let needs = step.needs
    var lines = needs.mapping.objects.filter { !$0.isAbstract }.map { object in
      let name =
        object.source == object.target ? object.source : "\(object.source) -> \(object.target)"
      return "\(name): \(object.rule.rawValue)"
        + (needs.scripts[object.source] == nil ? "" : ", and \(step.script(object.source))")
    }
    lines += needs.mapping.added.map { "\($0): new, and empty" }
    let title =
      step.isOfChain ? ["-- \(needs.source.name.oneLine) to \(step.target.name.oneLine)"] : []
    return (title + lines.map { "--   \($0)" }).joined(separator: "\n")
  }

  private func copy(of step: ScaffoldStep) -> String {
    let needs = step.needs
    let undecided = undecided(needs.decisions, of: step)
    guard !needs.rules.isEmpty || !undecided.isEmpty else { return "stage \"copy\" {}" }
    let rules = needs.rules.map { "  -- \($0.why.oneLine)\n  \($0.text),\n" }
    return "stage \"copy\" {\n\(undecided)\(rules.joined())}"
  }

  /// What waits for the user, with the answers that are likely.
  private func undecided(
    _ decisions: [PipelineScaffold.Decision], of step: ScaffoldStep
  ) -> String {
    guard !decisions.isEmpty else { return "" }
    let entries = decisions.map { decision in
      let answers = decision.answers.map { "    --   \($0.line.oneLine)\n" }.joined()
      return "    -- \(decision.why)\n\(answers)    \(LuaText.quoted(decision.name)),\n"
    }
    return """
        -- Yours to decide: put an answer below this list, or into the script, then take the name
        -- out of the list. Until it is empty, check, plan and run end with status 2.
        undecided {
      \(entries.joined())  },

      """
  }

  private func transforms(of step: ScaffoldStep) -> [String] {
    step.needs.scripts.keys.sorted().map { entity in
      let name = LuaText.quoted(entity)
      return "stage \"transform\" { entity = \(name), script = "
        + "\(LuaText.quoted(step.script(entity))) }"
    }
  }
}
