/// One option of a stage or of a rule: what checks it, lists it and documents it.
public struct OptionDescription: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// The values it takes.
  public let type: OptionType
  /// The value it has when it is not written; nil means none.
  public let `default`: OptionValue?
  /// Whether it must be written.
  public let isRequired: Bool
  /// Whether it is also written without its name, as the list of the table it stands in.
  public let isUnnamed: Bool
  /// The option as one writes it, for the mistake of leaving it out.
  package let example: String?
  /// What it does, in sentences.
  public let help: String

  /// An option.
  public init(
    _ name: String, _ type: OptionType, default: OptionValue? = nil, isRequired: Bool = false,
    isUnnamed: Bool = false, help: String
  ) {
    self.init(
      name, type, default: `default`, isRequired: isRequired, isUnnamed: isUnnamed, example: nil,
      help: help)
  }

  package init(
    _ name: String, _ type: OptionType, default: OptionValue? = nil, isRequired: Bool = false,
    isUnnamed: Bool = false, example: String?, help: String
  ) {
    self.name = name
    self.type = type
    self.default = `default`
    self.isRequired = isRequired
    self.isUnnamed = isUnnamed
    self.example = example
    self.help = help
  }
}

/// A word that may stand in a stage's list, with options of its own: `rename { ... }`.
public struct RuleDescription: Sendable, Hashable {
  /// The word.
  public let name: String
  /// What it says, in one sentence.
  public let summary: String
  /// Its options.
  public let options: [OptionDescription]

  /// A rule.
  public init(name: String, summary: String, options: [OptionDescription]) {
    self.name = name
    self.summary = summary
    self.options = options
  }
}
