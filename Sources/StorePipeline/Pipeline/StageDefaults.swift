/// Puts in the stages at the beginning that a file may leave out, as they are without options.
struct StageDefaults {
  private let stages: StageRegistry

  init(_ stages: StageRegistry) { self.stages = stages }

  /// The words of a file with the stages that find the version and open the stores, if no stage of
  /// the file does so.
  func filling(_ constructs: [RawConstruct]) -> [RawConstruct] {
    guard let first = constructs.firstIndex(where: { ["stage", "step"].contains($0.kind) }) else {
      return constructs
    }
    var found = constructs
    if !makes(.version, constructs), let stage = maker(of: .version) {
      found.insert(construct(stage, line: constructs[first].line), at: first)
    }
    if !makes(.stores, constructs), let stage = maker(of: .stores) {
      let place = found.firstIndex { makes(.version, [$0]) } ?? first
      found.insert(construct(stage, line: constructs[first].line), at: place + 1)
    }
    return found
  }

  /// Whether one of the stages makes something, those in steps included.
  func makes(_ resource: StageResource, _ constructs: [RawConstruct]) -> Bool {
    constructs.contains { construct in
      guard construct.kind == "stage" else {
        return construct.kind == "step" && makes(resource, construct.body.constructs)
      }
      return stages[construct.name]?.produces.contains(resource) == true
    }
  }

  /// The stage that makes something without any option.
  private func maker(of resource: StageResource) -> StageDescription? {
    stages.descriptions.first { stage in
      stage.produces.contains(resource) && !stage.options.contains(where: \.isRequired)
    }
  }

  private func construct(_ stage: StageDescription, line: Int) -> RawConstruct {
    RawConstruct(kind: "stage", name: stage.name, line: line, body: RawTable())
  }
}

extension RawTable {
  var constructs: [RawConstruct] {
    list.compactMap { item in
      guard case .construct(let construct) = item else { return nil }
      return construct
    }
  }
}
