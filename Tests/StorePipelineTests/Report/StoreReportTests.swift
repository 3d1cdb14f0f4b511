import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("Store report", .temporaryFolder)
struct StoreReportTests {
  /// The report of the sample store, with models and a comparison if wanted.
  static func notes(
    models: Bool = false, against version: String? = nil, metadata: Bool = false,
    values: Bool = false
  ) throws -> StoreReport {
    let folder = TemporaryFolder.url
    try NotesSample.lay(in: folder)
    let store = try Store(folder.appending(path: "Notes.sqlite").path)
    let sources = models ? [NotesSample.models.path] : []
    let recognition = try store.recognise(among: models ? ModelSource(sources) : nil)
    let comparison = try version.map { version in
      let model = try NotesSample.model(version)
      return StoreReport.Comparison(model: version, misfits: try store.misfits(of: model))
    }
    return StoreReport(
      path: "Notes.sqlite", facts: try store.facts(recognition), models: models ? ["Notes"] : [],
      comparison: comparison, showsMetadata: metadata, showsValues: values)
  }

  @Test("the version has a name where a model gives it one") func version() throws {
    let report = try Self.notes(models: true)
    #expect(report.version == "Notes")
    #expect(report.versionWords.hasPrefix("Notes, by its version hashes, which are in /"))
  }

  @Test("without a model the version is unknown, and the report says what to do")
  func unknown() throws {
    let report = try Self.notes()
    #expect(report.version == nil)
    #expect(report.versionWords.contains("--models"))
  }

  @Test("a model in the store that cannot be read is not called missing") func damaged() throws {
    let cache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT); INSERT INTO Z_MODELCACHE VALUES (x'00')"
    try NotesSample.lay(in: TemporaryFolder.url, adding: cache)
    let store = try Store(TemporaryFolder.url.appending(path: "Notes.sqlite").path)
    let report = StoreReport(path: "Notes.sqlite", facts: try store.facts(try store.recognise()))
    #expect(report.versionWords.hasPrefix("unknown: the model it keeps of itself cannot be read"))
    #expect(report.facts.warnings.contains { $0.subject == "model cache" })
  }

  @Test("a model fits or does not", arguments: [("Notes", true), ("Notes 2", false)])
  func against(version: String, fits: Bool) throws {
    #expect(try Self.notes(against: version).comparison?.fits == fits)
  }
}
