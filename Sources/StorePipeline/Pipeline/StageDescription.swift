/// What a stage says of itself before it runs.
///
/// The checker, the list of stages, the order of stages and the reference are made from it.
public struct StageDescription: Sendable, Hashable {
  /// The word that calls it: `stage "copy" { ... }`.
  public let name: String
  /// What it does, in one sentence.
  public let summary: String
  /// What a reader should know beyond that.
  public let details: String
  /// Its options.
  public private(set) var options: [OptionDescription]
  /// The rules that may stand in its list.
  public private(set) var rules: [RuleDescription]
  /// What must have been made by stages above it.
  public let consumes: Set<StageResource>
  /// What stages below it can rely on.
  public let produces: Set<StageResource>
  /// What it changes.
  public let touches: Set<StageEffect>
  /// Where it may stand.
  public let place: StagePlace
  /// Whether it may stand there more than once.
  public let mayRepeat: Bool
  /// The stage as a pipeline file writes it.
  public let example: String
  /// Whether it makes the links that had to wait: without one, a run adds the stage that does.
  var connects = false

  /// A description.
  public init(
    name: String, summary: String, details: String, options: [OptionDescription] = [],
    rules: [RuleDescription] = [], consumes: Set<StageResource> = [],
    produces: Set<StageResource> = [], touches: Set<StageEffect> = [],
    place: StagePlace = .beforeSwap, mayRepeat: Bool = false, example: String
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.options = options
    self.rules = rules
    self.consumes = consumes
    self.produces = produces
    self.touches = touches
    self.place = place
    self.mayRepeat = mayRepeat
    self.example = example
  }
}

extension StageDescription {
  /// The same with options and rules.
  func with(options: [OptionDescription], rules: [RuleDescription]) -> Self {
    var description = self
    (description.options, description.rules) = (options, rules)
    return description
  }

  /// The files that a stage reads, by the types of its options.
  func filesRead(by stage: PipelineStage) -> [String] {
    options.flatMap { option in stage[option.name].map { option.type.filesRead(in: $0) } ?? [] }
  }

  /// Whether it changes objects that are there already, and so comes after what makes and links
  /// them.
  var revises: Bool {
    place == .inStep && consumes.contains(.objects) && !produces.contains(.objects)
  }
}

/// What stages hand on to those below them.
public enum StageResource: String, Sendable, CaseIterable {
  /// The version of the source's model.
  case version
  /// The source and the destination, both open.
  case stores
  /// The objects in the destination.
  case objects
  /// The new store in the place of the old one.
  case replacement

  /// What it is, as a mistake names it.
  var phrase: String {
    switch self {
    case .version: "the version of the store"
    case .stores: "the open stores"
    case .objects: "the objects of the new store"
    case .replacement: "the new store in its place"
    }
  }
}

/// What a stage may change.
public enum StageEffect: String, Sendable, CaseIterable {
  /// The store that is being built.
  case destination
  /// Files other than the stores.
  case files
  /// The user's own store.
  case store
  /// It starts programs.
  case programs
}

/// Where in a pipeline a stage may stand.
public enum StagePlace: String, Sendable, CaseIterable {
  /// Anywhere above the swap, and not inside a step.
  case beforeSwap
  /// Anywhere above the swap; where there are steps, inside them.
  case inStep
  /// Anywhere, below the swap too, and not inside a step.
  case anywhere
}

extension OptionType {
  /// The files that a value of this type names and that are read.
  fileprivate func filesRead(in value: OptionValue) -> [String] {
    switch (self, value) {
    case (.path(let path), .text(let text)): path == .new ? [] : [text]
    case (.list(let type), .list(let values)), (.oneOrMore(let type), .list(let values)):
      values.flatMap(type.filesRead)
    case (.fields(let type), .table(let fields)): fields.values.flatMap(type.filesRead)
    case (.table(let table), .table(let fields)):
      table.fields.flatMap { field in fields[field.name].map(field.type.filesRead) ?? [] }
    case (.either(let types), _): types.flatMap { $0.filesRead(in: value) }
    default: []
    }
  }
}
