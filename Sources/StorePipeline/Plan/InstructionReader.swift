import CoreDataStore
internal import StoreMigration

/// What the stages of a step say about the mapping.
struct InstructionReader {
  /// The instructions, those of scripts not among them.
  private(set) var instructions = MappingInstructions()

  /// Reads the rules and options of stages.
  init(_ stages: [PipelineStage], accepting losses: [String]) {
    for stage in stages where stage.name == CopyStage.description.name {
      for rule in stage.rules { read(rule) }
      let line = stage.line(of: "accept_loss")
      for name in stage["accept_loss"]?.list?.compactMap(\.text) ?? [] {
        instructions.acceptedLosses.append(NamedInstruction(name, line: line))
      }
    }
    instructions.acceptedLosses += losses.map { NamedInstruction($0) }
  }

  private mutating func read(_ rule: PipelineRule) {
    let entity = rule["entity"]?.text ?? ""
    switch rule.name {
    case "rename":
      let names = Self.names(rule["attributes"]).merging(Self.names(rule["relationships"])) {
        first, _ in first
      }
      instructions.renames.append(
        EntityRename(entity: entity, to: rule["to"]?.text, properties: names, line: rule.line))
    case "map": instructions.maps += Self.maps(rule, entity)
    case "drop":
      let names = rule["names"]?.list?.compactMap(\.text) ?? []
      instructions.drops += names.map { NamedInstruction($0, line: rule.line) }
    case "where":
      let condition = rule["condition"]?.text ?? ""
      instructions.filters.append(
        ObjectFilter(entity: entity, condition: condition, line: rule.line))
    case "one":
      let keep: LinkChoice.Keep = rule["keep"]?.text == "last" ? .last : .first
      instructions.choices.append(
        LinkChoice(rule["relationship"]?.text ?? "", keep: keep, line: rule.line))
    default: return
    }
  }

  private static func names(_ value: OptionValue?) -> [String: String] {
    (value?.table ?? [:]).compactMapValues(\.text)
  }

  /// A map for each source entity that it names.
  private static func maps(_ rule: PipelineRule, _ entity: String) -> [EntityMap] {
    let attributes = (rule["attributes"]?.table ?? [:]).compactMapValues(EntityMap.Value.init)
    let sources = rule["from"]?.list?.compactMap(\.text) ?? []
    return (sources.isEmpty ? [nil] : sources.map(Optional.some)).map { source in
      EntityMap(entity: entity, from: source, attributes: attributes, line: rule.line)
    }
  }
}

extension EntityMap.Value {
  /// Where a value comes from, as a pipeline file or a script writes it; nil for lists and tables.
  init?(_ value: OptionValue) {
    switch value {
    case .from(let name): self = .from(name)
    case .convert(let name, let type): self = .convert(name, to: AttributeType(name: type))
    case .boolean(let value): self = .constant(.boolean(value))
    case .integer(let value): self = .constant(.integer(value))
    case .number(let value): self = .constant(.real(value))
    case .text(let text): self = .constant(.string(text))
    case .duration, .size, .list, .table: return nil
    }
  }
}
