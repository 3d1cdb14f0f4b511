internal import CoreDataStore
internal import Foundation

/// The file that the report of a run goes to.
struct RunReportFile {
  /// The forms that a report has, each the end of a file's name.
  enum Format: String, CaseIterable {
    case html, md, json

    /// The form that a path's end names.
    init?(ending path: String) {
      self.init(rawValue: URL(filePath: path).pathExtension.lowercased())
    }
  }

  private static let what = "cannot write the report"

  private let path: String
  private let format: Format

  /// A file of a form that is known.
  init(_ path: String, _ format: Format) {
    (self.path, self.format) = (path, format)
  }

  /// A file whose name says the form.
  ///
  /// - Throws: ``RunFailure`` when it says none.
  init(_ path: String) throws(RunFailure) {
    guard let format = Format(ending: path) else {
      throw RunFailure(
        .misuse, what: Self.what, subject: path, why: "Its name does not say in which form.",
        remedy: "End it in .html, .md or .json.")
    }
    self.init(path, format)
  }

  /// Refuses to write over something; what the same run has written before it was cut short may go.
  func check(run: String? = nil) throws(RunFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    if let run, let old = FileManager.default.contents(atPath: path),
      old.range(of: Data(run.utf8)) != nil
    {
      return
    }
    throw RunFailure(
      .misuse, what: Self.what, subject: path, why: "Something is there already.",
      remedy: "Name another path, or move it away.")
  }

  /// Writes it.
  func write(_ summary: RunSummary) throws {
    try check(run: summary.run)
    do {
      try Data(text(summary).utf8).write(to: URL(filePath: path))
    } catch {
      throw StoreError(
        .refused, what: Self.what, subject: path, why: error.localizedDescription,
        remedy: "Check that its folder exists, that you may write there, and the space left.")
    }
  }

  private func text(_ summary: RunSummary) -> String {
    switch format {
    case .json: JSONRunSummary(summary).text + "\n"
    case .html: HTMLRunSummary(summary).text
    case .md: "<!-- run \(summary.run) -->\n```\n\(TextRunSummary(summary, width: 100).text)\n```\n"
    }
  }
}
