import CoreDataStore
import StorePipeline

// How errors of the layers below end the program. A name in one is on one line, whatever is in it.

extension ReportableError {
  /// The one that all layers have for it.
  var status: ExitStatus { ExitStatus(rawValue: RunStatus.of(self)) ?? .refused }
}

extension Failure: ReportableError {
  // Why may be a list of ours, a line each; names that a store has are on one line.
  var problems: [Problem] {
    let isOurs = kind == .no || kind == .misuse
    let lines = isOurs ? why.split(separator: "\n").map(String.init) : [why]
    let reason = lines.map(\.oneLine).joined(separator: "\n")
    return [Problem("\(what.oneLine): \(subject.oneLine)\n\(reason)", hint: remedy.oneLine)]
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

  /// Mistakes as they are reported.
  init(_ mistakes: [StorePipeline.Problem]) {
    status = ExitStatus(rawValue: RunStatus.of(mistakes)) ?? .misuse
    problems = mistakes.map { mistake in
      let place = mistake.line > 0 ? "\(mistake.file):\(mistake.line)" : mistake.file
      return Problem(mistake.message, at: place)
    }
  }
}
