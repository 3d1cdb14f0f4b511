import CoreDataStore
import StorePipeline

// How errors of the layers below end the program.

extension StoreError: ReportableError {
  var status: ExitStatus { ExitStatus(rawValue: category.status) ?? .unusable }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

extension ModelError: ReportableError {
  var status: ExitStatus { isRefusal ? .refused : .unusable }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

extension RunFailure: ReportableError {
  var status: ExitStatus { ExitStatus(rawValue: kind.rawValue) ?? .no }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

extension ScriptFailure: ReportableError {
  var status: ExitStatus { isOfStore ? .unusable : .misuse }

  var problems: [Problem] {
    let place = line > 0 ? "\(path):\(line)" : path
    // The description begins with the place, a colon and a space.
    return [Problem(String(description.dropFirst(place.count + 2)), at: place)]
  }
}

extension ConditionError: ReportableError {
  var status: ExitStatus { .misuse }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

extension ComparisonError: ReportableError {
  var status: ExitStatus { .misuse }

  var problems: [Problem] { [Problem("\(what): \(subject)\n\(why)", hint: remedy)] }
}

/// What is wrong with a pipeline file and its scripts, each mistake with its place.
struct FileMistakes: ReportableError {
  let status = ExitStatus.misuse
  let problems: [Problem]

  /// Mistakes as they are told.
  init(_ mistakes: [StorePipeline.Problem]) {
    problems = mistakes.map { mistake in
      let place = mistake.line > 0 ? "\(mistake.file):\(mistake.line)" : mistake.file
      return Problem(mistake.message, at: place)
    }
  }
}
