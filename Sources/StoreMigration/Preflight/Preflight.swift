package import CoreDataStore
internal import SQLite

/// Finds the objects of a store that will break rules of a later version, before anything is
/// written.
///
/// The store is seen through the mappings of all steps up to that version, in views that live and
/// die with its connection, and the rules that hold for a finished store are checked on what is
/// seen. What a script makes, and what a conversion makes of values, is not known yet: that is left
/// out, but for values that a conversion can make nothing of.
package struct Preflight {
  private let steps: [PreflightStep]
  private let limit: Int
  private let isBrief: Bool
  private let looksAtRules: Bool

  /// A preflight of steps that follow each other; the rules are those of the last one's target.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - limit: How many failures are reported one by one; all are counted.
  ///   - isBrief: Whether rules are left out that no object can break which did not break them
  ///     before, and conversions, which a run tries out by itself.
  ///   - looksAtRules: Whether the rules are looked at, and not the last step's conversions alone.
  package init(
    _ steps: [PreflightStep], limit: Int = 100, isBrief: Bool = false, looksAtRules: Bool = true
  ) {
    (self.steps, self.limit, self.isBrief) = (steps, limit, isBrief)
    self.looksAtRules = looksAtRules
  }

  /// Whether there is a rule that any object might newly break; without one no store need be read.
  package var hasRules: Bool {
    get throws { try objects.contains { !(try checks($0.path, $0.layout).checks.isEmpty) } }
  }

  /// Looks at every object of a store.
  ///
  /// - Throws: ``Failure`` when the store cannot be read.
  package func run(_ store: Store) throws -> PreflightResult {
    try store.reading("cannot check the objects", limit: .seconds(3600)) {
      let views = PreflightViews(steps)
      try views.make(store.connection)
      defer { views.remove(store.connection) }
      return try store.connection.transaction(.deferred) { try check(store.connection) }
    }
  }

  private var links: PreflightLinks { PreflightLinks(steps) }

  private func sources(_ first: PreflightStep, _ last: PreflightStep) -> SourceChecks {
    SourceChecks(
      steps.map(\.mapping), from: first.source, to: last.target, database: "main")
  }

  private var objects: [(path: ObjectPath, layout: EntityLayout)] {
    steps.paths.compactMap { path in
      guard let target = path.steps.last?.target else { return nil }
      return steps.last?.target.entity(named: target).map { (path, $0) }
    }
  }

  /// The rules that the objects of a way must keep, and those that cannot be checked.
  private func checks(
    _ path: ObjectPath, _ layout: EntityLayout
  ) throws -> (checks: [RowCheck], unchecked: [String]) {
    guard let first = steps.first, let last = steps.last, looksAtRules else { return ([], []) }
    let rules = try RowChecks(
      of: layout, in: last.target, database: PreflightViews.database, alias: ConditionSQL.alias,
      keys: PreflightViews.keys)
    let possible = PreflightChecks(path, steps, layout)
    let checks = possible.those(of: rules.all)
    guard isBrief else { return (checks, rules.unchecked + possible.left(of: rules.all)) }
    let sources = sources(first, last)
    return (try checks.filter { try canBeNew($0, path, layout, sources) }, rules.unchecked)
  }

  /// Whether an object can break a rule that it did not break in the source: the source has no such
  /// rule, or other objects come in as well, or links to what is left out go.
  ///
  /// A mandatory attribute that the mapping gives to all objects is missing in none.
  private func canBeNew(
    _ check: RowCheck, _ path: ObjectPath, _ layout: EntityLayout, _ sources: SourceChecks
  ) throws -> Bool {
    if check.rule == .mandatory, !check.isRelationship,
      PreflightChecks(path, steps, layout).isGiven(check.property.property)
    {
      return false
    }
    if try sources.isInSource(check, of: layout) == "0" { return true }
    if case .unique = check.rule {
      return zip(steps, path.steps).contains { step, object in
        let table = step.target.entity(named: object.target)?.table
        return (table.flatMap { step.sharers[$0] } ?? []).contains {
          $0.source != object.source || $0.target != object.target
        }
      }
    }
    return check.isRelationship && links.sight(of: check.property) == .lossy
  }

  private func check(_ connection: Connection) throws -> PreflightResult {
    var failures = FailureList(limit: limit, isStrict: false)
    var unchecked: [String] = []
    var remedies: [PreflightResult.Place: [String]] = [:]
    var unique: Set<PreflightResult.Place> = []
    var refusals: [PreflightResult.Place: String] = [:]
    var conversions: Set<PreflightResult.Place> = []
    let breakers = RuleBreakers(connection)
    for (path, layout) in objects {
      guard let first = steps.first, let last = steps.last, let object = path.steps.last else {
        continue
      }
      let sources = sources(first, last)
      let (checks, left) = try checks(path, layout)
      unchecked += left
      for check in checks {
        let place = PreflightResult.Place(
          entity: path.source, property: check.propertyNames, rule: check.rule.description)
        let link =
          check.isRelationship ? links.origin(of: check.property, from: object.source) : nil
        remedies[place] = PreflightRemedy(object, check, link: link).lines
        if case .unique = check.rule { unique.insert(place) }
        // Core Data looks only at what was not mandatory before.
        if let need = check.rule.need(isRelationship: check.isRelationship),
          try !sources.haveRule(check, of: layout, on: path)
        {
          refusals[place] = need.refusal
        }
      }
      let validation = try EntityValidation(
        breakers, layout, sources, values: false, rows: PreflightViews(steps).rows(of: path))
      try validation.run(checks, &failures)
      guard !isBrief else { continue }
      unchecked += try unsettled(path, layout, besides: checks, validation)
      let misfits = try PreflightViews(steps).findMisfits(on: path, connection, &failures)
      conversions.formUnion(misfits.keys)
      remedies.merge(misfits) { $1 }
    }
    for path in isBrief ? [] : steps.convertedPaths {
      let misfits = try PreflightViews(steps).findMisfits(on: path, connection, &failures)
      conversions.formUnion(misfits.keys)
      remedies.merge(misfits) { $1 }
    }
    if !isBrief {
      unchecked += PreflightViews(steps).untried(objects.map(\.path) + steps.convertedPaths)
    }
    // Two rules of one property are left for one reason.
    var seen: Set<String> = []
    unchecked.removeAll { !seen.insert($0).inserted }
    return PreflightResult(
      failures.result(unchecked: unchecked, expectations: []), remedies, unique: unique,
      refusals: refusals, conversions: conversions, left: looksAtRules ? remarks : [])
  }

  /// What the objects of a way break before the stages of the last step, which may change that, in
  /// words.
  private func unsettled(
    _ path: ObjectPath, _ layout: EntityLayout, besides checks: [RowCheck],
    _ validation: EntityValidation
  ) throws -> [String] {
    guard looksAtRules, let last = steps.last, !last.claims.revised.isEmpty else { return [] }
    let rules = try RowChecks(
      of: layout, in: last.target, database: PreflightViews.database, alias: ConditionSQL.alias,
      keys: PreflightViews.keys)
    let before = PreflightChecks(path, steps.dropLast() + [last.withoutStages], layout)
    let more = before.those(of: rules.all).filter { check in
      !checks.contains { $0.rule == check.rule && $0.property == check.property }
    }
    var failures = FailureList(limit: 0, isStrict: false)
    try validation.run(more, &failures)
    let counts = failures.result(unchecked: [], expectations: []).countsByRule
    return counts.filter { $0.errors > 0 }.map { count in
      let objects = "\(count.errors) object" + (count.errors == 1 ? "" : "s")
      return "\(count.entity) \(count.property), \(count.rule): \(objects) before the stages, "
        + "which may change that"
    }
  }

  /// What is not looked at because of scripts, in words; of several steps each thing once.
  private var remarks: [String] {
    var seen: Set<String> = []
    return steps.flatMap { $0.claims.remarks($0.mapping) }.filter { seen.insert($0).inserted }
  }
}

/// Lines of a pipeline file or script, each of which would settle one kind of failure.
struct PreflightRemedy {
  let lines: [String]

  /// The lines for a check of a mapping's objects; `link` is where a relationship comes from, of
  /// theirs.
  init(_ object: ObjectMapping, _ check: RowCheck, link: PropertyReference?) {
    let script = SnippetText.scriptOrStage(object)
    let name = check.property.property
    let old = check.isRelationship ? link?.property : object.attribute(named: name)?.source
    switch check.rule {
    case .mandatory:
      let filter = old.map { SnippetText.filter(object.source, $0) }
      let type = check.isRelationship ? nil : check.storage?.type
      let value = type.flatMap(SnippetText.example)
      let given = value.flatMap { value in
        guard let old else { return SnippetText.map(object.target, name, value) }
        return SnippetText.function(name, of: old, "\(old) or \(value)")
          .map { "\(script) -- \($0)" }
      }
      lines = [filter, given ?? script].compactMap(\.self)
    case .value(let rule):
      let body = old.flatMap { Self.bounded($0, rule) }
      let function = body.flatMap { SnippetText.function(name, of: old, $0) }
      lines = [function.map { "\(script) -- \($0)" } ?? script]
    case .unique(let properties):
      lines = [
        SnippetText.dedupe(object.target, properties),
        "\(script) -- change or leave out all but one",
      ]
    default: lines = ["\(script) -- make the links in relate"]
    }
  }

  /// The nearest number that the rule allows.
  private static func bounded(_ name: String, _ rule: ValidationRule) -> String? {
    switch rule {
    case .minimum(.integer(let bound)): "\(name) and math.max(\(name), \(bound))"
    case .maximum(.integer(let bound)): "\(name) and math.min(\(name), \(bound))"
    case .minimum(.real(let bound)): "\(name) and math.max(\(name), \(bound))"
    case .maximum(.real(let bound)): "\(name) and math.min(\(name), \(bound))"
    default: nil
    }
  }
}
