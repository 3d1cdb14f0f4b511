internal import CoreDataStore
internal import Foundation
internal import StoreReplacement

/// The file that the report of a run goes to.
struct RunReportFile {
  private static let what = "cannot write the report"

  private let path: String
  private let form: DifferenceForm

  /// A file of a form that is known.
  init(_ path: String, _ form: DifferenceForm) {
    (self.path, self.form) = (path, form)
  }

  /// A file whose name says the form.
  ///
  /// - Throws: `Failure` when it says none.
  init(_ path: String) throws(Failure) {
    guard let form = DifferenceForm(path: path) else {
      throw Failure(
        .misuse, what: Self.what, subject: path, why: "Its name does not say in which form.",
        remedy: "End it in .html, .md or .json.")
    }
    self.init(path, form)
  }

  var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// Refuses to write over something; what one of these runs has written may go.
  func check(runs: [String] = []) throws(Failure) {
    guard isThere else { return }
    if let old = FileManager.default.contents(atPath: path),
      runs.contains(where: { old.range(of: Data($0.utf8)) != nil })
    {
      return
    }
    throw Failure(
      .misuse, what: Self.what, subject: path, why: "Something is there already.",
      remedy: "Name another path, or move it away.")
  }

  /// Writes all of it, or nothing; `runs` are those whose report may be there.
  func write(_ report: DifferenceReport, of runs: [String]) throws {
    try check(runs: runs)
    do {
      try StoreOutput.write(report: path, replaces: isThere) { part in
        try Data().write(to: URL(filePath: part))
        try form.write(report, into: part)
      }
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure.unwritten(what: Self.what, path, error)
    }
  }
}
