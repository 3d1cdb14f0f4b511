import Formats

/// Reads the JSON of an evaluated pipeline back into what a file says, to be checked like one.
struct PipelineDocument {
  let file: String
  let folder: String
  let text: [UInt8]

  /// What the document says; members that a plan adds to it are passed over.
  func source(_ settings: PipelineSettings) throws -> PipelineSource {
    let document: JSONValue
    do {
      document = try JSONValue(reading: text)
    } catch {
      guard case .position(let line, let column) = error.place else { throw error }
      throw Problem(file: file, line: line, message: "column \(column): \(error.problem)")
    }
    var source = PipelineSource(
      file: document["file"]?.string ?? file,
      folder: PipelinePath.resolve(document["folder"]?.string ?? folder, in: folder))
    source.constructs = [header(of: document)] + constructs(of: document, &source)
    source.parameters = (document["params"]?.array ?? []).compactMap(parameter)
    for script in document["scripts"]?.array ?? [] {
      guard let name = script["name"]?.string else { continue }
      source.scriptDigests[name] = script["digest"]?.string
    }
    for name in settings.parameters.keys.sorted() {
      source.problems.append(
        source.problem(0, "--set \(name): params of an evaluated pipeline are settled"))
    }
    return source
  }

  private func header(of document: JSONValue) -> RawConstruct {
    var fields: [String: RawValue] = [:]
    for name in ["format", "models", "accept", "target", "store", "plugins"] {
      fields[name] = document[name].flatMap(raw)
    }
    return RawConstruct(
      kind: "pipeline", name: document["pipeline"]?.string ?? "",
      line: Int(document["line"]?.integer ?? 0), body: RawTable(fields: fields),
      lines: lines(of: document))
  }

  /// The stages, those of one step that follow each other put into it.
  private func constructs(
    of document: JSONValue, _ source: inout PipelineSource
  ) -> [RawConstruct] {
    var constructs: [RawConstruct] = []
    for (index, item) in (document["stages"]?.array ?? []).enumerated() {
      guard let name = item["stage"]?.string else {
        source.problems.append(
          source.problem(0, "stages[\(index)] has no name: \"stage\" is missing"))
        continue
      }
      let stage = construct("stage", name, item)
      guard let step = item["step"]?.string else {
        constructs.append(stage)
        continue
      }
      if constructs.last?.kind != "step" || constructs.last?.name != step {
        let line = document["steps"]?.array?.first { $0["to"]?.string == step }?["line"]?.integer
        constructs.append(
          RawConstruct(kind: "step", name: step, line: Int(line ?? 0), body: RawTable()))
      }
      constructs[constructs.count - 1].body.list.append(.construct(stage))
    }
    return constructs
  }

  private func construct(_ kind: String, _ name: String, _ item: JSONValue) -> RawConstruct {
    var body = RawTable()
    if let options = item["options"], case .table(let table)? = raw(options) { body = table }
    for rule in item["rules"]?.array ?? [] {
      body.list.append(.construct(construct(rule["rule"]?.string ?? "", "", rule)))
    }
    return RawConstruct(
      kind: kind, name: name, line: Int(item["line"]?.integer ?? 0), body: body,
      lines: lines(of: item))
  }

  /// The lines of options, as they were recorded; of a name that is there twice the first counts.
  private func lines(of item: JSONValue) -> [String: Int] {
    let lines = (item["lines"]?.members ?? []).compactMap { member in
      member.value.integer.map { (member.name, Int($0)) }
    }
    return Dictionary(lines) { first, _ in first }
  }

  private func parameter(_ item: JSONValue) -> PipelineParameter? {
    guard let name = item["name"]?.string, let value = item["value"].flatMap(constant) else {
      return nil
    }
    return PipelineParameter(
      name: name, value: value, default: item["default"].flatMap(constant),
      help: item["help"]?.string)
  }

  private func constant(_ value: JSONValue) -> OptionValue? {
    switch value {
    case .bool(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .real(let value): .number(value)
    case .string(let text): .text(text)
    case .null, .array, .object: nil
    }
  }

  /// A value; null stands for one that was not written.
  private func raw(_ value: JSONValue) -> RawValue? {
    switch value {
    case .null: nil
    case .bool(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .real(let value): .number(value)
    case .string(let text): .text(text)
    case .array(let values): .table(RawTable(list: values.compactMap(raw)))
    case .object(let members):
      .table(
        RawTable(
          fields: Dictionary(
            uniqueKeysWithValues: members.compactMap { member in
              raw(member.value).map { (member.name, $0) }
            })))
    }
  }
}
