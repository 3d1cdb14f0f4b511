/// The scripts of a pipeline, each loaded once.
struct LoadedScripts: Sendable {
  /// The scripts that could be loaded, in the order of their stages.
  private(set) var scripts: [PlannedScript] = []
  /// The entities whose scripts could not be loaded, or hold mistakes.
  private(set) var faulty: Set<String> = []
  /// What is wrong with scripts as such.
  private(set) var problems: [Problem] = []
  /// What is most likely wrong with them.
  private(set) var warnings: [Problem] = []

  /// Loads the scripts of a pipeline.
  init(_ transforms: [StageDeclarations.Transform], of pipeline: Pipeline) {
    for transform in transforms {
      let path = pipeline.shownPath(transform.script)
      let line = transform.stage.line(of: "script")
      do {
        let outline = try ScriptOutline.load(path: path, params: transform.params)
        problems += outline.problems
        if !outline.problems.isEmpty { faulty.insert(transform.entity) }
        warnings += outline.warnings
        scripts.append(PlannedScript(transform, path: path, outline: outline))
      } catch let problem as Problem {
        faulty.insert(transform.entity)
        problems.append(
          Problem(
            file: pipeline.file, line: line,
            message: "\(path): \(problem.message)", isRefusal: problem.isRefusal))
      } catch {
        faulty.insert(transform.entity)
        problems.append(
          Problem(file: pipeline.file, line: line, message: "\(path): \(error)"))
      }
    }
  }

  func scripts(of stages: [PipelineStage]) -> [PlannedScript] {
    scripts.filter { stages.contains($0.stage) }
  }

  /// The digest of each script, with what it requires, by its name in the file.
  var digests: [(name: String, digest: String)] {
    scripts.map { script in
      (name: script.transform.script, digest: script.outline.digest)
    }
  }
}
