internal import CoreDataStore
internal import Foundation

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

  /// Refuses to write over something; what the same run has written before it was cut short may go.
  func check(run: String? = nil) throws(Failure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    if let run, let old = FileManager.default.contents(atPath: path),
      old.range(of: Data(run.utf8)) != nil
    {
      return
    }
    throw Failure(
      .misuse, what: Self.what, subject: path, why: "Something is there already.",
      remedy: "Name another path, or move it away.")
  }

  func write(_ report: DifferenceReport, of run: String) throws {
    try check(run: run)
    do {
      try Data().write(to: URL(filePath: path))
      try form.write(report, into: path)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure.unwritten(what: Self.what, path, error)
    }
  }
}
