/// Finds names of facts in the commands of hooks that mean nothing.
struct HookNames {
  /// The mistakes.
  let problems: [Problem]

  init(_ pipeline: Pipeline) {
    let hooks = pipeline.stages.map(\.stage).filter { $0.name == HookStage.description.name }
    problems = hooks.flatMap { stage in
      (stage["command"]?.list ?? []).compactMap(\.text).compactMap(HookFacts.mistake).map {
        Problem(file: pipeline.file, line: stage.line(of: "command"), message: $0)
      }
    }
  }
}
