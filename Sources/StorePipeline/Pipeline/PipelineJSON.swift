import Formats

extension Pipeline {
  /// The pipeline as JSON, which is accepted in place of a pipeline file.
  public var json: String { JSONValue.object(members(places: true)).text(.pretty) }

  /// The SHA-256 of what the pipeline says, in hexadecimal digits; where it says it does not count.
  public var digest: String {
    let text = JSONValue.object(members(places: false)).text(isData: true)
    return Hex.encode(Digest.sha256(Array(text.utf8)))
  }

  /// The members of the document, for documents that hold more than the pipeline.
  func members(places: Bool) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("format", .integer(Int64(format))), .init("pipeline", .string(name)),
    ]
    if places {
      members += [.init("file", .string(file)), .init("folder", .string(folder))]
      members += PipelineStage.places(line, optionLines)
    }
    members.append(.init("models", .array(models.map(JSONValue.string))))
    if let accept { members.append(.init("accept", .array(accept.map(JSONValue.string)))) }
    if let target { members.append(.init("target", .string(target))) }
    if stores.count == 1 {
      members.append(.init("store", .string(stores[0])))
    } else if !stores.isEmpty {
      members.append(.init("store", .texts(stores)))
    }
    if !plugins.isEmpty { members.append(.init("plugins", .texts(plugins.map(\.path)))) }
    members.append(.init("params", .array(parameters.map { $0.json(places: places) })))
    members.append(
      .init(
        "steps",
        .array(
          steps.map { step in
            var members = [JSONValue.Member("to", .string(step.version))]
            if places { members.append(.init("line", .integer(Int64(step.line)))) }
            return .object(members)
          })))
    members.append(
      .init("stages", .array(stages.map { $0.stage.json(step: $0.step, places: places) })))
    return members
  }
}

extension PipelineParameter {
  fileprivate func json(places: Bool) -> JSONValue {
    var members = [JSONValue.Member("name", .string(name)), .init("value", value.json)]
    if places, let standard = self.default { members.append(.init("default", standard.json)) }
    if places, let help { members.append(.init("help", .string(help))) }
    return .object(members)
  }
}

extension PipelineStage {
  fileprivate func json(step: PipelineStep?, places: Bool) -> JSONValue {
    var members = [JSONValue.Member("stage", .string(name))]
    if let step { members.append(.init("step", .string(step.version))) }
    members += Self.members(options, line: line, lines: optionLines, places: places)
    if !rules.isEmpty {
      members.append(.init("rules", .array(rules.map { $0.json(places: places) })))
    }
    return .object(members)
  }

  /// Options, and the lines they stand on.
  fileprivate static func members(
    _ options: [String: OptionValue], line: Int, lines: [String: Int], places: Bool
  ) -> [JSONValue.Member] {
    var members = [JSONValue.Member("options", OptionValue.table(options).json)]
    if places { members += Self.places(line, lines) }
    return members
  }

  /// The line of something, and those of its options.
  fileprivate static func places(_ line: Int, _ lines: [String: Int]) -> [JSONValue.Member] {
    [
      .init("line", .integer(Int64(line))),
      .init("lines", OptionValue.table(lines.mapValues { .integer(Int64($0)) }).json),
    ]
  }
}

extension PipelineRule {
  fileprivate func json(places: Bool) -> JSONValue {
    .object(
      [.init("rule", .string(name))]
        + PipelineStage.members(options, line: line, lines: optionLines, places: places))
  }
}

extension OptionValue {
  /// The value as JSON; durations and sizes as a pipeline file writes them.
  var json: JSONValue {
    switch self {
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .real(value)
    case .text(let text): .string(text)
    case .duration(let duration): .string(DurationText.write(duration))
    case .size(let bytes): .string(SizeText.write(bytes))
    case .list(let values): .array(values.map(\.json))
    case .table(let values):
      .object(values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    case .from(let name): ["from": .string(name)]
    case .convert(let name, let type): ["convert": .string(name), "to": .string(type)]
    }
  }
}
