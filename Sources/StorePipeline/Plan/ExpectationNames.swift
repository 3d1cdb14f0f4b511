internal import CoreDataStore
package import StoreMigration

/// Finds the expectations of a pipeline that cannot be understood.
struct ExpectationNames {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the expectations against the versions that a run may start at, and the one it leads to.
  init(_ pipeline: Pipeline, from sources: [StoreSchema], to target: StoreSchema) {
    var problems: [Problem] = []
    let stages = pipeline.stages.map(\.stage).filter {
      $0.name == ValidateStage.description.name
    }
    for expectation in stages.flatMap(\.expectations) {
      for source in sources {
        do {
          _ = try ExpectationCheck(expectation, source: source, target: target)
        } catch {
          let line = expectation.line ?? 0
          problems.append(Problem(file: pipeline.file, line: line, message: "\(error)"))
        }
      }
    }
    self.problems = problems
  }
}

extension PipelineStage {
  /// What a `validate` stage expects; nothing for any other.
  package var expectations: [Expectation] {
    (self["expect"]?.list ?? []).map { item in
      Expectation(
        name: item["name"]?.text ?? "", source: item["source"]?.text,
        destination: item["destination"]?.text, equals: item["equals"]?.integer,
        line: line(of: "expect"))
    }
  }
}
