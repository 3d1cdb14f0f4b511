import CoreDataStore
import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Files of reports of runs", .temporaryFolder)
struct RunReportFileTests {
  @Test("a name that says no form is refused before anything is done") func form() async throws {
    let sample = try RunSample()
    let error = await #expect(throws: Failure.self) {
      try await sample.run(nil, RunOptions(report: sample.path("r.pdf")))
    }
    #expect(error?.remedy == "End it in .html, .md or .json.")
    #expect(!FileManager.default.fileExists(atPath: sample.store + ".pipeline"))
  }

  @Test("what somebody else wrote is not written over, a report of the same run is")
  func there() async throws {
    let sample = try RunSample()
    try Data("mine".utf8).write(to: URL(filePath: sample.path("r.md")))
    let error = await #expect(throws: Failure.self) {
      try await sample.run(nil, RunOptions(report: sample.path("r.md")))
    }
    #expect(error?.why == "Something is there already.")
    let stage = "stage \"report\" { to = \"s.md\" }\n"
    let text =
      try String(contentsOfFile: sample.path("notes.pipeline"), encoding: .utf8)
      .replacing("stage \"swap\"", with: stage + "stage \"swap\"") + stage
    let summary = try await sample.run(sample.plan(text))
    let report = String(decoding: try sample.bytes("s.md"), as: UTF8.self)
    #expect(report.hasPrefix("<!-- run \(summary.run) -->"))
    #expect(report.contains("swapped"))
  }

  @Test("a run that is given again leaves its own report as it is")
  func again() async throws {
    let sample = try RunSample()
    let options = RunOptions(report: sample.path("r.html"))
    #expect(try await sample.run(nil, options).outcome == .swapped)
    let report = try sample.bytes("r.html")
    #expect(try await sample.run(nil, options).outcome == .upToDate)
    #expect(try sample.bytes("r.html") == report)
  }

  @Test("the report of a run that was killed before it was there says how to see the changes")
  func cut() async throws {
    let sample = try RunSample()
    let options = RunOptions(report: sample.path("r.html"))
    let first = try await sample.run(nil, options)
    let backup = try #require(first.backup)
    try FileManager.default.moveItem(
      atPath: sample.path("r.html"), toPath: sample.path("r.html.pipeline-part"))
    let again = try await sample.run(nil, options)
    #expect(again.outcome == .upToDate && again.warnings.count == 1)
    let warning = try #require(again.warnings.first)
    #expect(warning.contains("the run \(first.run) has made them"))
    // The store's real path; the temporary folder may be a link.
    let store = backup.components(separatedBy: ".pipeline/")[0]
    #expect(warning.contains("pipeline diff \(backup)/Notes.sqlite \(store) --models "))
    #expect(String(decoding: try sample.bytes("r.html"), as: UTF8.self).contains("pipeline diff"))
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.path(""))
    #expect(names.filter { $0.hasPrefix("r.html") } == ["r.html"])
    #expect(try await sample.run(nil, options).warnings.isEmpty)
  }

  @Test("a run that is continued replaces its own report, and leaves no part of one")
  func continued() async throws {
    let sample = try RunSample()
    var options = RunOptions(report: sample.path("r.html"))
    options.until = "validate"
    let first = try await sample.run(nil, options)
    let report = try sample.bytes("r.html")
    options.until = nil
    let second = try await sample.run(nil, options)
    #expect(second.outcome == .swapped && second.run == first.run && second.warnings.isEmpty)
    #expect(try sample.bytes("r.html") != report)
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.path(""))
    #expect(names.filter { $0.hasPrefix("r.html") } == ["r.html"])
  }
}
