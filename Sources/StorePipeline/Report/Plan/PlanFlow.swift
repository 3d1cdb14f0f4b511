internal import CoreDataStore
internal import StoreMigration

/// Where the properties of some entities go in one step: the entities of both versions that are
/// connected, as boxes with a row a property, and lines between the rows.
struct PlanFlow {
  /// What happens to an entity or a property, or what a line carries.
  enum Kind: String {
    case same, renamed, changed, added, scripted
    /// It has no place in the new version.
    case lost
  }

  /// A property of one version, or a line that stands for several.
  struct Row {
    /// The name; nil for a line that stands for several.
    var name: String?
    var type: String
    var kind = Kind.same
    /// What happens to it, in words.
    var words: [String] = []
    /// The same in one or two words, for the room between the models.
    var tag = ""
    /// The lines that begin or end at it.
    var lines: [Int] = []
  }

  struct Box {
    let name: String
    /// How many objects, how many bytes.
    var counts = ""
    let how: PlannedEntity.Way
    var kind = Kind.same
    var rows: [Row]
    var top = 0

    var height: Int {
      DiagramMeasure.title + DiagramMeasure.subtitle + rows.count * DiagramMeasure.row
        + DiagramMeasure.foot
    }

    /// The height at which a line meets the row, or the title for none.
    func anchor(_ row: Int?) -> Int {
      guard let row else { return top + DiagramMeasure.title / 2 }
      return top + DiagramMeasure.title + DiagramMeasure.subtitle + row * DiagramMeasure.row
        + DiagramMeasure.row / 2
    }

    func row(named name: String) -> Int? { rows.firstIndex { $0.name == name } }
  }

  /// Where the boxes of a version are, and the rows of each: a model may have a thousand.
  private struct Places {
    private(set) var boxes: [String: Int] = [:]
    private(set) var rows: [[String: Int]] = []

    mutating func add(_ box: Box) {
      if boxes[box.name] == nil { boxes[box.name] = rows.count }
      let places = box.rows.enumerated().compactMap { place, row in row.name.map { ($0, place) } }
      rows.append(Dictionary(places) { first, _ in first })
    }
  }

  /// What leads from one version to the other; without an end, to nowhere or from nowhere.
  struct Line: Hashable {
    /// A box and one of its rows; the box as a whole where there is none.
    struct End: Hashable {
      let box: Int
      var row: Int?
    }

    var from: End?
    var to: End?
    let kind: Kind
    let words: String
  }

  /// What stands in the margin: a script, or a stage that changes objects.
  struct Note {
    /// The script's number in its step; nil for a stage.
    let number: Int?
    let title: String
    let words: [String]
  }

  private(set) var sources: [Box] = []
  private(set) var targets: [Box] = []
  private var sourcePlaces = Places()
  private var targetPlaces = Places()
  private(set) var lines: [Line] = []
  private(set) var notes: [Note] = []

  var height: Int { (sources + targets).map { $0.top + $0.height }.max() ?? 0 }

  /// What weighs most of all that happens in it: a loss first.
  var kind: Kind {
    let kinds = Set((sources + targets).flatMap { [$0.kind] + $0.rows.map(\.kind) })
    return Self.byWeight.first(where: kinds.contains) ?? .same
  }

  private static let byWeight: [Kind] = [.lost, .scripted, .changed, .renamed, .added]

  /// The flows of a step: what is lost first, what stays the same last.
  static func flows(of step: PlannedStep) -> [PlanFlow] {
    // As in the diagrams of two models.
    let isCompact = step.entities.count > DiagramBoxes.mostInFull
    let scripts = Dictionary(grouping: step.scripts.enumerated(), by: \.element.entity)
    let flows = groups(of: step, scripts).map { group in
      let own = Set(group.compactMap(\.source)).flatMap { scripts[$0] ?? [] }
        .sorted { $0.offset < $1.offset }
      return PlanFlow(group, own, of: step, isCompact: isCompact)
    }
    let byKind = Dictionary(grouping: flows, by: \.kind)
    return (byWeight + [.same]).flatMap { byKind[$0] ?? [] }
  }

  /// A script of a step, and its place among them.
  private typealias PlacedScript = (offset: Int, element: PlannedScript)

  /// Entities that share an entity of either version, or a script that makes objects of both.
  private static func groups(
    of step: PlannedStep, _ scripts: [String: [PlacedScript]]
  ) -> [[PlannedEntity]] {
    // Of each entity one of its group, and of all of them in the end the same.
    var leaders = Array(step.entities.indices)
    func leader(of place: Int) -> Int {
      var place = place
      while leaders[place] != place {
        leaders[place] = leaders[leaders[place]]
        place = leaders[place]
      }
      return place
    }
    var known: [String: Int] = [:]
    for (place, entity) in step.entities.enumerated() {
      let made = entity.source.flatMap { scripts[$0] }?.flatMap(\.element.outline.creates) ?? []
      let targets = ([entity.target].compactMap(\.self) + made).map { "> \($0)" }
      for name in targets + [entity.source].compactMap(\.self) {
        if let other = known[name] {
          let last = leader(of: other)
          leaders[last] = leader(of: place)
        }
        known[name] = place
      }
    }
    let groups = Dictionary(grouping: step.entities.indices) { leader(of: $0) }
    return groups.values.sorted { ($0.last ?? 0) < ($1.last ?? 0) }
      .map { $0.map { step.entities[$0] } }
  }

  private init(
    _ group: [PlannedEntity], _ scripts: [PlacedScript], of step: PlannedStep, isCompact: Bool
  ) {
    for entity in group { add(entity, step) }
    // A function gives an attribute its value; links are made by hooks alone.
    let makers = scripts.filter { $0.element.outline.hooks.contains { $0 != .validate } }
    let linked = Set(makers.map(\.element.entity))
    for entity in group { connect(entity, step, linked) }
    for (place, script) in scripts { add(script, place + 1, step) }
    let scripted = Set(scripts.map(\.element.entity))
    for place in sources.indices where sources[place].how == .scripted {
      if scripted.contains(sources[place].name) { give(place) }
    }
    addStages(of: step)
    if isCompact { gatherQuiet() }
    var (left, right) = (0, 0)
    for place in sources.indices { Self.put(&sources[place], below: &left) }
    for place in targets.indices { Self.put(&targets[place], below: &right) }
    for (number, line) in lines.enumerated() {
      if let from = line.from, let row = from.row {
        sources[from.box].rows[row].lines.append(number)
      }
      if let to = line.to, let row = to.row { targets[to.box].rows[row].lines.append(number) }
    }
  }

  private static func put(_ box: inout Box, below top: inout Int) {
    box.top = top
    top += box.height + DiagramMeasure.rowGap
  }
}

// The boxes.
extension PlanFlow {
  private mutating func add(_ entity: PlannedEntity, _ step: PlannedStep) {
    if let name = entity.source, let known = step.from.entity(named: name) {
      var box = Box(
        name: name, counts: entity.countWords, how: entity.how,
        rows: Self.rows(of: known, step.from))
      let losses = Dictionary(entity.lost.map { ($0.name, $0) }) { first, _ in first }
      for row in box.rows.indices { Self.lose(&box.rows[row], entity, losses, step) }
      if entity.how == .dropped { box.kind = .lost }
      sources.append(box)
      sourcePlaces.add(box)
    }
    guard let name = entity.target, targetPlaces.boxes[name] == nil,
      let known = step.to.entity(named: name)
    else { return }
    let isNew = entity.source == nil
    var box = Box(name: name, how: entity.how, rows: Self.rows(of: known, step.to))
    box.kind =
      entity.how == .scripted
      ? .scripted : isNew ? .added : entity.source == name ? .same : .renamed
    if isNew { for row in box.rows.indices { box.rows[row].kind = box.kind } }
    targets.append(box)
    targetPlaces.add(box)
  }

  /// What has data: transient and fetched properties have none.
  private static func rows(of entity: Entity, _ model: Model) -> [Row] {
    let attributes = model.allAttributes(of: entity).filter { !$0.isTransient }
    let relationships = model.allRelationships(of: entity).filter { !$0.isTransient }
    return (attributes as [any Property] + relationships).map { property in
      Row(
        name: property.name, type: PropertyText.type(of: property),
        words: [PropertyText.summary(of: property)])
    }
  }

  /// Notes what is lost of a property of the source.
  private static func lose(
    _ row: inout Row, _ entity: PlannedEntity, _ losses: [String: PlannedLoss], _ step: PlannedStep
  ) {
    guard let source = entity.source, let name = row.name else { return }
    let loss = losses["\(source).\(name)"]
    let isDropped: Bool
    if case .dropped = step.mapping.objects(from: source)?.fate(of: name) {
      isDropped = true
    } else {
      isDropped = entity.how == .dropped
    }
    guard isDropped || loss != nil else { return }
    row.kind = .lost
    row.tag = loss.map(\.countWords) ?? (entity.how == .dropped ? "" : "no value")
    row.words.append(
      loss.map { "lost: \($0.words)" }
        ?? (entity.how == .dropped
          ? "lost with its entity" : "has no place any more; no object has a value"))
  }
}

// The lines.
extension PlanFlow {
  /// `linked` are the entities whose scripts may make links.
  private mutating func connect(
    _ entity: PlannedEntity, _ step: PlannedStep, _ linked: Set<String>
  ) {
    guard let from = entity.source.flatMap({ sourcePlaces.boxes[$0] }) else { return }
    if let to = entity.target.flatMap({ targetPlaces.boxes[$0] }) {
      let attributes = entity.attributesByProperty
      for row in targets[to].rows.indices {
        guard let name = targets[to].rows[row].name else { continue }
        let end = Line.End(box: to, row: row)
        if let attribute = attributes[name] {
          arrive(attribute, end, from, isMade: entity.how == .scripted)
        } else {
          link(name, end, from, step, isMade: linked.contains(sources[from].name))
        }
      }
    }
    guard entity.how != .dropped else {
      return lines.append(
        Line(from: .init(box: from), to: nil, kind: .lost, words: "\(sources[from].name) is lost"))
    }
    for row in sources[from].rows.indices where sources[from].rows[row].kind == .lost {
      let words = "\(sources[from].rows[row].name ?? "") is lost"
      lines.append(Line(from: .init(box: from, row: row), to: nil, kind: .lost, words: words))
    }
  }

  /// The values of an attribute of the target.
  private mutating func arrive(
    _ attribute: PlannedAttribute, _ end: Line.End, _ from: Int, isMade: Bool
  ) {
    if let name = attribute.from, let row = sourcePlaces.rows[from][name],
      ![MappingRule.constant, .default].map(\.rawValue).contains(attribute.rule)
    {
      let isChanged = attribute.rule == MappingRule.converted.rawValue || attribute.detail != nil
      let kind: Kind = isChanged ? .changed : name == attribute.name ? .same : .renamed
      return join(.init(box: from, row: row), end, kind, attribute.detail ?? attribute.rule)
    }
    // What nothing gives a value to is the script's to fill in, where there is one.
    if attribute.rule == MappingRule.scripted.rawValue
      || isMade && attribute.rule == MappingRule.null.rawValue
    {
      return mark(end, .scripted, "by the script", tag: "script")
    }
    mark(end, .added, attribute.words, tag: attribute.from ?? attribute.rule)
    lines.append(Line(from: nil, to: end, kind: .added, words: attribute.words))
  }

  /// The links of a relationship of the target.
  private mutating func link(
    _ name: String, _ end: Line.End, _ from: Int, _ step: PlannedStep, isMade: Bool
  ) {
    guard let entity = step.to.entity(named: targets[end.box].name) else { return }
    let owners = step.to.lineage(of: entity).map { PropertyReference($0.name, name) }
    let found = owners.flatMap { owner in
      step.mapping.links(of: owner).flatMap { link in
        [link.forward, link.backward].filter { $0.target == owner }.map { (link, $0) }
      }
    }.first
    guard let (link, direction) = found, let source = direction.source?.property,
      let row = sourcePlaces.rows[from][source]
    else {
      return mark(end, isMade ? .scripted : .added, isMade ? "by the script" : "new", tag: "")
    }
    let isMoved = ![.same, .empty].contains(link.move)
    let kind: Kind =
      link.mayDiscard || isMoved ? .changed : source == name ? .same : .renamed
    let words = link.mayDiscard ? "links may be discarded" : isMoved ? link.move.rawValue : ""
    join(.init(box: from, row: row), end, kind, words)
    if link.mayDiscard, let row = end.row { targets[end.box].rows[row].tag = "links may go" }
  }

  private mutating func join(_ from: Line.End, _ to: Line.End, _ kind: Kind, _ words: String) {
    let names = [
      from.row.flatMap { sources[from.box].rows[$0].name } ?? sources[from.box].name,
      to.row.flatMap { targets[to.box].rows[$0].name } ?? targets[to.box].name,
    ]
    let text = "\(names[0]) → \(names[1])" + (words.isEmpty ? "" : ": \(words)")
    lines.append(Line(from: from, to: to, kind: kind, words: text))
    guard kind != .same else { return }
    if let row = to.row { mark(to, kind, text, tag: targets[to.box].rows[row].tag) }
    guard let row = from.row else { return }
    // What a script reads may have a place of its own, too.
    sources[from.box].rows[row].words.append(text)
    if sources[from.box].rows[row].kind == .same, kind != .scripted {
      sources[from.box].rows[row].kind = kind
    }
  }

  private mutating func mark(_ end: Line.End, _ kind: Kind, _ words: String, tag: String) {
    guard let row = end.row else { return }
    targets[end.box].rows[row].kind = kind
    targets[end.box].rows[row].words.append(words)
    targets[end.box].rows[row].tag = tag
  }
}

// What stands in the margin.
extension PlanFlow {
  private mutating func add(_ script: PlannedScript, _ number: Int, _ step: PlannedStep) {
    guard let from = sourcePlaces.boxes[script.entity] else { return }
    let outline = script.outline
    let made = outline.creates.filter { targetPlaces.boxes[$0] != nil }
    var words: [String] = []
    if outline.makesObjects {
      let names = made.isEmpty ? "" : ": \(made.joined(separator: ", "))"
      words.append("given each \(script.entity), it makes the new objects\(names)")
    }
    for to in Set(made.compactMap { targetPlaces.boxes[$0] }).sorted() {
      join(.init(box: from), .init(box: to), .scripted, script.path)
    }
    let target = step.mapping.objects(from: script.entity)?.target
    let to = target.flatMap { targetPlaces.boxes[$0] }
    for (name, attribute) in outline.attributes.sorted(by: { NameOrder.precedes($0.key, $1.key) }) {
      guard case .function(let parameters) = attribute else { continue }
      let read = parameters.filter { $0 != ScriptOutline.contextParameter }
      words.append("\(name) from \(read.isEmpty ? "nothing else" : read.joined(separator: ", "))")
      guard let to, let end = targetPlaces.rows[to][name] else { continue }
      for row in read.compactMap({ sourcePlaces.rows[from][$0] }) {
        join(.init(box: from, row: row), .init(box: to, row: end), .scripted, script.path)
      }
      targets[to].rows[end].tag = "script \(number)"
    }
    let hooks = ScriptHook.allCases.filter { $0 != .create && outline.hooks.contains($0) }
    if !hooks.isEmpty { words.append("hooks: \(hooks.map(\.rawValue).joined(separator: ", "))") }
    notes.append(Note(number: number, title: script.path, words: words))
  }

  /// What has no line, and is given to the script, is the script's.
  private mutating func give(_ box: Int) {
    let connected = Set(lines.compactMap(\.from))
    for row in sources[box].rows.indices {
      let end = Line.End(box: box, row: row)
      guard sources[box].rows[row].kind == .same, !connected.contains(end) else { continue }
      sources[box].rows[row].kind = .scripted
      sources[box].rows[row].tag = "to the script"
      sources[box].rows[row].words.append("given to the script")
      lines.append(Line(from: end, to: nil, kind: .scripted, words: "given to the script"))
    }
  }

  private mutating func addStages(of step: PlannedStep) {
    for stage in step.revisions {
      let touches = StageTouches(stage.touches, step.to)
      let isHere = targets.contains { box in
        stage.entities.contains(box.name)
          || box.rows.contains { $0.name.map { touches.has($0, of: box.name) } ?? false }
      }
      guard isHere else { continue }
      let words = "changes the objects once they are there: "
      notes.append(
        Note(
          number: nil, title: "stage \(stage.stage)",
          words: [words + stage.touches.joined(separator: ", ")]))
    }
  }

  /// Lets the properties to which nothing happens share a row, and their lines a line.
  private mutating func gatherQuiet() {
    let left = sources.indices.map { Self.gather(&sources[$0]) }
    let right = targets.indices.map { Self.gather(&targets[$0]) }
    var seen: Set<Line> = []
    lines = lines.compactMap { line in
      var moved = line
      if let from = line.from { moved.from?.row = from.row.map { left[from.box][$0] } }
      if let to = line.to { moved.to?.row = to.row.map { right[to.box][$0] } }
      let isQuiet = line.kind == .same
      let shown =
        isQuiet
        ? Line(from: moved.from, to: moved.to, kind: .same, words: "unchanged") : moved
      return seen.insert(shown).inserted ? shown : nil
    }
  }

  /// The new place of each row of a box.
  private static func gather(_ box: inout Box) -> [Int] {
    let quiet = box.rows.filter { $0.kind == .same }
    guard quiet.count > 1 else { return Array(box.rows.indices) }
    let loud = box.rows.filter { $0.kind != .same }
    var next = 0
    let places = box.rows.map { row in
      guard row.kind != .same else { return loud.count }
      next += 1
      return next - 1
    }
    let names = quiet.compactMap(\.name).joined(separator: ", ")
    box.rows = loud + [Row(name: nil, type: "\(quiet.count) unchanged", words: [names])]
    return places
  }
}

extension PlannedEntity {
  /// "12 objects, 335.9 kB", as far as it is known.
  var countWords: String {
    let counts = [
      rows.map { (isEstimate ? "about " : "") + Plural.text(Int($0), "object") },
      bytes.map { Quantity.bytes(Int($0)) },
    ]
    return counts.compactMap(\.self).joined(separator: ", ")
  }

  /// The attributes by property: of a composite one, "address.street", the first by "address".
  fileprivate var attributesByProperty: [String: PlannedAttribute] {
    let parts = attributes.filter { $0.name.contains(".") }
    let composites = parts.map { part in (String(part.name.prefix { $0 != "." }), part) }
    return Dictionary(attributes.map { ($0.name, $0) } + composites) { first, _ in first }
  }
}

extension PlannedLoss {
  /// "3 values", as far as they are counted.
  var countWords: String {
    values.map { Plural.text(Int($0), "value") } ?? "whatever it holds"
  }

  var words: String { isDeclared ? countWords : "\(countWords), not given up" }
}
