/// Checks the order of a file's stages by what they consume, produce and replace.
struct StageOrder {
  /// A stage that exists, and the step it stands in.
  private struct Place {
    let stage: StageDescription
    let line: Int
    let step: Int?

    /// Whether it looks at the new store when that is whole; what replaces the old one is checked
    /// by itself.
    var needsWholeStore: Bool {
      stage.place != .inStep && stage.consumes.contains(.objects)
        && !stage.produces.contains(.replacement)
    }
  }

  private let source: PipelineSource
  private let stages: StageRegistry
  private let target: String?
  private let places: [Place]
  private let entries: [RawConstruct]
  private var found: [Problem] = []

  init(_ source: PipelineSource, stages: StageRegistry, target: String?) {
    self.source = source
    self.stages = stages
    self.target = target
    entries = source.constructs.filter { $0.kind == "stage" || $0.kind == "step" }
    places = entries.enumerated().flatMap { index, entry -> [Place] in
      let inner = entry.body.list.compactMap { item -> RawConstruct? in
        guard case .construct(let stage) = item, stage.kind == "stage" else { return nil }
        return stage
      }
      return (entry.kind == "step" ? inner : [entry]).compactMap { stage in
        stages[stage.name].map {
          Place(stage: $0, line: stage.line, step: entry.kind == "step" ? index : nil)
        }
      }
    }
  }

  /// The mistakes, in no order.
  mutating func problems() -> [Problem] {
    checkSteps()
    checkObjects()
    checkRepeats()
    checkPlaces()
    // What stands below the swap would be reported once for the swap, and once for each stage.
    if isSwapLast() {
      checkResources()
      checkRevisions()
      checkMakers()
    }
    return found
  }

  private mutating func report(_ line: Int, _ message: String) {
    found.append(source.problem(line, message))
  }

  private mutating func checkSteps() {
    let steps = entries.indices.filter { entries[$0].kind == "step" }
    var first: [String: Int] = [:]
    for index in steps {
      let step = entries[index]
      if let line = first[step.name] {
        report(step.line, "a second step '\(step.name)'; the first is on line \(line)")
      }
      first[step.name] = first[step.name] ?? step.line
    }
    for (one, next) in zip(steps, steps.dropFirst()) where next != one + 1 {
      report(entries[one + 1].line, "nothing may stand between two steps; put it above or below")
    }
    if let last = steps.last.map({ entries[$0] }), let target, target != last.name {
      let right = first[target].map { ": put step '\(target)' (line \($0)) below it" } ?? ""
      report(last.line, "the last step makes '\(last.name)', and the target is '\(target)'\(right)")
    }
  }

  /// A store to which nothing brings objects would be an empty one.
  ///
  /// A stage that needs objects is reported for want of them, and one with a misspelt name may be
  /// the one that is missing.
  private mutating func checkObjects() {
    // What stands for an unknown word may have been the stage that is missing.
    let isKnown = written == places.count && source.problems.isEmpty
    guard isKnown, let first = places.first,
      !places.contains(where: { $0.stage.produces.contains(.objects) }),
      !places.contains(where: { $0.stage.consumes.contains(.objects) })
    else { return }
    let header = source.constructs.first { $0.kind == "pipeline" }
    report(
      header?.line ?? first.line,
      "no stage brings the objects to the new store: "
        + #"write stage "copy" {}, which copies all that no script makes"#)
  }

  /// How many stages the file has, by whatever names.
  private var written: Int {
    entries.reduce(0) { count, entry in
      count + (entry.kind == "step" ? entry.body.constructs.count { $0.kind == "stage" } : 1)
    }
  }

  private mutating func checkRepeats() {
    for (index, place) in places.enumerated() where !place.stage.mayRepeat {
      let first = places[..<index].first {
        $0.stage.name == place.stage.name && $0.step == place.step
      }
      if let first {
        report(
          place.line, "a second stage '\(place.stage.name)'; the first is on line \(first.line)")
      }
    }
  }

  private mutating func checkPlaces() {
    let hasSteps = entries.contains { $0.kind == "step" }
    for place in places {
      let name = place.stage.name
      if place.step != nil, place.stage.place != .inStep {
        let names = self.names { $0.place == .inStep }
        let isFirst = !place.stage.produces.isDisjoint(with: [.version, .stores])
        let there = isFirst ? "above the first step" : "below the last step"
        report(
          place.line,
          "stage '\(name)' has no place in a step: put it \(there); only \(names) have")
      } else if place.step == nil, hasSteps, place.stage.place == .inStep {
        report(place.line, "stage '\(name)' stands outside of the steps; put it into one")
      }
    }
  }

  private mutating func checkResources() {
    var made: Set<StageResource> = []
    var step: Int?
    for (index, place) in places.enumerated() {
      if place.step != step, place.step != nil { made.remove(.objects) }
      step = place.step
      if let missing = missing(for: place.stage, in: made) {
        report(place.line, self.message(place.stage, missing, below: index))
        made.formUnion(place.stage.consumes)
      }
      made.formUnion(place.stage.produces)
    }
  }

  /// Whether only what may stand anywhere stands below the swap; reports it otherwise.
  private mutating func isSwapLast() -> Bool {
    guard let index = places.firstIndex(where: { $0.stage.produces.contains(.replacement) }),
      let last = places[(index + 1)...].last(where: { place in
        place.stage.place != .anywhere && !place.stage.produces.contains(.replacement)
      })
    else { return true }
    let names = self.names { $0.place == .anywhere }
    report(
      places[index].line,
      "stage '\(places[index].stage.name)' stands too early: put it below '\(last.stage.name)' "
        + "(line \(last.line)); only \(names) may stand below it")
    return false
  }

  /// What makes or links objects comes before what changes them.
  private mutating func checkRevisions() {
    var revising: [Int?: Place] = [:]
    for place in places {
      defer { if place.stage.revises { revising[place.step] = place } }
      guard place.stage.produces.contains(.objects), let earlier = revising[place.step] else {
        continue
      }
      report(
        place.line,
        "stage '\(place.stage.name)' stands below '\(earlier.stage.name)' "
          + "(line \(earlier.line)), which changes what is there; put it above")
    }
  }

  /// All objects are there before they are linked, and before the new store is looked at.
  private mutating func checkMakers() {
    // The last one of each kind in each step. What has no objects at all above it is reported for
    // want of them.
    var (made, connecting, whole) = (Set<Int?>(), [Int?: Place](), [Int?: Place]())
    for place in places {
      let (stage, step) = (place.stage, place.step)
      let makes = stage.produces.contains(.objects) && !stage.connects
      defer {
        if makes { made.insert(step) }
        if made.contains(step), stage.connects { connecting[step] = place }
        if made.contains(step), place.needsWholeStore { whole[step] = place }
      }
      guard makes, stage.place == .inStep else { continue }
      if let connecting = connecting[step] {
        report(
          place.line,
          "stage '\(stage.name)' stands below '\(connecting.stage.name)' (line "
            + "\(connecting.line)), which links the objects when all are there; put it above")
      } else if let whole = whole[step] {
        report(
          place.line,
          "stage '\(stage.name)' stands below '\(whole.stage.name)' (line \(whole.line)), which "
            + "needs all objects of the new store; put it above")
      }
    }
    for place in places where place.stage.connects {
      let above = places.filter { $0.step == place.step && $0.line < place.line }
      guard let whole = above.last(where: \.needsWholeStore) else { continue }
      report(
        place.line,
        "stage '\(place.stage.name)' stands below '\(whole.stage.name)' (line \(whole.line)), "
          + "which needs all links of the new store; put it above")
    }
  }

  private func missing(
    for stage: StageDescription, in made: Set<StageResource>
  ) -> StageResource? {
    StageResource.allCases.first { stage.consumes.contains($0) && !made.contains($0) }
  }

  private func message(
    _ stage: StageDescription, _ missing: StageResource, below index: Int
  ) -> String {
    let later = places[(index + 1)...].first {
      $0.stage.produces.contains(missing) && $0.stage.name != stage.name
        && $0.step == places[index].step
    }
    let start = "stage '\(stage.name)' needs \(missing.phrase)"
    if let later {
      return "\(start): put '\(later.stage.name)' (line \(later.line)) above it"
    }
    let makers = names { $0.produces.contains(missing) && !$0.consumes.contains(missing) }
    return "\(start): put \(makers) above it"
  }

  private func names(_ isWanted: (StageDescription) -> Bool) -> String {
    stages.descriptions.filter(isWanted).map { "'\($0.name)'" }.joined(separator: " or ")
  }
}
