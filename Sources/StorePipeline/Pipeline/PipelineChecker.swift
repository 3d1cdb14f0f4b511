import CoreDataStore

/// Makes a pipeline of what a file says, or says what is wrong with it.
struct PipelineChecker {
  private static let header = [
    OptionDescription(
      "format", .integer(OptionType.exact), isRequired: true, example: "format = 1",
      help: "The format of the file, checked before all else."),
    OptionDescription(
      "models", .oneOrMore(.path(.existing)), isRequired: true,
      example: #"models = "Model.xcdatamodeld""#,
      help: "A .xcdatamodeld, .xcdatamodel, .momd or .mom, or a store; several are merged."),
    OptionDescription(
      "accept", .oneOrMore(.text), help: "The versions it takes; without it all that are known."),
    OptionDescription(
      "target", .text, help: "The version it migrates to; without it the current one."),
    OptionDescription(
      "store", .oneOrMore(.path(.new)),
      help: "The stores, where the command names none; * and ? stand for parts of names."),
    OptionDescription(
      "plugins", .oneOrMore(.path(.script)), default: .list([]),
      help: "Lua files, each of which is a stage that this file may name."),
  ]

  private var stages: StageRegistry
  private var lacksPlugins = false
  private let checksFiles: Bool
  private var source: PipelineSource
  private var headerLines: [String: Int] = [:]

  init(_ source: PipelineSource, stages: StageRegistry, checksFiles: Bool) {
    self.source = source
    self.stages = stages
    self.checksFiles = checksFiles
  }

  /// The pipeline; throws all mistakes there are.
  mutating func pipeline() throws(PipelineFileError) -> Pipeline {
    let headers = source.constructs.filter { $0.kind == "pipeline" }
    try checkFormat(headers)
    let isReadable = source.problems.isEmpty || !source.constructs.isEmpty
    let header = isReadable ? self.header(headers) : [:]
    let plugins = self.plugins(header["plugins"]?.list?.compactMap(\.text) ?? [], headers.first)
    stages = stages.with(plugins.map(\.stage))
    source.constructs = StageDefaults(stages).filling(source.constructs)
    let entries = source.constructs.compactMap { entry($0) }
    if source.problems.isEmpty, entries.isEmpty {
      report(
        headers.first?.line ?? 1,
        #"the pipeline has no stages: write stage "copy" {} and stage "swap" {}"#)
    }
    var order = StageOrder(source, stages: stages, target: header["target"]?.text)
    source.problems += order.problems()
    guard source.problems.isEmpty else { throw PipelineFileError(source.problems) }
    return Pipeline(
      file: source.file, folder: source.folder, name: headers.first?.name ?? "",
      format: Int(header["format"]?.integer ?? 0),
      models: header["models"]?.list?.compactMap(\.text) ?? [],
      accept: header["accept"]?.list?.compactMap(\.text), target: header["target"]?.text,
      stores: header["store"]?.list?.compactMap(\.text) ?? [], plugins: plugins,
      line: headers.first?.line ?? 0,
      optionLines: headerLines,
      parameters: source.parameters, entries: entries, scriptDigests: source.scriptDigests)
  }

  private mutating func report(_ line: Int, _ message: String) {
    source.problems.append(source.problem(line, message))
  }

  /// A file of a later format has one mistake: what the rest of it means is unknown.
  private func checkFormat(_ headers: [RawConstruct]) throws(PipelineFileError) {
    guard let header = headers.first, case .integer(let format)? = header.body.fields["format"],
      !Pipeline.formats.contains(format)
    else { return }
    let known = Pipeline.formats.map(String.init).joined(separator: ", ")
    let line = source.line(of: ["format"], in: header)
    throw PipelineFileError([
      source.problem(line, "format \(format) is unknown; this version reads \(known)")
    ])
  }

  private mutating func header(_ headers: [RawConstruct]) -> [String: OptionValue] {
    guard let first = headers.first else {
      report(1, #"the file has no pipeline: write pipeline "name" { format = 1, models = ... }"#)
      return [:]
    }
    for second in headers.dropFirst() {
      report(second.line, "a second pipeline; the first is on line \(first.line)")
    }
    var reader = OptionReader("the pipeline", first, of: source, checksFiles: checksFiles)
    let values = reader.read(Self.header)
    source.problems += reader.problems
    headerLines = reader.lines(of: Self.header)
    return values
  }

  /// Loads the stages that the file brings along.
  private mutating func plugins(
    _ paths: [String], _ header: RawConstruct?
  ) -> [Pipeline.Plugin] {
    var found: [Pipeline.Plugin] = []
    for path in paths {
      let place = PipelinePath.resolve(path, in: source.folder)
      // One that is not there was reported where it must be.
      guard PipelinePath.exists(place) else { continue }
      do {
        let stage = try LuaStage.load(path: PipelinePath.shown(place))
        let name = stage.description.name
        if stages[name] != nil || found.contains(where: { $0.stage.description.name == name }) {
          let line = header.map { source.line(of: ["plugins"], in: $0) } ?? 0
          report(line, "'\(path)' is a stage '\(name)', and there is one already; rename it")
        }
        found.append(Pipeline.Plugin(path: path, stage: stage))
      } catch {
        source.problems += error.problems
        lacksPlugins = true
      }
    }
    return found
  }

  private mutating func entry(_ construct: RawConstruct) -> Pipeline.Entry? {
    switch construct.kind {
    case "stage": return stage(construct).map(Pipeline.Entry.stage)
    case "step": return step(construct).map(Pipeline.Entry.step)
    case "pipeline", "from", "convert": return nil
    default:
      let homes = stages.descriptions.filter { $0.rules.contains { $0.name == construct.kind } }
      let home = homes.first.map { " of stage '\($0.name)'" } ?? " of a stage"
      report(construct.line, "'\(construct.kind)' belongs into the table\(home)")
      return nil
    }
  }

  private mutating func step(_ construct: RawConstruct) -> PipelineStep? {
    var found: [PipelineStage] = []
    for name in construct.body.names {
      report(construct.line, "step '\(construct.name)' takes stages alone, not '\(name)'")
    }
    for item in construct.body.list {
      switch item {
      case .construct(let inner) where inner.kind == "stage":
        if let stage = stage(inner) { found.append(stage) }
      case .unknown: continue
      default:
        report(construct.line, "step '\(construct.name)' takes stages alone, not \(item.kind)")
      }
    }
    if construct.body.list.isEmpty {
      report(construct.line, "step '\(construct.name)' has no stages")
    }
    return PipelineStep(version: construct.name, line: construct.line, stages: found)
  }

  private mutating func stage(_ construct: RawConstruct) -> PipelineStage? {
    guard let description = stages[construct.name] else {
      // It may be that of a plugin with a mistake, which was reported.
      guard !lacksPlugins else { return nil }
      let names = stages.names
      let near = NearestName.of(construct.name, among: names).map { "; did you mean '\($0)'?" }
      report(construct.line, "unknown stage '\(construct.name)'\(near ?? "")")
      return nil
    }
    var construct = construct
    let rules = takeRules(of: &construct, description)
    let owner = "stage '\(construct.name)'"
    var reader = OptionReader(owner, construct, of: source, checksFiles: checksFiles)
    let options = reader.read(description.options)
    source.problems += reader.problems
    return PipelineStage(
      name: construct.name, line: construct.line, options: options,
      optionLines: reader.lines(of: description.options), rules: rules)
  }

  /// Takes the rules out of a stage's list, and merges tables of options that it shares with
  /// others; what the stage says itself goes before them.
  private mutating func takeRules(
    of construct: inout RawConstruct, _ stage: StageDescription
  ) -> [PipelineRule] {
    var rules: [PipelineRule] = []
    for item in construct.body.list {
      switch item {
      case .construct(let inner):
        if let rule = rule(inner, in: stage) { rules.append(rule) }
      case .table(let shared) where shared.list.isEmpty:
        construct.body.fields.merge(shared.fields) { own, _ in own }
      case .unknown: continue
      default:
        report(construct.line, "stage '\(stage.name)' has no place for \(item.kind) in its list")
      }
    }
    construct.body.list = []
    for rule in stage.rules {
      guard let value = construct.body.fields.removeValue(forKey: rule.name) else { continue }
      let text = if case .text(let text) = value { LuaText.quoted(text) } else { "..." }
      report(
        source.line(of: [rule.name], in: construct),
        "'\(rule.name)' takes no equals sign: \(rule.name) { \(text) }")
    }
    return rules
  }

  private mutating func rule(
    _ construct: RawConstruct, in stage: StageDescription
  ) -> PipelineRule? {
    guard let description = stage.rules.first(where: { $0.name == construct.kind }) else {
      report(construct.line, "'\(construct.kind)' has no place in stage '\(stage.name)'")
      return nil
    }
    let owner = "'\(construct.kind)'"
    var reader = OptionReader(owner, construct, of: source, checksFiles: checksFiles)
    let options = reader.read(description.options)
    source.problems += reader.problems
    return PipelineRule(
      name: construct.kind, line: construct.line, options: options,
      optionLines: reader.lines(of: description.options))
  }
}
