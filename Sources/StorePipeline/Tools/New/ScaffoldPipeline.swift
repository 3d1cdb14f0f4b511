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
    let later = step.needs.stages.map { stage in
      "\(Self.comment(stage.why))\n\(stage.isOffered ? "-- " : "")\(stage.text)"
    }
    let needsConnect = !step.isOfChain || !step.needs.scripts.isEmpty
    let stages =
      [copy(of: step)] + transforms(of: step) + (needsConnect ? ["stage \"connect\" {}"] : [])
      + later
    guard step.isOfChain else { return stages.joined(separator: "\n") }
    let inner = stages.map { stage in
      stage.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + ","
    }
    return
      "step \(LuaText.quoted(step.target.name)) {\n\(inner.joined(separator: "\n"))\n}"
  }

  /// A comment, broken into lines where it is long.
  static func comment(_ text: String, indent: Int = 0) -> String {
    let start = String(repeating: " ", count: indent) + "-- "
    return text.oneLine.wrapped(to: 98 - start.count).map { start + $0 }.joined(separator: "\n")
  }

  private func inferred(of step: ScaffoldStep) -> String {
    let needs = step.needs
    var lines = needs.mapping.objects.filter { !$0.isAbstract }.map { object in
      let name =
        object.source == object.target ? object.source : "\(object.source) -> \(object.target)"
      return "\(name): \(object.rule.rawValue)"
        + (needs.scripts[object.source] == nil ? "" : ", and \(step.script(object.source))")
    }
    lines += needs.mapping.added.filter { step.target.entity(named: $0)?.isAbstract != true }
      .map { "\($0): new, and empty" }
    let title =
      step.isOfChain ? ["-- \(needs.source.name.oneLine) to \(step.target.name.oneLine)"] : []
    return (title + lines.map { "--   \($0)" }).joined(separator: "\n")
  }

  private func copy(of step: ScaffoldStep) -> String {
    let needs = step.needs
    let undecided = undecided(needs.decisions, of: step)
    guard !needs.rules.isEmpty || !undecided.isEmpty else { return "stage \"copy\" {}" }
    let rules = needs.rules.map { rule in
      let code = "\(rule.text),".wrappedCode(to: Self.width(of: step) - 4)
      return "\(Self.comment(rule.why, indent: 2))\n  \(code.joined(separator: "\n    "))\n"
    }
    return "stage \"copy\" {\n\(undecided)\(rules.joined())}"
  }

  /// How long a line may be: what stands in a step is indented by two more.
  private static func width(of step: ScaffoldStep) -> Int { step.isOfChain ? 98 : 100 }

  /// What waits for the user, with the answers that are likely.
  private func undecided(
    _ decisions: [PipelineScaffold.Decision], of step: ScaffoldStep
  ) -> String {
    guard !decisions.isEmpty else { return "" }
    var seen: Set<String> = []
    let names = decisions.map(\.name).filter { seen.insert($0).inserted }
    let byName = Dictionary(grouping: decisions, by: \.name)
    let width = Self.width(of: step)
    let entries = names.map { name in
      let questions = (byName[name] ?? []).map { decision in
        let answers = decision.answers.map { Self.lines($0, width) }.joined()
        return "\(Self.comment(decision.why, indent: 4))\n"
          + (answers.isEmpty ? Self.unanswered : answers)
      }
      return questions.joined() + "    \(LuaText.quoted(name)),\n"
    }
    let isScripted = decisions.contains { decision in
      decision.answers.contains { [.script, .stage].contains($0.kind) }
    }
    let comments =
      " A function stands in its script, and a stage below, as a comment: take the \"--\" off."
    let header =
      "Yours to decide: put an answer below this list, then take the name out of the list."
      + (isScripted ? comments : "")
      + " Until the list is empty, check, plan and run end with status 2."
    return "\(Self.comment(header, indent: 2))\n  undecided {\n\(entries.joined())  },\n"
  }

  private static let unanswered =
    "    --   No answer is likely: write `create` or `relate` in a script (pipeline help hooks).\n"

  /// An answer on a line; a long one has its note below, and its code on more lines.
  private static func lines(_ answer: PipelineScaffold.Answer, _ width: Int) -> String {
    let line = "    --   \(answer.line.oneLine)"
    guard line.count > width else { return line + "\n" }
    guard !answer.text.isEmpty else {
      return answer.note.oneLine.wrappedCode(to: width - 12).enumerated()
        .map { "    --   \($0 == 0 ? "" : "   ")\($1)\n" }.joined()
    }
    let note = answer.note.oneLine.wrapped(to: 84).map { "    --      \($0)\n" }.joined()
    let code = answer.text.oneLine.wrappedCode(to: width - 11).enumerated().map { place, text in
      "    --   \(place == 0 ? "" : "  ")\(text)\n"
    }
    return code.joined() + (answer.note.isEmpty ? "" : note)
  }

  /// The stages of the scripts; those that link objects of others come last, because these have to
  /// be there.
  private func transforms(of step: ScaffoldStep) -> [String] {
    let names = step.needs.scripts.keys.sorted()
    let linking = names.filter { name in
      step.needs.links[name]?.contains { !$0.carried.isEmpty } == true
    }
    let last = Set(linking)
    return (names.filter { !last.contains($0) } + linking).map { entity in
      let name = LuaText.quoted(entity)
      return "stage \"transform\" { entity = \(name), script = "
        + "\(LuaText.quoted(step.script(entity))) }"
    }
  }
}

extension String {
  /// Lua in lines of a width; none ends within quotes, and none begins with a closing brace.
  func wrappedCode(to width: Int) -> [String] {
    guard count > width else { return [self] }
    var lines: [String] = []
    var (line, word) = ("", "")
    var (isQuoted, isEscaped) = (false, false)
    let letters = Array(self + " ")
    for (place, letter) in letters.enumerated() {
      let closes = place + 1 < letters.count && letters[place + 1] == "}"
      guard letter == " ", !isQuoted, !closes else {
        if letter == "\"", !isEscaped { isQuoted.toggle() }
        isEscaped = letter == "\\" && !isEscaped
        word.append(letter)
        continue
      }
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
      word = ""
    }
    return lines + [line]
  }
}
