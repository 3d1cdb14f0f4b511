import CoreDataStore
internal import StoreMigration
import StorePipeline

// How errors of the layers below end the program. A name in one is on one line, whatever is in it.

extension ReportableError {
  /// The one that all layers have for it.
  var status: ExitStatus { ExitStatus(rawValue: RunStatus.of(self)) ?? .refused }
}

/// An error that says what was being done, to what, why it failed and what to do now.
protocol FourPartError: ReportableError {
  var what: String { get }
  var subject: String { get }
  var why: String { get }
  var remedy: String { get }
}

extension FourPartError {
  var problems: [Problem] {
    [Problem("\(what.oneLine): \(subject.oneLine)\n\(why.oneLine)", hint: remedy.oneLine)]
  }
}

extension StoreError: FourPartError {}
extension ModelError: FourPartError {}
extension ConditionError: FourPartError {}
extension ComparisonError: FourPartError {}

extension RunFailure: ReportableError {
  // Why may be a list, a line each.
  var problems: [Problem] {
    [Problem("\(what.oneLine): \(subject.oneLine)\n\(why)", hint: remedy.oneLine)]
  }
}

extension ScriptFailure: ReportableError {
  var problems: [Problem] {
    let place = line > 0 ? "\(path):\(line)" : path
    // The description begins with the place, a colon and a space.
    return [Problem(String(description.dropFirst(place.count + 2)), at: place)]
  }
}

/// What is wrong with a pipeline file and its scripts, each mistake with its place.
struct FileMistakes: ReportableError {
  let status: ExitStatus
  let problems: [Problem]

  /// Mistakes as they are told.
  init(_ mistakes: [StorePipeline.Problem]) {
    status = ExitStatus(rawValue: RunStatus.of(mistakes)) ?? .misuse
    problems = mistakes.map { mistake in
      let place = mistake.line > 0 ? "\(mistake.file):\(mistake.line)" : mistake.file
      return Problem(mistake.message, at: place)
    }
  }
}
