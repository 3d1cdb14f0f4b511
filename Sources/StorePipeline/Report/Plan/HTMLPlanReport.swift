internal import CoreDataStore
internal import StoreMigration

/// A plan as one page that needs nothing from elsewhere: both models side by side in every step,
/// with a line from each property to where it goes.
///
/// What is lost is red and comes first; scripts stand in the margin. All of it is there in words,
/// too, and without scripts only the filter is missing.
package struct HTMLPlanReport {
  package private(set) var text = ""
  private let plan: Plan
  private let store: String?

  /// The page of a plan, of the store at this path where there is one.
  package init(_ plan: Plan, store: String?) {
    (self.plan, self.store) = (plan, store)
    let scripts = [Self.javascript, HTMLPage.javascript]
    let title = "\(plan.pipeline.name): the plan".html
    let css = DiagramStyle.css + DifferenceStyle.css + HTMLPage.css + Self.css
    text = """
      \(HTMLPage.head(title, scripts: scripts, css: css))
      <body class="plan">
      \(head)
      <main>
      \(problems)
      \(losses)
      \(remarks)
      \(filters)
      \(plan.steps.enumerated().map(section).joined(separator: "\n"))
      \(words)
      </main>
      \(scripts.map(HTMLScripts.element).joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private static let css = String(resource: PackageResources.HTMLPlanReport_css)
  private static let javascript = String(resource: PackageResources.HTMLPlanReport_js)

  private var lost: [PlannedLoss] { plan.steps.flatMap(\.entities).flatMap(\.lost) }

  /// The answer in a sentence or two.
  private var verdict: String {
    if plan.isCurrent { return "Nothing to do: the store is of this version already." }
    guard plan.problems.isEmpty else {
      return "\(Plural.text(plan.problems.count, "problem")) to settle before it can run."
    }
    let given = lost.isEmpty ? "Nothing would be lost." : "What would be lost is given up."
    return "It can run. \(given)"
  }

  private var head: String {
    var sides = [("Pipeline", "\(plan.pipeline.name) (\(plan.pipeline.file))")]
    if let source = plan.source {
      sides.append(("Store", "\(store ?? "") of version \(source.name)"))
    } else {
      sides.append(("From", plan.steps.map(\.from.name).joined(separator: ", ")))
    }
    sides.append(("To", plan.target.name))
    if let space = plan.space {
      let free = space.free.map { ", \(Quantity.bytes(Int($0))) free" } ?? ""
      sides.append(("Space", "\(Quantity.bytes(Int(space.needed))) needed\(free)"))
    }
    let items = sides.map { "<div><dt>\($0.0)</dt><dd>\($0.1.html)</dd></div>" }
    return """
      <header class="page">
      <h1>What the run would do</h1>
      <dl class="sides">\(items.joined())</dl>
      <p class="verdict">\(verdict.html)</p>
      \(tiles)
      \(legend)
      </header>
      """
  }

  /// How the objects of the store travel first, and how many values are lost: counts of the store.
  private var tiles: String {
    guard plan.source != nil, let step = plan.steps.first else { return "" }
    let ways: [(PlannedEntity.Way, String, String)] = [
      (.kept, "same", "kept as they are"), (.copied, "same", "copied"),
      (.scripted, "scripted", "given to scripts"), (.dropped, "removed", "dropped"),
    ]
    var tiles = ways.map { way, tone, words in
      let rows = step.entities.filter { $0.how == way }.compactMap(\.rows).reduce(0, +)
      return (Int(rows), tone, "\(rows == 1 ? "object" : "objects") \(words)")
    }
    let values = lost.compactMap(\.values).reduce(0, +)
    tiles.append((Int(values), "removed", values == 1 ? "value lost" : "values lost"))
    let items = tiles.filter { $0.0 > 0 }.map {
      "<li class=\"\($0.1)\"><strong>\(Quantity.count($0.0))</strong> \($0.2)</li>"
    }
    return "<ul class=\"tiles\" aria-label=\"Counts of the store\">\(items.joined())</ul>"
  }

  private var legend: String {
    let kinds: [(PlanFlow.Kind, String)] = [
      (.lost, "lost"), (.scripted, "by a script"), (.changed, "converted"), (.renamed, "renamed"),
      (.added, "new"), (.same, "unchanged"),
    ]
    let items = kinds.map { kind, words in
      """
      <li><svg width="40" height="12" aria-hidden="true"><g class="line \(kind)">\
      <path d="M2 6H38"/></g></svg> \(words)</li>
      """
    }
    return "<ul class=\"key\" aria-label=\"Legend\">\(items.joined())</ul>"
  }
}

// What is to be read first.
extension HTMLPlanReport {
  private func urgent(
    _ title: String, _ columns: [String], _ rows: [[String]], kind: String = "urgent bad"
  ) -> String {
    guard !rows.isEmpty else { return "" }
    return """
      <section class="\(kind)">
      <h2>\(title)</h2>
      \(HTMLPage.table(columns, rows))
      </section>
      """
  }

  private var problems: String {
    urgent(
      "What is wrong", ["Where", "What"],
      plan.problems.map { problem in
        [problem.line > 0 ? "\(problem.file):\(problem.line)" : problem.file, problem.message]
      })
  }

  private var losses: String {
    urgent(
      "What would be lost", ["Property", "Values", "Given up"],
      lost.sorted { !$0.isDeclared && $1.isDeclared }.map { loss in
        [
          loss.name, loss.values.map { Quantity.count(Int($0)) } ?? "not counted",
          loss.isDeclared ? "yes" : "no: see what is wrong",
        ]
      })
  }

  private var remarks: String {
    urgent("What is strange", ["Warning"], plan.warnings.map { [$0] }, kind: "urgent")
      + urgent(
        plan.uris.breaks ? "Object URIs that break" : "Object URIs in the store", ["What"],
        plan.uris.reasons.map { [$0] }
          + plan.uris.mentions.map {
            ["\($0.place) holds \(Plural.text(Int($0.count), "URI"))"]
          }, kind: "urgent")
  }

  private var filters: String {
    plan.steps.isEmpty
      ? ""
      : """
      <form class="filters" role="search" aria-label="Filter the page" hidden>
      <label>Entity or property <input type="search" name="search"></label>
      <label><input type="checkbox" name="quiet"> hide what stays as it is</label>
      <output></output>
      </form>
      """
  }

  /// Every property in words: for a reader who does not see the lines, or searches for a name.
  private var words: String {
    let several = plan.steps.count > 1
    let rows = plan.steps.flatMap { step in
      PlanFlow.flows(of: step).flatMap(\.words).map {
        several ? [$0[0], step.to.name] + $0[1...] : $0
      }
    }
    guard !rows.isEmpty else { return "" }
    return """
      <details class="words">
      <summary>Every property in words (\(Quantity.count(rows.count)))</summary>
      \(HTMLPage.table(["Property"] + (several ? ["Step"] : []) + ["Becomes", "How"], rows))
      </details>
      """
  }
}

// The steps.
extension HTMLPlanReport {
  private func section(_ number: Int, _ step: PlannedStep) -> String {
    let flows = PlanFlow.flows(of: step)
    let stages = step.stages.map(\.name).joined(separator: ", ")
    return """
      <section class="step">
      <h2>\(step.from.name.html) → \(step.to.name.html)</h2>
      <p class="hint">Stages: \(stages.html). The new store begins \(step.start.words.html).</p>
      <div class="sides-head" aria-hidden="true"><b>\(step.from.name.html)</b>\
      <b>\(step.to.name.html)</b></div>
      \(flows.map(lane).joined(separator: "\n"))
      </section>
      """
  }

  private func lane(_ flow: PlanFlow) -> String {
    let height = flow.height
    let lines = flow.lines.enumerated().map { line($1, $0, flow) }
    let tags = flow.tags.map { tag in
      """
      <span class="tag-at \(tag.kind) \(tag.isLeft ? "left" : "right")" \
      title="\(tag.text.html)" \
      style="top:\(tag.top - DiagramMeasure.row / 2)px">\(tag.text.html)</span>
      """
    }
    let notes = flow.notes.map(note)
    return """
      <div class="lane \(flow.kind)">
      <div class="flow" style="height:\(height)px">
      <svg viewBox="0 0 100 \(height)" preserveAspectRatio="none" aria-hidden="true">
      \(lines.joined(separator: "\n"))
      </svg>
      <div class="tags" aria-hidden="true">\(tags.joined())</div>
      \(flow.sources.map { box($0, "left") }.joined(separator: "\n"))
      \(flow.targets.map { box($0, "right") }.joined(separator: "\n"))
      </div>
      \(notes.isEmpty ? "" : "<aside class=\"margin\">\(notes.joined())</aside>")
      </div>
      """
  }

  private func note(_ note: PlanFlow.Note) -> String {
    let number = note.number.map { "<span class=\"number-of\">\($0)</span> " } ?? ""
    let items = note.words.map { "<li>\($0.html)</li>" }.joined()
    return """
      <div class="note"><h4>\(number)\(note.title.html)</h4><ul class="plain">\(items)</ul></div>
      """
  }

  private func box(_ box: PlanFlow.Box, _ side: String) -> String {
    let how = side == "left" ? [box.counts, box.how.rawValue].filter { !$0.isEmpty } : []
    let subtitle = (side == "left" ? how.joined(separator: ", ") : box.subtitle).html
    return """
      <article class="box \(side) \(box.kind)" style="top:\(box.top)px;height:\(box.height)px" \
      data-name="\(box.name.html)">
      <header title="\(box.name.html)"><h3>\(box.name.html)</h3></header>
      <p title="\(subtitle)">\(subtitle)</p>
      <ul>
      \(box.rows.map(row).joined(separator: "\n"))
      </ul>
      </article>
      """
  }

  private func row(_ row: PlanFlow.Row) -> String {
    let words = row.words.joined(separator: "; ").html
    guard let name = row.name else {
      return "<li class=\"rest\" title=\"\(words)\">\(row.type.html)</li>"
    }
    let lines = row.lines.map { "\($0)" }.joined(separator: " ")
    return """
      <li class="\(row.kind)" title="\(name.html): \(words)" data-lines="\(lines)" \
      tabindex="0"><span class="name">\(name.html)</span>\
      <span class="type">\(row.type.html)</span></li>
      """
  }

  /// Where the room between the models is 100 wide, whatever that is in pixels.
  private func line(_ line: PlanFlow.Line, _ number: Int, _ flow: PlanFlow) -> String {
    let from = line.from.map { flow.sources[$0.box].anchor($0.row) }
    let to = line.to.map { flow.targets[$0.box].anchor($0.row) }
    let course =
      switch (from, to) {
      case (let from?, let to?): "M0 \(from)C45 \(from) 55 \(to) 100 \(to)"
      case (let from?, nil): "M0 \(from)H14"
      case (nil, let to?): "M86 \(to)H100"
      case (nil, nil): ""
      }
    return """
      <g class="line \(line.kind)" data-line="\(number)"><title>\(line.words.html)</title>\
      <path d="\(course)"/></g>
      """
  }
}

extension PlanFlow.Box {
  /// How the objects come to be, below the title of an entity of the new version.
  fileprivate var subtitle: String {
    switch (how, kind) {
    case (.scripted, _): "made by a script"
    case (_, .added): "new, without objects"
    default: how.rawValue
    }
  }
}

extension PlanFlow {
  /// What stands in the room between the models, next to the row that it is about.
  fileprivate var tags: [(text: String, kind: Kind, isLeft: Bool, top: Int)] {
    func tags(_ boxes: [Box], isLeft: Bool) -> [(String, Kind, Bool, Int)] {
      boxes.flatMap { box in
        box.rows.enumerated().filter { !$1.tag.isEmpty }.map { place, row in
          (row.kind == .lost ? "✕ \(row.tag)" : row.tag, row.kind, isLeft, box.anchor(place))
        }
      }
    }
    let entities = sources.filter { $0.kind == .lost }.map { box in
      ("✕ \(box.counts)", Kind.lost, true, box.anchor(nil))
    }
    return tags(sources, isLeft: true) + tags(targets, isLeft: false) + entities
  }

  /// A row for each property of the source, and for each of the target that comes of none.
  fileprivate var words: [[String]] {
    let old = sources.enumerated().flatMap { place, box in
      box.rows.enumerated().map { number, row in
        let ends = lines.filter { $0.from == Line.End(box: place, row: number) }.compactMap(\.to)
        let names = ends.compactMap { end in
          end.row.map { "\(targets[end.box].name).\(targets[end.box].rows[$0].title)" }
        }
        return [
          "\(box.name).\(row.title)",
          names.isEmpty
            ? row.kind == .scripted ? "what the script makes" : "nothing"
            : names.joined(separator: ", "),
          row.happening,
        ]
      }
    }
    let new = targets.enumerated().flatMap { place, box in
      box.rows.enumerated().filter { number, _ in
        !lines.contains { $0.to == Line.End(box: place, row: number) && $0.from != nil }
      }.map { ["\(box.name).\($1.title)", "itself", $1.happening] }
    }
    return old + new
  }
}

extension PlanFlow.Row {
  fileprivate var title: String { name ?? type }

  /// What happens to it, without what it is.
  fileprivate var happening: String {
    let changes = words.dropFirst().joined(separator: "; ")
    return changes.isEmpty ? kind == .same ? "unchanged" : "\(kind)" : changes
  }
}
