import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import TestSupport
import Testing

@Suite("Making a report of two stores", .temporaryFolder)
struct DifferenceMakerTests {
  private func report(
    _ first: String, _ second: String, _ change: (inout DifferenceMaker) -> Void = { _ in }
  ) throws -> DifferenceReport {
    func side(_ path: String) throws -> (ComparedStore, DifferenceReport.Side) {
      let store = try Store(path)
      let models = try ModelSource([TemporaryFolder.url.appending(path: "Notes.xcdatamodeld").path])
      let model = try #require(try store.recognise(among: models).model)
      return (try ComparedStore(store, model: model), .init(path: path, version: model.name))
    }
    let (before, after) = (try side(first), try side(second))
    var maker = DifferenceMaker(before.0, after.0)
    change(&maker)
    return try maker.report(before: before.1, after: after.1)
  }

  @Test("of a store and its copy there is nothing to tell, about models neither")
  func same() throws {
    let sample = try RunSample()
    let copy = sample.path("Copy.sqlite")
    try FileManager.default.copyItem(atPath: sample.store, toPath: copy)
    let report = try report(sample.store, copy)
    #expect(report.isSame && report.models == nil && report.groups.isEmpty)
  }

  @Test("of two versions the change of the model is reported by their names")
  func versions() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(output: sample.path("New.sqlite")))
    let report = try report(sample.store, sample.path("New.sqlite"))
    #expect(report.models?.source.name == "Notes" && report.models?.target.name == "Notes 2")
    #expect(report.changeCount > 0)
    #expect(report.after.path == sample.path("New.sqlite"))
  }

  @Test("limits and display are those asked for")
  func choices() async throws {
    let sample = try RunSample()
    try await sample.run(nil, RunOptions(output: sample.path("New.sqlite")))
    let report = try report(sample.store, sample.path("New.sqlite")) {
      $0.display = .none
      $0.limits.objects = 1
      $0.limits.perGroup = 0
    }
    #expect(report.objects.count == 1 && report.changeCount > 1)
    let objects = try report.objects.first(.max)
    #expect(objects.flatMap(\.values).allSatisfy { [.none, .hidden].contains($0.new) })
  }
}
