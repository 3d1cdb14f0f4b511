internal import CoreDataStore
internal import StoreMigration

/// Finds the expectations of a pipeline that cannot be understood.
struct ExpectationNames {
  /// The mistakes.
  let problems: [Problem]

  /// Reads the expectations against the versions that a run may start at, and the one it leads to.
  init(
    _ expectations: [Expectation], from sources: [StoreSchema], to target: StoreSchema, file: String
  ) {
    var problems: [Problem] = []
    for expectation in expectations {
      for source in sources {
        do {
          _ = try ExpectationCheck(expectation, source: source, target: target)
        } catch {
          let line = expectation.line ?? 0
          problems.append(Problem(file: file, line: line, message: "\(error)"))
        }
      }
    }
    self.problems = problems
  }
}
